//! Colour profiles: what a picture's numbers mean, told in sRGB as the web expects it (ICC.1:2022).

use image::DynamicImage;
use moxcms::{CmsError, ColorProfile, DataColorSpace, Layout, ParsingOptions, TransformExecutor, TransformOptions};

/// The largest profile that is looked at, in bytes; those of displays and cameras have a few kilobytes.
const MAX_PROFILE: usize = 1024 * 1024;
/// The most tags that a profile may have; real ones have about twenty.
const MAX_TAGS: u32 = 64;
/// Up to this difference of an 8-bit value, two profiles mean the same colour.
const SAME_COLOUR: u8 = 2;

/// Converts a picture in place from its ICC profile to sRGB.
///
/// A profile that cannot be read, that belongs to another kind of picture (as that of a CMYK picture, whose decoder
/// makes it RGB) or that describes colours by tables alone is ignored, as browsers ignore what they cannot use. One that
/// only says sRGB in other words leaves every pixel as it is.
pub(super) fn to_srgb(picture: &mut DynamicImage, profile: &[u8]) {
    let channels = usize::from(picture.color().channel_count());
    let Some(Conversion { source, target, layout }) = Conversion::read(profile, channels) else { return };
    let options = TransformOptions::default;
    let Ok(eight_bit) = source.create_transform_8bit(layout, &target, layout, options()) else { return };
    if changes_nothing(&*eight_bit, channels) {
        return;
    }
    let width = usize::try_from(picture.width()).unwrap_or(usize::MAX);
    let row = width.saturating_mul(channels);
    // A transform refuses nothing but lengths that do not fit.
    let _ = match picture {
        DynamicImage::ImageLuma8(image) => convert(image, row, &*eight_bit),
        DynamicImage::ImageLumaA8(image) => convert(image, row, &*eight_bit),
        DynamicImage::ImageRgb8(image) => convert(image, row, &*eight_bit),
        DynamicImage::ImageRgba8(image) => convert(image, row, &*eight_bit),
        deep => source.create_transform_16bit(layout, &target, layout, options()).and_then(|sixteen_bit| match deep {
            DynamicImage::ImageLuma16(image) => convert(image, row, &*sixteen_bit),
            DynamicImage::ImageLumaA16(image) => convert(image, row, &*sixteen_bit),
            DynamicImage::ImageRgb16(image) => convert(image, row, &*sixteen_bit),
            DynamicImage::ImageRgba16(image) => convert(image, row, &*sixteen_bit),
            _ => Ok(()),
        }),
    };
}

/// From which colours to which.
struct Conversion {
    source: ColorProfile,
    target: ColorProfile,
    layout: Layout,
}

impl Conversion {
    fn read(profile: &[u8], channels: usize) -> Option<Self> {
        const TAG_COUNT_AT: usize = 128;
        let tags = u32::from_be_bytes(*profile.get(TAG_COUNT_AT..)?.first_chunk()?);
        if tags > MAX_TAGS {
            return None;
        }
        let options = ParsingOptions { max_profile_size: MAX_PROFILE, ..ParsingOptions::default() };
        let mut source = ColorProfile::new_from_slice_with_options(profile, options).ok()?;
        // What a display shows is told by its curves and primaries; tables would only refine it.
        source.lut_a_to_b_perceptual = None;
        source.lut_a_to_b_colorimetric = None;
        source.lut_a_to_b_saturation = None;
        let srgb = ColorProfile::new_srgb();
        let (layout, target) = match (source.color_space, channels) {
            (DataColorSpace::Rgb, 3 | 4) if source.is_matrix_shaper() => {
                (if channels == 3 { Layout::Rgb } else { Layout::Rgba }, srgb)
            }
            (DataColorSpace::Gray, 1 | 2) if source.gray_trc.is_some() => {
                // Grey by the curve of sRGB.
                let mut target = ColorProfile::new_gray_with_gamma(2.2);
                target.gray_trc = srgb.red_trc;
                (if channels == 1 { Layout::Gray } else { Layout::GrayAlpha }, target)
            }
            _ => return None,
        };
        Some(Self { source, target, layout })
    }
}

/// Whether ramps of grey and of the primaries come out as they go in.
fn changes_nothing(transform: &dyn TransformExecutor<u8>, channels: usize) -> bool {
    let colours = [[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let ramp = (0..=u8::MAX).step_by(15);
    let before: Vec<u8> = ramp
        .flat_map(|level| colours.map(|colour: [u8; 3]| colour.map(|part| part * level)))
        .flat_map(|[red, green, blue]| [red, green, blue, u8::MAX].into_iter().take(channels).collect::<Vec<_>>())
        .collect();
    let mut after = vec![0; before.len()];
    transform.transform(&before, &mut after).is_ok()
        && before.iter().zip(&after).all(|(before, after)| before.abs_diff(*after) <= SAME_COLOUR)
}

/// Converts row by row, so that no second picture is needed.
fn convert<V: Copy + Default>(
    pixels: &mut [V],
    row: usize,
    transform: &dyn TransformExecutor<V>,
) -> Result<(), CmsError> {
    let mut before = vec![V::default(); row];
    for after in pixels.chunks_exact_mut(row.max(1)) {
        before.copy_from_slice(after);
        transform.transform(&before, after)?;
    }
    Ok(())
}
