//! Pictures of a package: recognised by their bytes, decoded within limits.

use std::io::Cursor;

use bytes::Bytes;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};

use super::{colour, picture_end, png_chunks, webp_chunks};
use crate::domain::{Limits, PackagePath};

/// A picture of a validated package in its original encoding; only validation makes one.
///
/// ```compile_fail,E0451
/// use role_catalog::package::SourcePicture;
/// fn forge(honest: SourcePicture) -> SourcePicture {
///     SourcePicture { bytes: bytes::Bytes::new(), ..honest }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct SourcePicture {
    pub(super) path: PackagePath,
    pub(super) bytes: Bytes,
}

/// Why bytes are not a usable picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PictureFault(pub(super) String);

impl SourcePicture {
    /// Where it lies in the package.
    #[must_use]
    pub fn path(&self) -> &PackagePath {
        &self.path
    }

    /// The encoded bytes.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Decodes it upright (orientation applied) and in sRGB (its ICC profile applied), within
    /// [`Limits::picture_pixels`]; of an animation the first frame.
    ///
    /// # Errors
    /// [`PictureFault`] when it is no PNG, JPEG, GIF or WebP, is larger than the limit, or is damaged.
    pub fn decode(&self, limits: &Limits) -> Result<DynamicImage, PictureFault> {
        let mut header = Header::read(&self.bytes, limits)?;
        let profile = header.decoder.icc_profile().map_err(unreadable)?;
        let mut picture = header.decode()?;
        if let Some(profile) = profile {
            colour::to_srgb(&mut picture, &profile);
        }
        Ok(picture)
    }
}

/// A picture whose header is read and within the limit.
pub(super) struct Header<'p> {
    pub(super) format: ImageFormat,
    /// Width and height as stored, in pixels.
    dimensions: (u32, u32),
    orientation: Orientation,
    decoder: Box<dyn ImageDecoder + 'p>,
}

impl<'p> Header<'p> {
    pub(super) fn read(bytes: &'p [u8], limits: &Limits) -> Result<Self, PictureFault> {
        let format = recognize(bytes).ok_or_else(|| PictureFault("it is no PNG, JPEG, GIF or WebP".to_owned()))?;
        if let Some(reason) = distrust(format, bytes) {
            return Err(PictureFault(reason.to_owned()));
        }
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        reader.limits(decoder_limits(format, limits));
        let mut decoder = reader.into_decoder().map_err(unreadable)?;
        let dimensions = decoder.dimensions();
        let pixels = u64::from(dimensions.0) * u64::from(dimensions.1);
        if pixels == 0 {
            return Err(PictureFault("it has no pixels".to_owned()));
        }
        if pixels > limits.picture_pixels {
            let (width, height) = dimensions;
            let max = limits.picture_pixels;
            return Err(PictureFault(format!("it has {width}×{height} pixels; at most {max} are allowed")));
        }
        let orientation = decoder.orientation().map_err(unreadable)?;
        Ok(Self { format, dimensions, orientation, decoder: Box::new(decoder) })
    }

    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.dimensions.0) * u64::from(self.dimensions.1)
    }

    /// Width and height as shown, in pixels.
    pub(super) fn upright_dimensions(&self) -> (u32, u32) {
        let (width, height) = self.dimensions;
        match self.orientation {
            Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH => (height, width),
            _ => (width, height),
        }
    }

    pub(super) fn decode(self) -> Result<DynamicImage, PictureFault> {
        let mut picture = DynamicImage::from_decoder(self.decoder).map_err(unreadable)?;
        picture.apply_orientation(self.orientation);
        Ok(picture)
    }
}

/// What the bytes are, whatever the file is called.
fn recognize(bytes: &[u8]) -> Option<ImageFormat> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(ImageFormat::Png)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(ImageFormat::Gif)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(ImageFormat::WebP)
    } else {
        None
    }
}

/// Why the decoder should not even see the file.
fn distrust(format: ImageFormat, bytes: &[u8]) -> Option<&'static str> {
    if picture_end::is_cut_off(format, bytes) {
        return Some("it is cut off");
    }
    match format {
        ImageFormat::Png => png_chunks::distrust(bytes),
        ImageFormat::WebP if webp_chunks::is_too_large(bytes) => Some("it has too many bytes for lossless WebP"),
        _ => None,
    }
}

/// What a decoder may allocate besides the picture itself, which the pixel limit bounds.
fn decoder_limits(format: ImageFormat, limits: &Limits) -> image::Limits {
    // The deepest pixel format has four channels of 16 bits.
    const MOST_BYTES_PER_PIXEL: u64 = 8;
    let max_alloc = match format {
        // Here the limit is for what lies beside the pixels.
        ImageFormat::Png => png_chunks::MAX_UNPACKED_BESIDE,
        _ => limits.picture_pixels.saturating_mul(MOST_BYTES_PER_PIXEL),
    };
    let mut decoder_limits = image::Limits::no_limits();
    decoder_limits.max_alloc = Some(max_alloc);
    decoder_limits
}

fn unreadable(fault: image::ImageError) -> PictureFault {
    PictureFault(match fault {
        image::ImageError::Limits(_) => "it needs more memory than a picture may".to_owned(),
        fault => format!("it cannot be decoded: {fault}"),
    })
}
