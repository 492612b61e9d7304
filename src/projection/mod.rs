//! Website pictures (layer 2): the pictures of a validated package, scaled down and written as WebP.
//!
//! ```text
//! SourcePicture ─ decode ─▶ pixels ─ fit, scale ─▶ full size ─ encode ─▶ avatar.webp
//!                                                     └─ scale ─ encode ─▶ avatar-256.webp …
//! ```
//!
//! Scaling comes first: libwebp needs seconds and a gigabyte for a picture of many megapixels. Variants are made from
//! the full size, so that the decoded source, by far the largest thing here, is gone before encoding begins.
//! Metadata stays behind with the source (contract v0.4 § Publishing).

mod encode;
mod scale;

use std::collections::BTreeMap;

use bytes::Bytes;
use image::DynamicImage;

use crate::domain::{AssetName, AvatarSize, Limits, PackagePath, Sha256Digest};
use crate::package::{PictureFault, SourcePicture, ValidatedPackage};

use encode::encode;
use scale::{fit, scale};

/// Every website picture of one package, full sizes and variants, in the order of [`AssetName`].
#[derive(Debug, Clone)]
pub struct Projection {
    package: Sha256Digest,
    pictures: Vec<Picture>,
}

/// One website picture as WebP; nothing but [`project`] makes one.
#[derive(Debug, Clone)]
pub struct Picture {
    name: AssetName,
    bytes: Bytes,
    sha256: Sha256Digest,
    width: u32,
    height: u32,
}

/// Why a package's pictures cannot be projected.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    /// The picture does not decode, although validation decoded it.
    #[error("{path}: {fault}")]
    Undecodable {
        /// The picture's place in the package.
        path: PackagePath,
        /// What the decoder found.
        fault: PictureFault,
    },
    /// The scaler or libwebp gave up, as they do when memory is short.
    #[error("{name} could not be made: {reason}")]
    Encoding {
        /// The picture that was to be made.
        name: AssetName,
        /// What the library said.
        reason: String,
    },
}

/// Makes the website pictures of a package. Synchronous and heavy: call it on a blocking thread.
pub fn project(package: &ValidatedPackage, limits: &Limits) -> Result<Projection, ProjectionError> {
    let mut pictures = Vec::new();
    for (source, names) in sources(package) {
        let decoded = source
            .decode(limits)
            .map_err(|fault| ProjectionError::Undecodable { path: source.path().clone(), fault })?;
        let fulls = names.into_iter().map(|name| Ok((name, full_size(&decoded, name)?))).collect::<Result<Vec<_>, _>>();
        drop(decoded);
        for (name, full) in fulls? {
            pictures.extend(render(name, &full)?);
        }
    }
    pictures.sort_by_key(Picture::name);
    Ok(Projection { package: package.sha256(), pictures })
}

/// Each picture file of the package with what it is shown as; a file that is both cover and screenshot comes once.
fn sources(package: &ValidatedPackage) -> impl Iterator<Item = (&SourcePicture, Vec<AssetName>)> {
    let pictures = package.pictures();
    let avatar = pictures.avatar.iter().map(|source| (AssetName::Avatar(AvatarSize::Full), source));
    let cover = pictures.cover.iter().map(|source| (AssetName::Cover { small: false }, source));
    let screenshots = (0..).zip(&pictures.screenshots).map(|(index, source)| {
        let name = AssetName::Screenshot { index, small: false };
        (name, source)
    });
    let mut by_path = BTreeMap::new();
    for (name, source) in avatar.chain(cover).chain(screenshots) {
        by_path.entry(source.path()).or_insert_with(|| (source, Vec::new())).1.push(name);
    }
    by_path.into_values()
}

/// The decoded picture scaled down to what `name`, a name in full size, allows.
fn full_size(decoded: &DynamicImage, name: AssetName) -> Result<DynamicImage, ProjectionError> {
    resized(decoded, name, fit((decoded.width(), decoded.height()), name.bounding_box()))
}

/// The picture in full size and those of its variants that are smaller.
fn render(name: AssetName, full: &DynamicImage) -> Result<Vec<Picture>, ProjectionError> {
    let full_size = (full.width(), full.height());
    let mut pictures = vec![Picture::encode(name, full)?];
    for variant in AssetName::all().filter(|variant| variant.full() == name && *variant != name) {
        let size = fit(full_size, variant.bounding_box());
        if size != full_size {
            pictures.push(Picture::encode(variant, &resized(full, variant, size)?)?);
        }
    }
    Ok(pictures)
}

fn resized(image: &DynamicImage, name: AssetName, size: (u32, u32)) -> Result<DynamicImage, ProjectionError> {
    scale(image, size).map_err(|error| ProjectionError::Encoding { name, reason: error.to_string() })
}

impl Projection {
    /// The digest of the package that the pictures are of.
    #[must_use]
    pub fn package(&self) -> Sha256Digest {
        self.package
    }

    /// The pictures.
    #[must_use]
    pub fn pictures(&self) -> &[Picture] {
        &self.pictures
    }
}

impl Picture {
    fn encode(name: AssetName, image: &DynamicImage) -> Result<Self, ProjectionError> {
        let bytes = encode(image).map_err(|error| ProjectionError::Encoding { name, reason: error.to_string() })?;
        let sha256 = Sha256Digest::of(&bytes);
        Ok(Self { name, bytes: bytes.into(), sha256, width: image.width(), height: image.height() })
    }

    /// Its name in URLs and keys.
    #[must_use]
    pub fn name(&self) -> AssetName {
        self.name
    }

    /// The WebP file.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The digest of [`Picture::bytes`].
    #[must_use]
    pub fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// In pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// In pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }
}

#[cfg(test)]
mod tests;
