//! What drawn pictures become.

use image::{Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

const AVATAR: AssetName = AssetName::Avatar(AvatarSize::Full);
const COVER: AssetName = AssetName::Cover { small: false };

fn pictures(name: AssetName, source: impl Into<DynamicImage>) -> Vec<Picture> {
    render(name, &full_size(&source.into(), name).unwrap()).unwrap()
}

/// Names and sizes, one a line.
fn listing(pictures: &[Picture]) -> Vec<String> {
    pictures.iter().map(|p| format!("{} {}x{}", p.name(), p.width(), p.height())).collect()
}

fn decoded(picture: &Picture) -> DynamicImage {
    image::load_from_memory_with_format(picture.bytes(), image::ImageFormat::WebP).unwrap()
}

/// The format of the first chunk: `VP8 ` lossy, `VP8L` lossless, `VP8X` extended (here: lossy with alpha).
fn chunk(picture: &Picture) -> &[u8] {
    &picture.bytes()[12..16]
}

/// Smooth waves of colour under a fine grain, as a camera sees.
fn photo(width: u32, height: u32) -> RgbImage {
    let mut grain = 1_u32;
    RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (f64::from(x), f64::from(y));
        let waves = [(x / 90.0).sin() * (y / 70.0).cos(), ((x + y) / 120.0).sin(), (x / 200.0 - y / 50.0).cos()];
        Rgb(waves.map(|wave| {
            grain = grain.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "28 to 228 and a grain of 0 to 7"
            )]
            let level = (wave * 100.0 + 128.0) as u8;
            level.saturating_add((grain >> 29) as u8)
        }))
    })
}

/// Dark strokes on a light ground: what a text screenshot is made of.
fn drawing(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x * 7 + (y / 16) * 13) % 23 {
        0..=4 if y % 16 < 10 => Rgb([30, 30, 40]),
        9 if y % 16 == 3 => Rgb([200, 40, 40]),
        _ => Rgb([250, 248, 240]),
    })
}

/// The peak signal-to-noise ratio in decibels; above 35 a difference is hard to see.
fn psnr(a: &DynamicImage, b: &DynamicImage) -> f64 {
    let (a, b) = (a.to_rgb8(), b.to_rgb8());
    assert_eq!(a.dimensions(), b.dimensions());
    let squares: f64 = a.iter().zip(b.iter()).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    let samples = f64::from(a.width() * a.height() * 3);
    10.0 * (255.0 * 255.0 / (squares / samples).max(1e-9)).log10()
}

#[test]
fn an_avatar_comes_in_four_sizes_and_a_cover_in_two() {
    assert_eq!(
        listing(&pictures(AVATAR, drawing(600, 600))),
        ["avatar.webp 512x512", "avatar-256.webp 256x256", "avatar-128.webp 128x128", "avatar-64.webp 64x64"]
    );
    assert_eq!(listing(&pictures(COVER, drawing(1600, 900))), ["cover.webp 1280x720", "cover-640.webp 640x360"]);
    let third = AssetName::Screenshot { index: 2, small: false };
    assert_eq!(
        listing(&pictures(third, drawing(700, 200))),
        ["screenshots/2.webp 700x200", "screenshots/2-640.webp 640x183"]
    );
}

#[test]
fn nothing_is_scaled_up_and_a_variant_that_would_not_be_smaller_is_left_out() {
    assert_eq!(listing(&pictures(AVATAR, drawing(128, 100))), ["avatar.webp 128x100", "avatar-64.webp 64x50"]);
    assert_eq!(listing(&pictures(COVER, drawing(640, 360))), ["cover.webp 640x360"]);
    assert_eq!(listing(&pictures(AVATAR, drawing(1, 1))), ["avatar.webp 1x1"]);
}

#[test]
fn a_picture_too_wide_for_webp_becomes_a_thin_line() {
    let line = pictures(COVER, drawing(16384, 16));
    assert_eq!(listing(&line), ["cover.webp 1280x1", "cover-640.webp 640x1"]);
    assert_eq!(decoded(&line[0]).width(), 1280);
}

#[test]
fn no_name_allows_a_side_that_webp_cannot_hold() {
    for name in AssetName::all() {
        let (width, height) = name.bounding_box();
        assert!(width.max(height) <= 16383, "{name}");
    }
}

#[test]
fn every_picture_is_a_webp_file_of_the_size_and_digest_it_states() {
    for picture in [pictures(AVATAR, drawing(300, 200)), pictures(COVER, photo(700, 300))].concat() {
        let image = decoded(&picture);
        assert_eq!((image.width(), image.height()), (picture.width(), picture.height()));
        assert_eq!(picture.sha256(), Sha256Digest::of(picture.bytes()));
    }
}

#[test]
fn a_photo_is_lossy_and_small_and_looks_the_same() {
    let source = DynamicImage::from(photo(1280, 720));
    let picture = &pictures(COVER, source.clone())[0];
    assert_eq!(chunk(picture), b"VP8 ");
    assert!(picture.bytes().len() < 150_000, "{} bytes", picture.bytes().len());
    assert!(psnr(&source, &decoded(picture)) > 35.0, "{} dB", psnr(&source, &decoded(picture)));
}

#[test]
fn a_drawing_is_lossless_and_small_and_is_the_same() {
    let source = DynamicImage::from(drawing(1280, 720));
    let picture = &pictures(COVER, source.clone())[0];
    assert_eq!(chunk(picture), b"VP8L");
    assert!(picture.bytes().len() < 20_000, "{} bytes", picture.bytes().len());
    assert_eq!(source, decoded(picture));
}

#[test]
fn a_gray_photo_has_few_colours_and_is_lossy_all_the_same() {
    let gray = DynamicImage::from(photo(640, 360)).into_luma8();
    assert_eq!(chunk(&pictures(COVER, gray)[0]), b"VP8 ");
}

#[test]
fn transparency_survives_lossy_and_lossless() {
    let (clear, half) = ((0..20), (20..40));
    let alpha = |x: u32| {
        if clear.contains(&x) {
            0
        } else if half.contains(&x) {
            128
        } else {
            255
        }
    };
    let colours = photo(100, 100);
    let soft = RgbaImage::from_fn(100, 100, |x, y| {
        let Rgb([r, g, b]) = *colours.get_pixel(x, y);
        Rgba([r, g, b, alpha(x)])
    });
    let flat = RgbaImage::from_fn(100, 100, |x, _| Rgba([200, 30, 30, alpha(x)]));
    for (source, form) in [(soft, b"VP8X"), (flat, b"VP8L")] {
        let picture = &pictures(AVATAR, source)[0];
        assert_eq!(chunk(picture), form);
        let image = decoded(picture).into_rgba8();
        assert_eq!([10, 30, 90].map(|x| image.get_pixel(x, 50).0[3]), [0, 128, 255]);
    }
}

#[test]
fn the_same_pixels_give_the_same_bytes() {
    let once = pictures(COVER, photo(700, 400));
    let again = pictures(COVER, photo(700, 400));
    assert!(once.iter().zip(&again).all(|(a, b)| a.bytes() == b.bytes()));
}
