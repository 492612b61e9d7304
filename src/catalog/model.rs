//! What the catalog answers: plain records, independent of SQL and of JSON.

use std::time::Duration;

use crate::domain::{
    AppVersion, AssetName, DependencyMode, Kind, LocaleTag, LocalizedText, RoleId, RolePattern, RoleVersion,
    Sha256Digest, Timestamp,
};
use crate::package::{PackageFile, ValidatedPackage};
use crate::projection::Picture;

/// One role at one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleRecord {
    /// The role.
    pub role_id: RoleId,
    /// The version that the rest speaks of.
    pub version: RoleVersion,
    /// Talks, or opens a page.
    pub kind: Kind,
    /// Canonical title and summary.
    pub text: LocalizedText,
    /// The `[i18n]` tables.
    pub i18n: Vec<(LocaleTag, LocalizedText)>,
    /// The oldest app that can run it.
    pub min_app_version: AppVersion,
    /// Whether it needs a Python environment.
    pub dependency_mode: DependencyMode,
    /// Whether it keeps progress.
    pub remembers_progress: bool,
    /// The zip's digest.
    pub sha256: Sha256Digest,
    /// The zip's size.
    pub size_bytes: u64,
    /// Unpacked size.
    pub unpacked_bytes: u64,
    /// The website pictures, full sizes and variants.
    pub assets: Vec<AssetRecord>,
    /// Who publishes the role.
    pub publisher: String,
    /// Complete downloads of all versions of the role.
    pub downloads: u64,
    /// Whether it may be installed.
    pub status: VersionStatus,
    /// Why it is not active.
    pub status_reason: Option<String>,
    /// When this version was published.
    pub published_at: Timestamp,
    /// When the role last changed.
    pub updated_at: Timestamp,
}

/// One website picture of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetRecord {
    /// Its name.
    pub name: AssetName,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Of the WebP bytes.
    pub sha256: Sha256Digest,
    /// Of the WebP bytes.
    pub size_bytes: u64,
}

/// One line of a role's version list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRecord {
    /// The version.
    pub version: RoleVersion,
    /// The zip's digest.
    pub sha256: Sha256Digest,
    /// The zip's size.
    pub size_bytes: u64,
    /// When it was published.
    pub published_at: Timestamp,
    /// Whether it may be installed.
    pub status: VersionStatus,
    /// Why it is not active.
    pub status_reason: Option<String>,
    /// The oldest app that can run it.
    pub min_app_version: AppVersion,
}

/// Whether a version may be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum VersionStatus {
    /// Yes.
    Active,
    /// Still downloads, is never the latest.
    Yanked,
    /// Gone: 410.
    Withdrawn,
}

impl From<&Picture> for AssetRecord {
    fn from(picture: &Picture) -> Self {
        Self {
            name: picture.name(),
            width: picture.width(),
            height: picture.height(),
            sha256: picture.sha256(),
            size_bytes: picture.bytes().len() as u64,
        }
    }
}

impl RoleRecord {
    /// The record that a package would have, were it published now.
    #[must_use]
    pub fn of(package: &ValidatedPackage, assets: &[AssetRecord], publisher: &Publisher, now: Timestamp) -> Self {
        let manifest = package.manifest();
        Self {
            role_id: manifest.id.clone(),
            version: manifest.version.clone(),
            kind: manifest.kind.clone(),
            text: manifest.text.clone(),
            i18n: manifest.i18n.clone(),
            min_app_version: package.min_app_version(),
            dependency_mode: manifest.dependency_mode,
            remembers_progress: manifest.remembers_progress,
            sha256: package.sha256(),
            size_bytes: package.zip().len() as u64,
            unpacked_bytes: package.unpacked_bytes(),
            assets: assets.to_vec(),
            publisher: publisher.name.clone(),
            downloads: 0,
            status: VersionStatus::Active,
            status_reason: None,
            published_at: now,
            updated_at: now,
        }
    }

    /// The picture of this name, when the version has it.
    #[must_use]
    pub fn asset(&self, name: AssetName) -> Option<&AssetRecord> {
        self.assets.iter().find(|asset| asset.name == name)
    }
}

/// What a role's page shows of a version beside its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleDocuments {
    /// The narrative of `role.md`, as Markdown.
    pub role_md: String,
    /// Every file of the package.
    pub files: Vec<PackageFile>,
}

/// A document that was frozen as JSON text when a version was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The list of files, a JSON array.
    Files,
    /// The manifest.
    Manifest,
    /// The validation report.
    Report,
}

/// Somebody who owns roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// The row.
    pub id: i64,
    /// The public name.
    pub name: String,
}

/// What a token's owner may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenGrant {
    /// The token's number, as the operator sees it.
    pub token_id: i64,
    /// Whose token it is.
    pub publisher: Publisher,
    /// Which actions.
    pub scopes: Vec<Scope>,
    /// On which roles.
    pub roles: Vec<RolePattern>,
    /// Until when.
    pub expires_at: Timestamp,
    /// When it last authenticated a request, to ten minutes.
    pub last_used_at: Option<Timestamp>,
}

impl TokenGrant {
    /// How exactly the time of a token's use is kept, so that using it seldom writes.
    pub(super) const USE_EXACT_TO: Duration = Duration::from_mins(10);

    /// Whether a use now is worth a write.
    #[must_use]
    pub fn is_use_worth_noting(&self, now: Timestamp) -> bool {
        self.last_used_at.is_none_or(|last| last.plus(Self::USE_EXACT_TO) <= now)
    }

    /// Whether the grant covers this action on this role.
    #[must_use]
    pub fn allows(&self, scope: Scope, role_id: &RoleId) -> bool {
        self.scopes.contains(&scope) && self.roles.iter().any(|pattern| pattern.matches(role_id))
    }
}

/// An action that a token can allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Scope {
    /// Publish versions.
    Publish,
    /// Yank and unyank versions.
    Yank,
}

/// A token as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// What it allows, and to whom.
    pub grant: TokenGrant,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}
