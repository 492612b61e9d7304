//! The one transaction that lists a version.
//!
//! It begins `IMMEDIATE`, so what it reads stays true until it commits: of two uploads of one version, whichever comes
//! second sees the first.

use sqlx::{Row as _, Sqlite, SqliteConnection, Transaction};

use super::row::{AssetColumn, digest, json, parse};
use super::{AssetRecord, Catalog, CatalogError, Publisher, search};
use crate::domain::{AppVersion, Kind, RoleId, RoleVersion, Sha256Digest, Timestamp};
use crate::package::ValidatedPackage;
use crate::storage::StoredPackage;

/// What publishing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// The version is new.
    Created,
    /// The version was there with the same bytes and metadata.
    Unchanged,
}

/// Why a version cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishConflict {
    /// The role belongs to another publisher (rule B03).
    OtherOwner,
    /// The version was published with other bytes (rule B01).
    OtherBytes {
        /// The digest that stands.
        published: Sha256Digest,
    },
    /// The version was published with another explicit minimum app version (rule B01).
    OtherMinAppVersion {
        /// The version that stands.
        published: AppVersion,
    },
    /// A version that differs only in build metadata exists (rule B05).
    SamePrecedence {
        /// That version.
        published: RoleVersion,
    },
}

impl Catalog {
    /// Lists a stored package as a version of its role, which it makes when new.
    ///
    /// `report` is the validation report to freeze, as JSON text. The outer error is the database's; the inner one is
    /// the publisher's to mend.
    pub async fn publish(
        &self,
        stored: &StoredPackage,
        publisher: &Publisher,
        report: &str,
        now: Timestamp,
    ) -> Result<Result<Published, PublishConflict>, CatalogError> {
        let package = stored.package();
        let mut tx = self.begin().await?;
        match standing(&mut tx, package, publisher).await? {
            Standing::New { role_exists } => {
                let revision = bump_revision(&mut tx, package, publisher, now).await?;
                if !role_exists {
                    insert_role(&mut tx, &package.manifest().id, publisher, now, revision).await?;
                }
                insert_version(&mut tx, stored, report, now, revision).await?;
                point_to_latest(&mut tx, &package.manifest().id, now, revision).await?;
                tx.commit().await?;
                self.saw_revision(revision.unsigned_abs());
                Ok(Ok(Published::Created))
            }
            Standing::Same => Ok(Ok(Published::Unchanged)),
            Standing::Conflict(conflict) => Ok(Err(conflict)),
        }
    }

    /// What would keep this package from being listed now; for saying so before pictures are projected and stored.
    pub async fn conflict(
        &self,
        package: &ValidatedPackage,
        publisher: &Publisher,
    ) -> Result<Option<PublishConflict>, CatalogError> {
        let mut connection = self.readers().acquire().await?;
        Ok(match standing(&mut connection, package, publisher).await? {
            Standing::New { .. } | Standing::Same => None,
            Standing::Conflict(conflict) => Some(conflict),
        })
    }
}

/// How a package stands to what is published already.
enum Standing {
    New { role_exists: bool },
    Same,
    Conflict(PublishConflict),
}

async fn standing(
    connection: &mut SqliteConnection,
    package: &ValidatedPackage,
    publisher: &Publisher,
) -> Result<Standing, CatalogError> {
    let manifest = package.manifest();
    let owner: Option<i64> = sqlx::query_scalar("SELECT publisher_id FROM roles WHERE role_id = ?1")
        .bind(manifest.id.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    if owner.is_some_and(|owner| owner != publisher.id) {
        return Ok(Standing::Conflict(PublishConflict::OtherOwner));
    }
    let same_precedence =
        sqlx::query("SELECT version, sha256, min_app_version FROM versions WHERE role_id = ?1 AND precedence = ?2")
            .bind(manifest.id.as_str())
            .bind(manifest.version.precedence_key())
            .fetch_optional(&mut *connection)
            .await?;
    let Some(row) = same_precedence else {
        return Ok(Standing::New { role_exists: owner.is_some() });
    };
    let version: RoleVersion = parse("version", row.try_get("version")?)?;
    let sha256 = digest(&row)?;
    let min_app_version: AppVersion = parse("min_app_version", row.try_get("min_app_version")?)?;
    Ok(if version != manifest.version {
        Standing::Conflict(PublishConflict::SamePrecedence { published: version })
    } else if sha256 != package.sha256() {
        Standing::Conflict(PublishConflict::OtherBytes { published: sha256 })
    } else if min_app_version != package.min_app_version() {
        Standing::Conflict(PublishConflict::OtherMinAppVersion { published: min_app_version })
    } else {
        Standing::Same
    })
}

async fn bump_revision(
    tx: &mut Transaction<'_, Sqlite>,
    package: &ValidatedPackage,
    publisher: &Publisher,
    now: Timestamp,
) -> Result<i64, CatalogError> {
    let revision: i64 = sqlx::query_scalar("UPDATE catalog SET revision = revision + 1 RETURNING revision")
        .fetch_one(&mut **tx)
        .await?;
    sqlx::query(
        "INSERT INTO changes (revision, type, role_id, version, at, actor) VALUES (?1, 'published', ?2, ?3, ?4, ?5)",
    )
    .bind(revision)
    .bind(package.manifest().id.as_str())
    .bind(package.manifest().version.to_string())
    .bind(now.unix_seconds())
    .bind(&publisher.name)
    .execute(&mut **tx)
    .await?;
    Ok(revision)
}

async fn insert_role(
    tx: &mut Transaction<'_, Sqlite>,
    role_id: &RoleId,
    publisher: &Publisher,
    now: Timestamp,
    revision: i64,
) -> Result<(), CatalogError> {
    sqlx::query(
        "INSERT INTO roles (role_id, publisher_id, created_at, created_revision, updated_at, updated_revision)
         VALUES (?1, ?2, ?3, ?4, ?3, ?4)",
    )
    .bind(role_id.as_str())
    .bind(publisher.id)
    .bind(now.unix_seconds())
    .bind(revision)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn insert_version(
    tx: &mut Transaction<'_, Sqlite>,
    stored: &StoredPackage,
    report: &str,
    now: Timestamp,
    revision: i64,
) -> Result<(), CatalogError> {
    let package = stored.package();
    let manifest = package.manifest();
    let entry = match &manifest.kind {
        Kind::Role => None,
        Kind::Application(entry) => Some(json(entry)?),
    };
    let assets: Vec<_> =
        stored.pictures().iter().map(AssetRecord::from).map(|asset| AssetColumn::from(&asset)).collect();
    let version_id: i64 = sqlx::query_scalar(
        "INSERT INTO versions (role_id, version, precedence, is_prerelease, kind, entry, title, summary, i18n,
             min_app_version, min_app_version_key, dependency_mode, remembers_progress, sha256, size_bytes,
             unpacked_bytes, assets, published_at, published_revision)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
         RETURNING version_id",
    )
    .bind(manifest.id.as_str())
    .bind(manifest.version.to_string())
    .bind(manifest.version.precedence_key())
    .bind(manifest.version.is_prerelease())
    .bind(manifest.kind.as_str())
    .bind(entry)
    .bind(manifest.text.title.as_str())
    .bind(manifest.text.summary.as_str())
    .bind(json(&manifest.i18n)?)
    .bind(package.min_app_version().to_string())
    .bind(package.min_app_version().sort_key())
    .bind(manifest.dependency_mode.as_str())
    .bind(manifest.remembers_progress)
    .bind(package.sha256().as_bytes().as_slice())
    .bind(as_i64(package.zip().len() as u64))
    .bind(as_i64(package.unpacked_bytes()))
    .bind(json(&assets)?)
    .bind(now.unix_seconds())
    .bind(revision)
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query(
        "INSERT INTO version_documents (version_id, role_md, files, manifest, report) VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .bind(version_id)
    .bind(&package.role_md().narrative)
    .bind(json(package.files())?)
    .bind(json(package.manifest_json())?)
    .bind(report)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Makes the role's row repeat its latest version, and the search index hold it: the highest active one by SemVer
/// precedence, prereleases only when there is nothing else.
async fn point_to_latest(
    tx: &mut Transaction<'_, Sqlite>,
    role_id: &RoleId,
    now: Timestamp,
    revision: i64,
) -> Result<(), CatalogError> {
    let before: Option<i64> = sqlx::query_scalar("SELECT latest_version_id FROM roles WHERE role_id = ?1")
        .bind(role_id.as_str())
        .fetch_one(&mut **tx)
        .await?;
    let latest: Option<(i64, String, String)> = sqlx::query_as(
        "SELECT version_id, kind, title FROM versions WHERE role_id = ?1 AND status = 'active'
         ORDER BY is_prerelease, precedence DESC LIMIT 1",
    )
    .bind(role_id.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    let (version_id, kind, title) = match latest {
        Some((version_id, kind, title)) => (Some(version_id), Some(kind), Some(title)),
        None => (None, None, None),
    };
    sqlx::query(
        "UPDATE roles SET latest_version_id = ?2, kind = ?3, name_key = ?4, updated_at = ?5, updated_revision = ?6
         WHERE role_id = ?1",
    )
    .bind(role_id.as_str())
    .bind(version_id)
    .bind(kind)
    .bind(title.map(|title| caseless::default_case_fold_str(&title)))
    .bind(now.unix_seconds())
    .bind(revision)
    .execute(&mut **tx)
    .await?;
    search::move_to(tx, before, version_id).await
}

/// Sizes are bounded far below 2^63 by the package limits.
fn as_i64(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
