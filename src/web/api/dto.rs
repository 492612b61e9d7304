//! The JSON that clients see. Every key is always there; what does not exist is null.

use serde::Serialize;

use crate::catalog::{AssetRecord, RoleRecord, VersionRecord};
use crate::domain::{AddressBar, AssetName, Kind, LocaleTag, RoleId, RoleVersion, Sha256Digest, Timestamp};
use crate::i18n::{canonical_text, pick_text};

/// The root of a version's addresses, relative to the site root.
pub(super) fn version_url(role_id: &RoleId, version: &RoleVersion) -> String {
    format!("/api/v1/roles/{role_id}/versions/{}", version.to_url_segment())
}

/// One role at one version, as listings show it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoleItem {
    role_id: RoleId,
    version: RoleVersion,
    kind: &'static str,
    title: String,
    summary: String,
    locale: Option<LocaleTag>,
    locales: Vec<LocaleTag>,
    license: &'static str,
    min_app_version: String,
    dependency_mode: &'static str,
    remembers_progress: bool,
    entry: Option<EntryItem>,
    package: PackageItem,
    assets: AssetsItem,
    publisher: String,
    downloads: u64,
    status: &'static str,
    status_reason: Option<String>,
    published_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryItem {
    kind: &'static str,
    target: String,
    address_bar: AddressBar,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PackageItem {
    url: String,
    sha256: Sha256Digest,
    size_bytes: u64,
    unpacked_bytes: u64,
}

#[derive(Debug, Serialize)]
struct AssetsItem {
    avatar: Option<AssetItem>,
    cover: Option<AssetItem>,
    screenshots: Vec<AssetItem>,
}

#[derive(Debug, Serialize)]
struct AssetItem {
    url: String,
    width: u32,
    height: u32,
    sha256: Sha256Digest,
    variants: Vec<VariantItem>,
}

#[derive(Debug, Serialize)]
struct VariantItem {
    url: String,
    width: u32,
    height: u32,
}

impl RoleItem {
    /// The item, its text in the locale that fits best.
    #[must_use]
    pub(super) fn new(role: &RoleRecord, wanted: Option<&LocaleTag>) -> Self {
        let shown = match wanted {
            Some(wanted) => pick_text(wanted, &role.text, &role.i18n),
            None => canonical_text(&role.text, &role.i18n),
        };
        let entry = match &role.kind {
            Kind::Role => None,
            Kind::Application(entry) => Some(EntryItem {
                kind: "static_browser",
                target: entry.target.to_string(),
                address_bar: entry.address_bar,
            }),
        };
        let root = version_url(&role.role_id, &role.version);
        Self {
            role_id: role.role_id.clone(),
            version: role.version.clone(),
            kind: role.kind.as_str(),
            title: shown.text.title.to_string(),
            summary: shown.text.summary.to_string(),
            locale: shown.locale.cloned(),
            locales: role.i18n.iter().map(|(tag, _)| tag.clone()).collect(),
            license: "free",
            min_app_version: role.min_app_version.to_string(),
            dependency_mode: role.dependency_mode.as_str(),
            remembers_progress: role.remembers_progress,
            entry,
            package: PackageItem {
                url: format!("{root}/download"),
                sha256: role.sha256,
                size_bytes: role.size_bytes,
                unpacked_bytes: role.unpacked_bytes,
            },
            assets: AssetsItem::new(&root, &role.assets),
            publisher: role.publisher.clone(),
            downloads: role.downloads,
            status: role.status.into(),
            status_reason: role.status_reason.clone(),
            published_at: role.published_at,
            updated_at: role.updated_at,
        }
    }
}

impl AssetsItem {
    fn new(root: &str, assets: &[AssetRecord]) -> Self {
        let items = |of: fn(AssetName) -> bool| {
            let full = assets.iter().filter(move |asset| of(asset.name) && asset.name == asset.name.full());
            full.map(|asset| AssetItem::new(root, asset, assets))
        };
        Self {
            avatar: items(|name| matches!(name, AssetName::Avatar(_))).next(),
            cover: items(|name| matches!(name, AssetName::Cover { .. })).next(),
            screenshots: items(|name| matches!(name, AssetName::Screenshot { .. })).collect(),
        }
    }
}

impl AssetItem {
    fn new(root: &str, full: &AssetRecord, assets: &[AssetRecord]) -> Self {
        let url = |asset: &AssetRecord| format!("{root}/assets/{}", asset.name);
        let variants = assets.iter().filter(|asset| asset.name.full() == full.name && asset.name != full.name);
        let mut variants: Vec<_> =
            variants.map(|asset| VariantItem { url: url(asset), width: asset.width, height: asset.height }).collect();
        variants.sort_by_key(|variant| variant.width);
        Self { url: url(full), width: full.width, height: full.height, sha256: full.sha256, variants }
    }
}

/// One line of a version list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionItem {
    version: RoleVersion,
    sha256: Sha256Digest,
    size_bytes: u64,
    published_at: Timestamp,
    status: &'static str,
    status_reason: Option<String>,
    min_app_version: String,
}

impl From<&VersionRecord> for VersionItem {
    fn from(record: &VersionRecord) -> Self {
        Self {
            version: record.version.clone(),
            sha256: record.sha256,
            size_bytes: record.size_bytes,
            published_at: record.published_at,
            status: record.status.into(),
            status_reason: record.status_reason.clone(),
            min_app_version: record.min_app_version.to_string(),
        }
    }
}
