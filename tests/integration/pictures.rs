//! Pictures of every shape that programs write: decoded upright, in sRGB, the first frame, or refused by name.

use std::io::Cursor;
use std::path::Path;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, GenericImageView as _, ImageEncoder as _, Rgb, RgbImage, Rgba};
use moxcms::ColorProfile;
use role_catalog::domain::{Code, Limits, Rule};
use role_catalog::package::{Report, ValidatedPackage, validate};
use role_catalog::projection::project;

use crate::support::package_builder::PackageBuilder;

/// A picture of the fuzzing corpus, which other programs wrote.
fn file(name: &str) -> Bytes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/picture");
    std::fs::read(folder.join(name)).unwrap().into()
}

fn with_avatar(picture: impl Into<Bytes>) -> Result<ValidatedPackage, Report> {
    let package = PackageBuilder::role("tutor").file("avatar.png", picture).build();
    validate(package, &Limits::default(), None)
}

fn decoded(picture: impl Into<Bytes>) -> DynamicImage {
    let package = with_avatar(picture).unwrap_or_else(|report| panic!("{report:#?}"));
    // What validation accepts, projection can show.
    assert!(!project(&package, &Limits::default()).unwrap().pictures().is_empty());
    package.pictures().avatar.as_ref().unwrap().decode(&Limits::default()).unwrap()
}

#[track_caller]
fn assert_near(found: Rgba<u8>, [red, green, blue]: [u8; 3], tolerance: u8) {
    let near = found.0.iter().zip([red, green, blue]).all(|(found, wanted)| found.abs_diff(wanted) <= tolerance);
    assert!(near, "{found:?} is not {:?}", [red, green, blue]);
}

#[test]
fn every_shape_of_picture_is_decoded() {
    let (red, blue) = ([200, 40, 30], [30, 60, 200]);
    for name in ["rgb.png", "lossless.webp", "still.gif", "rgb.jpg", "progressive.jpg", "lossy.webp", "srgb.png"] {
        let picture = decoded(file(name));
        assert_eq!(picture.dimensions(), (24, 16), "{name}");
        assert_near(picture.get_pixel(3, 8), red, 12);
        assert_near(picture.get_pixel(20, 8), blue, 12);
    }
    assert_near(decoded(file("gray16.png")).get_pixel(3, 3), [128; 3], 0);
    assert_near(decoded(file("bilevel.png")).get_pixel(3, 3), [255; 3], 0);
    assert_eq!(decoded(file("gray-alpha.png")).get_pixel(3, 3), Rgba([128, 128, 128, 64]));
}

#[test]
fn a_palette_keeps_its_colours_and_what_is_transparent() {
    let picture = decoded(file("palette-transparent.png"));
    assert_eq!(picture.get_pixel(3, 3), Rgba([255, 0, 0, 255]));
    assert_eq!(picture.get_pixel(12, 3).0[3], 0);
    assert_near(decoded(file("palette-2bit.png")).get_pixel(12, 3), [0, 255, 0], 0);
}

#[test]
fn printing_colours_become_screen_colours() {
    let picture = decoded(file("cmyk.jpg"));
    assert_near(picture.get_pixel(3, 8), [255, 0, 0], 6);
    assert_near(picture.get_pixel(20, 8), [0, 127, 127], 6);
}

#[test]
fn an_animation_is_its_first_frame() {
    for name in ["animated.png", "animated.gif", "animated.webp"] {
        let picture = decoded(file(name));
        assert_eq!(picture.dimensions(), (24, 16), "{name}");
        assert_near(picture.get_pixel(5, 5), [255, 0, 0], 2);
    }
}

#[test]
fn a_picture_that_was_taken_sideways_stands_upright() {
    for name in ["rotated.jpg", "rotated.png", "rotated.webp"] {
        let picture = decoded(file(name));
        assert_eq!(picture.dimensions(), (16, 24), "{name}");
        assert_near(picture.get_pixel(8, 3), [200, 40, 30], 12);
        assert_near(picture.get_pixel(8, 20), [30, 60, 200], 12);
    }
}

/// One colour in each format that can hold a profile.
fn with_profile(colour: Rgb<u8>, profile: &[u8]) -> [Bytes; 3] {
    let image = RgbImage::from_pixel(64, 64, colour);
    let (mut png, mut jpeg, mut webp) = (Vec::new(), Vec::new(), Vec::new());
    let mut encoder = PngEncoder::new(&mut png);
    encoder.set_icc_profile(profile.to_vec()).unwrap();
    image.write_with_encoder(encoder).unwrap();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 100);
    encoder.set_icc_profile(profile.to_vec()).unwrap();
    image.write_with_encoder(encoder).unwrap();
    let mut encoder = WebPEncoder::new_lossless(&mut webp);
    encoder.set_icc_profile(profile.to_vec()).unwrap();
    image.write_with_encoder(encoder).unwrap();
    [png.into(), jpeg.into(), webp.into()]
}

#[test]
fn colours_of_a_wide_profile_are_told_in_srgb() {
    // By the primaries of Display P3: this is the sRGB colour (242, 65, 30), rounded.
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    for picture in with_profile(Rgb([224, 80, 50]), &p3) {
        assert_near(decoded(picture).get_pixel(30, 30), [242, 65, 30], 4);
    }
}

#[test]
fn gray_and_deep_pictures_follow_their_profile() {
    let linear = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
    let gray = image::GrayImage::from_pixel(8, 8, image::Luma([55]));
    let mut png = Vec::new();
    let mut encoder = PngEncoder::new(&mut png);
    encoder.set_icc_profile(linear).unwrap();
    gray.write_with_encoder(encoder).unwrap();
    // 55 of 255 in linear light is 128 on the curve of sRGB.
    assert_near(decoded(png).get_pixel(4, 4), [128; 3], 1);

    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let deep = image::ImageBuffer::from_pixel(8, 8, Rgba([224_u16 * 257, 80 * 257, 50 * 257, 40_000]));
    let mut png = Vec::new();
    let mut encoder = PngEncoder::new(&mut png);
    encoder.set_icc_profile(p3).unwrap();
    deep.write_with_encoder(encoder).unwrap();
    let picture = decoded(png);
    assert_near(picture.get_pixel(4, 4), [242, 65, 30], 4);
    assert_eq!(picture.as_rgba16().unwrap().get_pixel(4, 4).0[3], 40_000);
}

#[test]
fn a_profile_that_means_srgb_or_nothing_changes_no_pixel() {
    let srgb = ColorProfile::new_srgb().encode().unwrap();
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let gray = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
    let mut many_tags = p3.clone();
    many_tags[128..132].copy_from_slice(&u32::MAX.to_be_bytes());
    for profile in [srgb.as_slice(), &p3[..200], &gray, &many_tags, b"no profile"] {
        let [png, _, webp] = with_profile(Rgb([224, 80, 50]), profile);
        for picture in [png, webp] {
            assert_near(decoded(picture).get_pixel(30, 30), [224, 80, 50], 0);
        }
    }
}

#[test]
fn a_file_that_was_cut_off_anywhere_is_refused_by_name() {
    let names = ["rgb.png", "rgb.jpg", "progressive.jpg", "cmyk.jpg", "animated.png", "still.gif", "animated.gif"];
    for name in names.into_iter().chain(["lossless.webp", "lossy.webp", "alpha.webp", "animated.webp", "srgb.png"]) {
        let whole = file(name);
        for length in 0..whole.len() {
            let report = with_avatar(whole.slice(..length)).expect_err(&format!("{length} bytes of {name}"));
            let issue = &report.issues[0];
            assert_eq!((issue.rule, issue.code), (Rule::P05, Code::RolePackageAvatarInvalid));
            assert_eq!(issue.path.as_deref(), Some("avatar.png"));
        }
    }
}

#[test]
fn bytes_after_a_picture_do_no_harm() {
    for name in ["rgb.png", "rgb.jpg", "still.gif", "lossless.webp"] {
        assert_eq!(decoded([file(name), Bytes::from_static(b"\0\0trailer")].concat()).dimensions(), (24, 16));
    }
}

#[test]
fn a_screenshot_that_is_no_picture_is_named_with_its_file() {
    let package = PackageBuilder::role("tutor")
        .file("assets/1.png", "GIF89a")
        .file("assets/2.png", file("rgb.png"))
        .manifest_extra("\n[preview]\nscreenshots = [\"assets/2.png\", \"assets/1.png\"]\n");
    let report = validate(package.build(), &Limits::default(), None).unwrap_err();
    assert_eq!(report.errors().map(|issue| issue.path.as_deref()).collect::<Vec<_>>(), [Some("assets/1.png")]);
    assert_eq!(report.code(), Some(Code::RolePreviewInvalid));
}

#[test]
fn the_size_of_a_picture_is_judged_before_it_is_decoded() {
    let wide = RgbImage::new(4001, 4000);
    let mut png = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(wide).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let report = with_avatar(png.into_inner()).unwrap_err();
    assert!(report.issues[0].message.contains("4001×4000"), "{}", report.issues[0].message);
}
