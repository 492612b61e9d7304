//! WebP: lossy or lossless, whichever is smaller.

use std::collections::HashSet;

use image::DynamicImage;
use webp::{Encoder, PixelLayout, WebPConfig};

/// The quality of lossy pictures, of 100: where text keeps its edges and a photo of 1280×720 stays near 100 KB.
const QUALITY: f32 = 82.0;

/// The effort of lossy encoding, of 6. One more saves 2 % of the bytes for 15 % more time, and 6 takes a second for a
/// picture with transparency.
const METHOD: i32 = 4;

/// With more colours than this a picture is a photo or a gradient, which lossless makes 4 to 15 times larger. Of the
/// pictures measured, lossless was smaller for some with up to 500 colours and for none with more than 1,200.
const LOSSLESS_COLOURS: usize = 4096;

/// Why libwebp made nothing of a picture.
#[derive(Debug, thiserror::Error)]
pub(super) enum EncodeError {
    #[error("not an 8-bit RGB or RGBA picture")]
    Layout,
    #[error("libwebp has another version than its bindings")]
    Version,
    #[error("libwebp reports {0:?}")]
    Libwebp(webp::WebPEncodingError),
}

/// The picture, 8-bit RGB or RGBA, as a WebP file without metadata. The same pixels give the same bytes.
pub(super) fn encode(image: &DynamicImage) -> Result<Vec<u8>, EncodeError> {
    let (layout, pixels) = match image {
        DynamicImage::ImageRgb8(image) => (PixelLayout::Rgb, image.as_raw()),
        DynamicImage::ImageRgba8(image) => (PixelLayout::Rgba, image.as_raw()),
        _ => return Err(EncodeError::Layout),
    };
    let source = Encoder::new(pixels, layout, image.width(), image.height());
    let to_webp =
        |config: WebPConfig| source.encode_advanced(&config).map(|file| file.to_vec()).map_err(EncodeError::Libwebp);
    let default = WebPConfig::new().map_err(|()| EncodeError::Version)?;
    let lossy = to_webp(WebPConfig { quality: QUALITY, method: METHOD, ..default })?;
    if has_more_colours(pixels, layout.bytes_per_pixel().into(), LOSSLESS_COLOURS) {
        return Ok(lossy);
    }
    let lossless = to_webp(WebPConfig { lossless: 1, ..default })?;
    Ok(if lossless.len() <= lossy.len() { lossless } else { lossy })
}

/// Whether the picture has more than `limit` colours. A photo is recognised by its first rows.
fn has_more_colours(pixels: &[u8], bytes_per_pixel: usize, limit: usize) -> bool {
    let mut seen = HashSet::new();
    let mut last = None;
    pixels.chunks_exact(bytes_per_pixel).any(|pixel| {
        // Drawings are made of runs, and comparing is cheaper than hashing.
        last != Some(pixel) && {
            last = Some(pixel);
            seen.insert(pixel) && seen.len() > limit
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    #[test]
    fn colours_are_counted_up_to_the_limit() {
        let picture = RgbImage::from_fn(100, 10, |x, _| Rgb([u8::try_from(x).unwrap(), 0, 0]));
        assert!(has_more_colours(&picture, 3, 99));
        assert!(!has_more_colours(&picture, 3, 100));
    }

    #[test]
    fn a_picture_of_another_depth_is_refused() {
        assert!(matches!(encode(&DynamicImage::new_luma16(2, 2)), Err(EncodeError::Layout)));
    }
}
