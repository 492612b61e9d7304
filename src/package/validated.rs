//! The proof that a package satisfies every rule, and what was learnt on the way.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{Report, SourcePicture};
use crate::domain::{AppVersion, Manifest, PackagePath, Sha256Digest};

/// A package that passed [`super::validate`]; nothing else makes one.
///
/// Its fields are private, so a struct literal is refused by the compiler …
/// ```compile_fail,E0451
/// use role_catalog::package::ValidatedPackage;
/// fn forge(honest: ValidatedPackage) -> ValidatedPackage {
///     ValidatedPackage { zip: bytes::Bytes::new(), ..honest }
/// }
/// ```
/// … it has no default …
/// ```compile_fail,E0277
/// fn needs_default<T: Default>() {}
/// needs_default::<role_catalog::package::ValidatedPackage>();
/// ```
/// … it cannot be read from anywhere …
/// ```compile_fail,E0277
/// fn needs_deserialize<T: serde::de::DeserializeOwned>() {}
/// needs_deserialize::<role_catalog::package::ValidatedPackage>();
/// ```
/// … and what it holds cannot be changed.
/// ```compile_fail,E0616
/// fn change(package: &mut role_catalog::package::ValidatedPackage) {
///     package.zip = bytes::Bytes::new();
/// }
/// ```
#[derive(Debug, Clone)]
pub struct ValidatedPackage {
    pub(super) zip: Bytes,
    pub(super) sha256: Sha256Digest,
    pub(super) unpacked_bytes: u64,
    pub(super) manifest: Manifest,
    pub(super) manifest_json: serde_json::Value,
    pub(super) min_app_version: AppVersion,
    pub(super) role_md: RoleMd,
    pub(super) files: Vec<PackageFile>,
    pub(super) pictures: Pictures,
    pub(super) report: Report,
}

/// One regular file of the package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackageFile {
    /// Where it is, relative to the package root.
    pub path: PackagePath,
    /// Its unpacked size.
    pub size_bytes: u64,
    /// Its digest.
    pub sha256: Sha256Digest,
    /// Whether the owner may execute it.
    pub executable: bool,
}

/// The parsed `role.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleMd {
    /// The front matter's title; the role id when it has none.
    pub title: String,
    /// The front matter's description, perhaps empty.
    pub description: String,
    /// Everything after the front matter, as Markdown.
    pub narrative: String,
}

/// The pictures that the website shows, each decoded once during validation.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    /// `avatar.png`.
    pub avatar: Option<SourcePicture>,
    /// `preview.cover_image`.
    pub cover: Option<SourcePicture>,
    /// `preview.screenshots`, in the manifest's order.
    pub screenshots: Vec<SourcePicture>,
}

impl ValidatedPackage {
    /// The zip, byte for byte as it came.
    #[must_use]
    pub fn zip(&self) -> &Bytes {
        &self.zip
    }

    /// The zip's digest: what immutability is decided by (rule B01).
    #[must_use]
    pub fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// All files together, unpacked.
    #[must_use]
    pub fn unpacked_bytes(&self) -> u64 {
        self.unpacked_bytes
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The whole manifest file as JSON, unknown keys included.
    #[must_use]
    pub fn manifest_json(&self) -> &serde_json::Value {
        &self.manifest_json
    }

    /// The effective minimum app version: the manifest's, else the one given with the upload.
    #[must_use]
    pub fn min_app_version(&self) -> AppVersion {
        self.min_app_version
    }

    /// The role's text.
    #[must_use]
    pub fn role_md(&self) -> &RoleMd {
        &self.role_md
    }

    /// Every regular file, by path.
    #[must_use]
    pub fn files(&self) -> &[PackageFile] {
        &self.files
    }

    /// The pictures to project.
    #[must_use]
    pub fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    /// The report: warnings only.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}
