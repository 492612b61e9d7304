//! Comparing a package with what the catalog has under its version (rule B01).

use serde::Deserialize;

use super::{Client, ClientError, Outcome, RemoteRole};
use crate::package::{PackageFile, ValidatedPackage};

/// What publishing a package would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// The version is new.
    Create,
    /// The catalog has exactly this.
    Unchanged,
    /// The catalog has something else.
    Conflict(Conflict),
}

impl Comparison {
    /// The outcome alone.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self {
            Self::Create => Outcome::Create,
            Self::Unchanged => Outcome::Unchanged,
            Self::Conflict(_) => Outcome::Conflict,
        }
    }
}

/// How a package differs from what is published under its version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// Other bytes.
    #[error("other bytes are published under this version (sha256 {published}, these have {ours})")]
    Bytes {
        /// The published zip's digest.
        published: String,
        /// The digest of the zip at hand.
        ours: String,
    },
    /// The same bytes with other metadata.
    #[error("this version is published with min_app_version {published}, not {ours}")]
    MinAppVersion {
        /// The published one.
        published: String,
        /// The one at hand.
        ours: String,
    },
    /// A number once taken stays taken.
    #[error("this version was withdrawn, and its number stays taken")]
    Withdrawn,
}

#[derive(Deserialize)]
struct FileList {
    files: Vec<PackageFile>,
}

impl Client {
    /// Compares a package with the catalog. A zip that differs only in how it was packed (same files, contents and
    /// modes) is [`Comparison::Unchanged`], so another compressor does not ask for another version.
    ///
    /// # Errors
    /// [`ClientError`] when the catalog cannot be asked.
    pub async fn compare(&self, package: &ValidatedPackage) -> Result<Comparison, ClientError> {
        let (id, version) = (&package.manifest().id, &package.manifest().version);
        let published: RemoteRole = match self.read(id, version, None).await {
            Ok(Some(published)) => published,
            Ok(None) => return Ok(Comparison::Create),
            Err(ClientError::Refused(problem)) if problem.code == "ROLE_VERSION_WITHDRAWN" => {
                return Ok(Comparison::Conflict(Conflict::Withdrawn));
            }
            Err(error) => return Err(error),
        };
        let ours = package.sha256().to_string();
        let is_same = published.package.sha256 == ours || self.has_same_files(package).await?;
        if !is_same {
            return Ok(Comparison::Conflict(Conflict::Bytes { published: published.package.sha256, ours }));
        }
        let ours = package.min_app_version().to_string();
        if published.min_app_version != ours {
            let published = published.min_app_version;
            return Ok(Comparison::Conflict(Conflict::MinAppVersion { published, ours }));
        }
        Ok(Comparison::Unchanged)
    }

    async fn has_same_files(&self, package: &ValidatedPackage) -> Result<bool, ClientError> {
        let (id, version) = (&package.manifest().id, &package.manifest().version);
        let Some(mut list) = self.read::<FileList>(id, version, Some("files")).await? else { return Ok(false) };
        list.files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut ours = package.files().to_vec();
        ours.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(list.files == ours)
    }
}
