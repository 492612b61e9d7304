//! Between rows and records: the one place that knows how a version is written down.

use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{AssetRecord, CatalogError, RoleRecord, VersionRecord};
use crate::domain::{
    AssetName, DependencyMode, DisplayText, Entry, Kind, LocaleTag, LocalizedText, Sha256Digest, Timestamp,
};

/// The columns that [`role_record`] reads, for `FROM versions v JOIN roles r … JOIN publishers p …`.
///
/// A macro because SQL texts are `&'static str`, and `concat!` takes literals alone.
macro_rules! role_columns {
    () => {
        "v.role_id, v.version, v.kind, v.entry, v.title, v.summary, v.i18n, v.min_app_version, v.dependency_mode, \
         v.remembers_progress, v.sha256, v.size_bytes, v.unpacked_bytes, v.assets, v.status, v.status_reason, \
         v.published_at, r.updated_at, r.downloads, p.name AS publisher"
    };
}
pub(super) use role_columns;

/// A website picture as the `assets` column keeps it.
#[derive(Serialize, Deserialize)]
pub(super) struct AssetColumn {
    name: String,
    width: u32,
    height: u32,
    sha256: Sha256Digest,
    size_bytes: u64,
}

impl From<&AssetRecord> for AssetColumn {
    fn from(asset: &AssetRecord) -> Self {
        let AssetRecord { name, width, height, sha256, size_bytes } = *asset;
        Self { name: name.to_string(), width, height, sha256, size_bytes }
    }
}

impl TryFrom<AssetColumn> for AssetRecord {
    type Error = CatalogError;
    fn try_from(column: AssetColumn) -> Result<Self, CatalogError> {
        let AssetColumn { name, width, height, sha256, size_bytes } = column;
        let name: AssetName = parse("assets", &name)?;
        Ok(Self { name, width, height, sha256, size_bytes })
    }
}

/// Reads a row of [`role_columns`].
pub(super) fn role_record(row: &SqliteRow) -> Result<RoleRecord, CatalogError> {
    let kind = match row.try_get("kind")? {
        "application" => Kind::Application(from_json::<Entry>("entry", row.try_get("entry")?)?),
        _ => Kind::Role,
    };
    let i18n: Vec<(LocaleTag, LocalizedText)> = from_json("i18n", row.try_get("i18n")?)?;
    let assets: Vec<AssetColumn> = from_json("assets", row.try_get("assets")?)?;
    Ok(RoleRecord {
        role_id: parse("role_id", row.try_get("role_id")?)?,
        version: parse("version", row.try_get("version")?)?,
        kind,
        text: LocalizedText { title: text("title", row)?, summary: text("summary", row)? },
        i18n,
        min_app_version: parse("min_app_version", row.try_get("min_app_version")?)?,
        dependency_mode: match row.try_get("dependency_mode")? {
            "locked" => DependencyMode::Locked,
            _ => DependencyMode::None,
        },
        remembers_progress: row.try_get("remembers_progress")?,
        sha256: digest(row)?,
        size_bytes: size("size_bytes", row)?,
        unpacked_bytes: size("unpacked_bytes", row)?,
        assets: assets.into_iter().map(AssetRecord::try_from).collect::<Result<_, _>>()?,
        publisher: row.try_get("publisher")?,
        downloads: size("downloads", row)?,
        status: parse("status", row.try_get("status")?)?,
        status_reason: row.try_get("status_reason")?,
        published_at: time("published_at", row)?,
        updated_at: time("updated_at", row)?,
    })
}

/// Reads a row of a role's version list.
pub(super) fn version_record(row: &SqliteRow) -> Result<VersionRecord, CatalogError> {
    Ok(VersionRecord {
        version: parse("version", row.try_get("version")?)?,
        sha256: digest(row)?,
        size_bytes: size("size_bytes", row)?,
        published_at: time("published_at", row)?,
        status: parse("status", row.try_get("status")?)?,
        status_reason: row.try_get("status_reason")?,
        min_app_version: parse("min_app_version", row.try_get("min_app_version")?)?,
    })
}

pub(super) fn digest(row: &SqliteRow) -> Result<Sha256Digest, CatalogError> {
    let bytes: &[u8] = row.try_get("sha256")?;
    let bytes = bytes.try_into().map_err(|_| CatalogError::corrupt("sha256", "not 32 bytes"))?;
    Ok(Sha256Digest::from_bytes(bytes))
}

pub(super) fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(
    column: &'static str,
    text: &str,
) -> Result<T, CatalogError> {
    text.parse().map_err(|error: T::Err| CatalogError::corrupt(column, error))
}

pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, CatalogError> {
    serde_json::to_string(value).map_err(|error| CatalogError::corrupt("json", error))
}

pub(super) fn from_json<T: for<'de> Deserialize<'de>>(column: &'static str, text: &str) -> Result<T, CatalogError> {
    serde_json::from_str(text).map_err(|error| CatalogError::corrupt(column, error))
}

fn text(column: &'static str, row: &SqliteRow) -> Result<DisplayText, CatalogError> {
    DisplayText::parse(row.try_get(column)?, DisplayText::MAX_SUMMARY).map_err(|e| CatalogError::corrupt(column, e))
}

fn size(column: &'static str, row: &SqliteRow) -> Result<u64, CatalogError> {
    u64::try_from(row.try_get::<i64, _>(column)?).map_err(|error| CatalogError::corrupt(column, error))
}

fn time(column: &'static str, row: &SqliteRow) -> Result<Timestamp, CatalogError> {
    Ok(Timestamp::from_unix_seconds(row.try_get(column)?))
}
