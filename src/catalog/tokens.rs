//! Publishers and their tokens. Only a token's SHA-256 is stored, so looking it up compares digests of a secret that
//! the database never held.

use std::time::Duration;

use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow as _, Row as _, Sqlite, Transaction};

use super::row::json;
use super::{Catalog, CatalogError, Publisher, Scope, TokenGrant, TokenRecord};
use crate::domain::{PublisherName, RolePattern, Timestamp, TokenHash, TokenSecret};

/// What to make a token from.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// The publisher's name; the publisher is made when new.
    pub publisher: PublisherName,
    /// What the token allows.
    pub scopes: Vec<Scope>,
    /// On which roles.
    pub roles: Vec<RolePattern>,
    /// How long.
    pub lifetime: Duration,
}

/// Why a token does not authenticate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRefusal {
    /// Nobody has it.
    Unknown,
    /// Its time is over.
    Expired,
    /// It was revoked.
    Revoked,
}

impl Catalog {
    /// The publisher of this name, made when new.
    pub async fn publisher(&self, name: &PublisherName, now: Timestamp) -> Result<Publisher, CatalogError> {
        let mut tx = self.begin().await?;
        let publisher = ensure_publisher(&mut tx, name, now).await?;
        tx.commit().await?;
        Ok(publisher)
    }

    /// Makes a token, and its publisher when new. The secret is returned once and cannot be read again.
    pub async fn create_token(
        &self,
        new: &NewToken,
        now: Timestamp,
    ) -> Result<(TokenSecret, TokenGrant), CatalogError> {
        let secret = TokenSecret::generate();
        let expires_at = now.plus(new.lifetime);
        let mut tx = self.begin().await?;
        let publisher = ensure_publisher(&mut tx, &new.publisher, now).await?;
        let scopes: Vec<&str> = new.scopes.iter().map(|scope| (*scope).into()).collect();
        let token_id: i64 = sqlx::query_scalar(
            "INSERT INTO tokens (publisher_id, sha256, scopes, role_patterns, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING token_id",
        )
        .bind(publisher.id)
        .bind(secret.hash().digest().as_bytes().as_slice())
        .bind(json(&scopes)?)
        .bind(json(&new.roles)?)
        .bind(now.unix_seconds())
        .bind(expires_at.unix_seconds())
        .fetch_one(&mut *tx)
        .await?;
        tx.commit().await?;
        let grant = TokenGrant {
            token_id,
            publisher,
            scopes: new.scopes.clone(),
            roles: new.roles.clone(),
            expires_at,
            last_used_at: None,
        };
        Ok((secret, grant))
    }

    /// What the owner of this token may do now.
    pub async fn authenticate(
        &self,
        token: TokenHash,
        now: Timestamp,
    ) -> Result<Result<TokenGrant, TokenRefusal>, CatalogError> {
        let row = sqlx::query(
            "SELECT token_id, publisher_id, name, scopes, role_patterns, t.created_at, expires_at, revoked_at, last_used_at
             FROM tokens t JOIN publishers USING (publisher_id) WHERE sha256 = ?1",
        )
        .bind(token.digest().as_bytes().as_slice())
        .fetch_optional(self.readers())
        .await?;
        let Some(row) = row else { return Ok(Err(TokenRefusal::Unknown)) };
        let record = TokenRecord::from_row(&row)?;
        if record.revoked_at.is_some() {
            return Ok(Err(TokenRefusal::Revoked));
        }
        if record.grant.expires_at <= now {
            return Ok(Err(TokenRefusal::Expired));
        }
        Ok(Ok(record.grant))
    }

    /// Notes that a token was used; of many uses at once the first is kept.
    pub async fn touch_token(&self, token_id: i64, now: Timestamp) -> Result<(), CatalogError> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE tokens SET last_used_at = ?2 WHERE token_id = ?1 AND coalesce(last_used_at, 0) <= ?2 - ?3")
            .bind(token_id)
            .bind(now.unix_seconds())
            .bind(i64::try_from(TokenGrant::USE_EXACT_TO.as_secs()).unwrap_or_default())
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    /// Every token, newest first.
    pub async fn list_tokens(&self) -> Result<Vec<TokenRecord>, CatalogError> {
        let rows = sqlx::query(
            "SELECT token_id, publisher_id, name, scopes, role_patterns, t.created_at, expires_at, revoked_at, last_used_at
             FROM tokens t JOIN publishers USING (publisher_id) ORDER BY token_id DESC",
        )
        .fetch_all(self.readers())
        .await?;
        Ok(rows.iter().map(TokenRecord::from_row).collect::<Result<_, _>>()?)
    }

    /// Revokes a token; false when there is none of this number. Revoking twice keeps the first time.
    pub async fn revoke_token(&self, token_id: i64, now: Timestamp) -> Result<bool, CatalogError> {
        let mut tx = self.begin().await?;
        let done = sqlx::query("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?2) WHERE token_id = ?1")
            .bind(token_id)
            .bind(now.unix_seconds())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}

async fn ensure_publisher(
    tx: &mut Transaction<'_, Sqlite>,
    name: &PublisherName,
    now: Timestamp,
) -> Result<Publisher, CatalogError> {
    sqlx::query("INSERT INTO publishers (name, created_at) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING")
        .bind(name.as_str())
        .bind(now.unix_seconds())
        .execute(&mut **tx)
        .await?;
    let id = sqlx::query_scalar("SELECT publisher_id FROM publishers WHERE name = ?1")
        .bind(name.as_str())
        .fetch_one(&mut **tx)
        .await?;
    Ok(Publisher { id, name: name.to_string() })
}

impl<'r> sqlx::FromRow<'r, SqliteRow> for TokenRecord {
    fn from_row(row: &'r SqliteRow) -> Result<Self, sqlx::Error> {
        let decode = |error: serde_json::Error| sqlx::Error::Decode(Box::new(error));
        let scopes: Vec<String> = serde_json::from_str(row.try_get("scopes")?).map_err(decode)?;
        let time = |column| row.try_get::<Option<i64>, _>(column).map(|t| t.map(Timestamp::from_unix_seconds));
        let grant = TokenGrant {
            token_id: row.try_get("token_id")?,
            publisher: Publisher { id: row.try_get("publisher_id")?, name: row.try_get("name")? },
            // A scope that this program does not know grants nothing.
            scopes: scopes.iter().filter_map(|scope| scope.parse().ok()).collect(),
            roles: serde_json::from_str(row.try_get("role_patterns")?).map_err(decode)?,
            expires_at: Timestamp::from_unix_seconds(row.try_get("expires_at")?),
            last_used_at: time("last_used_at")?,
        };
        Ok(Self {
            grant,
            created_at: Timestamp::from_unix_seconds(row.try_get("created_at")?),
            revoked_at: time("revoked_at")?,
        })
    }
}
