//! Pictures of a package: recognised by their bytes, decoded within limits.

use bytes::Bytes;
use image::DynamicImage;

use crate::domain::{Limits, PackagePath};

/// A picture of a validated package in its original encoding.
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

    /// Decodes it upright (orientation applied), within the limits.
    pub fn decode(&self, limits: &Limits) -> Result<DynamicImage, PictureFault> {
        let _ = limits;
        Err(PictureFault("not yet decodable".to_owned()))
    }
}
