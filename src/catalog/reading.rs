//! Reading one role.

use sqlx::Row as _;

use super::row::{digest, from_json, parse, role_columns, role_record, version_record};
use super::{Catalog, CatalogError, Document, RoleDocuments, RoleRecord, VersionRecord};
use crate::domain::{AppVersion, RoleId, RoleVersion, Sha256Digest};

impl Catalog {
    /// A role at its latest version; when none is active, at the highest there is.
    pub async fn role(&self, role_id: &RoleId) -> Result<Option<RoleRecord>, CatalogError> {
        let row = sqlx::query(concat!(
            "SELECT ",
            role_columns!(),
            "
             FROM roles r
             JOIN versions v USING (role_id)
             JOIN publishers p USING (publisher_id)
             WHERE r.role_id = ?1
             ORDER BY v.version_id = r.latest_version_id DESC, v.precedence DESC LIMIT 1"
        ))
        .bind(role_id.as_str())
        .fetch_optional(self.readers())
        .await?;
        row.as_ref().map(role_record).transpose()
    }

    /// A role at exactly this version.
    pub async fn role_at(&self, role_id: &RoleId, version: &RoleVersion) -> Result<Option<RoleRecord>, CatalogError> {
        let row = sqlx::query(concat!(
            "SELECT ",
            role_columns!(),
            "
             FROM versions v
             JOIN roles r USING (role_id)
             JOIN publishers p USING (publisher_id)
             WHERE v.role_id = ?1 AND v.version = ?2"
        ))
        .bind(role_id.as_str())
        .bind(version.to_string())
        .fetch_optional(self.readers())
        .await?;
        row.as_ref().map(role_record).transpose()
    }

    /// A role's versions, newest first by SemVer precedence; empty when there is no such role.
    pub async fn versions(&self, role_id: &RoleId) -> Result<Vec<VersionRecord>, CatalogError> {
        let rows = sqlx::query(
            "SELECT version, sha256, size_bytes, published_at, status, status_reason, min_app_version
             FROM versions WHERE role_id = ?1 ORDER BY precedence DESC",
        )
        .bind(role_id.as_str())
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(version_record).collect()
    }

    /// A document of this version, as JSON text.
    pub async fn document(
        &self,
        role_id: &RoleId,
        version: &RoleVersion,
        document: Document,
    ) -> Result<Option<String>, CatalogError> {
        let sql = match document {
            Document::Files => {
                "SELECT files FROM versions JOIN version_documents USING (version_id) WHERE role_id = ?1 AND version = ?2"
            }
            Document::Manifest => {
                "SELECT manifest FROM versions JOIN version_documents USING (version_id) WHERE role_id = ?1 AND version = ?2"
            }
            Document::Report => {
                "SELECT report FROM versions JOIN version_documents USING (version_id) WHERE role_id = ?1 AND version = ?2"
            }
        };
        let query = sqlx::query_scalar(sql).bind(role_id.as_str()).bind(version.to_string());
        Ok(query.fetch_optional(self.readers()).await?)
    }

    /// The role's text and files at this version.
    pub async fn documents(
        &self,
        role_id: &RoleId,
        version: &RoleVersion,
    ) -> Result<Option<RoleDocuments>, CatalogError> {
        let row = sqlx::query(
            "SELECT role_md, files
             FROM versions JOIN version_documents USING (version_id) WHERE role_id = ?1 AND version = ?2",
        )
        .bind(role_id.as_str())
        .bind(version.to_string())
        .fetch_optional(self.readers())
        .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(RoleDocuments { role_md: row.try_get("role_md")?, files: from_json("files", row.try_get("files")?)? }))
    }

    /// The digest and minimum app version under which a version was published.
    pub async fn fingerprint(
        &self,
        role_id: &RoleId,
        version: &RoleVersion,
    ) -> Result<Option<(Sha256Digest, AppVersion)>, CatalogError> {
        let row = sqlx::query("SELECT sha256, min_app_version FROM versions WHERE role_id = ?1 AND version = ?2")
            .bind(role_id.as_str())
            .bind(version.to_string())
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| Ok((digest(&row)?, parse("min_app_version", row.try_get("min_app_version")?)?))).transpose()
    }

    /// Who owns a role: the publisher of its first version.
    pub async fn owner(&self, role_id: &RoleId) -> Result<Option<i64>, CatalogError> {
        let owner = sqlx::query_scalar("SELECT publisher_id FROM roles WHERE role_id = ?1")
            .bind(role_id.as_str())
            .fetch_optional(self.readers())
            .await?;
        Ok(owner)
    }
}
