//! Scaling: down to fit a box, never up, aspect kept.

use fast_image_resize::{ResizeError, Resizer};
use image::{DynamicImage, Rgba};

/// The size (width, height) in pixels of a picture scaled down to fit the box. No side becomes less than one pixel.
pub(super) fn fit((width, height): (u32, u32), (max_width, max_height): (u32, u32)) -> (u32, u32) {
    if width <= max_width && height <= max_height {
        return (width, height);
    }
    // width / max_width against height / max_height, without fractions.
    let wide = u64::from(width) * u64::from(max_height) >= u64::from(height) * u64::from(max_width);
    if wide { (max_width, scaled(height, max_width, width)) } else { (scaled(width, max_height, height), max_height) }
}

/// `side · numerator / denominator`, rounded, for a numerator that is the smaller of the two.
fn scaled(side: u32, numerator: u32, denominator: u32) -> u32 {
    let (numerator, denominator) = (u64::from(numerator), u64::from(denominator).max(1));
    let rounded = (u64::from(side) * numerator + denominator / 2) / denominator;
    u32::try_from(rounded).unwrap_or(side).max(1)
}

/// The picture in exactly this size, as 8-bit RGB, or RGBA when some of it shows through.
///
/// The filter is Lanczos3, and colours count as much as they are opaque, so that the hidden colour of transparent
/// pixels does not bleed into edges. Depth is reduced after scaling, when there are fewer pixels to convert.
pub(super) fn scale(image: &DynamicImage, (width, height): (u32, u32)) -> Result<DynamicImage, ResizeError> {
    let image = if (image.width(), image.height()) == (width, height) {
        image.clone()
    } else {
        let mut smaller = DynamicImage::new(width, height, image.color());
        Resizer::new().resize(image, &mut smaller, None)?;
        smaller
    };
    if !image.color().has_alpha() {
        return Ok(DynamicImage::ImageRgb8(image.into_rgb8()));
    }
    let image = image.into_rgba8();
    let opaque = image.pixels().all(|Rgba([_, _, _, alpha])| *alpha == u8::MAX);
    let image = DynamicImage::ImageRgba8(image);
    Ok(if opaque { DynamicImage::ImageRgb8(image.into_rgb8()) } else { image })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Luma, LumaA, Rgb, RgbImage, RgbaImage};
    use proptest::prelude::*;

    #[test]
    fn pictures_are_scaled_down_to_the_box_and_never_up() {
        for (size, fitted) in [
            ((1280, 720), (1280, 720)),
            ((2560, 1440), (1280, 720)),
            ((1920, 1200), (1152, 720)),
            ((4000, 1000), (1280, 320)),
            ((1, 1), (1, 1)),
            ((300, 200), (300, 200)),
            ((16384, 16), (1280, 1)),
            ((1, 16_000_000), (1, 720)),
            ((1281, 1), (1280, 1)),
        ] {
            assert_eq!(fit(size, (1280, 720)), fitted, "{size:?}");
        }
    }

    proptest! {
        #[test]
        fn a_fitted_picture_is_in_the_box_and_touches_it_or_is_the_source(
            size in (1..20_000_u32, 1..20_000_u32), within in (64..2000_u32, 64..2000_u32),
        ) {
            let (width, height) = fit(size, within);
            prop_assert!((1..=within.0).contains(&width) && (1..=within.1).contains(&height));
            prop_assert!((width, height) == size || width == within.0 || height == within.1);
            // The aspect is kept to within half a pixel of the shorter side.
            let exact = (f64::from(size.0) * f64::from(height) / f64::from(size.1), f64::from(size.1) * f64::from(width) / f64::from(size.0));
            prop_assert!((exact.0 - f64::from(width)).abs() <= 0.51 || (exact.1 - f64::from(height)).abs() <= 0.51 || width == 1 || height == 1);
        }
    }

    #[test]
    fn gray_and_deep_pictures_become_eight_bit_colour() {
        let gray = image::ImageBuffer::from_pixel(40, 40, Luma([0x8000_u16]));
        let small = scale(&DynamicImage::ImageLuma16(gray), (20, 20)).unwrap();
        assert_eq!(small.as_rgb8().unwrap().get_pixel(10, 10), &Rgb([128, 128, 128]));
        let glass = image::ImageBuffer::from_pixel(40, 40, LumaA([0xFFFF_u16, 0x4000]));
        let small = scale(&DynamicImage::ImageLumaA16(glass), (20, 20)).unwrap();
        assert_eq!(small.as_rgba8().unwrap().get_pixel(10, 10), &Rgba([255, 255, 255, 64]));
    }

    #[test]
    fn the_hidden_colour_of_transparent_pixels_stays_hidden() {
        // A white disc on transparent black: a naive filter draws a gray rim around it.
        let disc = RgbaImage::from_fn(400, 400, |x, y| {
            let inside = (i64::from(x) - 200).pow(2) + (i64::from(y) - 200).pow(2) < 150_i64.pow(2);
            if inside { Rgba([255, 255, 255, 255]) } else { Rgba([0, 0, 0, 0]) }
        });
        let small = scale(&DynamicImage::ImageRgba8(disc), (64, 64)).unwrap().into_rgba8();
        let rim: Vec<_> = small.pixels().filter(|p| (16..240).contains(&p.0[3])).collect();
        assert!(rim.len() > 50, "{}", rim.len());
        assert!(rim.iter().all(|p| p.0[0] >= 250), "{rim:?}");
    }

    #[test]
    fn an_alpha_channel_that_hides_nothing_is_dropped() {
        let solid = DynamicImage::ImageRgba8(RgbaImage::from_pixel(8, 8, Rgba([1, 2, 3, 255])));
        assert_eq!(scale(&solid, (8, 8)).unwrap(), DynamicImage::ImageRgb8(RgbImage::from_pixel(8, 8, Rgb([1, 2, 3]))));
    }
}
