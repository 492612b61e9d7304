//! Writing the index.

use sqlx::{Row as _, Sqlite, SqliteConnection, Transaction};

use super::typos::forms;
use super::words::{Piece, RULES, indexed, pieces};
use crate::catalog::CatalogError;
use crate::catalog::row::{from_json, json};
use crate::domain::{LocaleTag, LocalizedText};

/// How much of `role.md` is searched, in characters: several times the longest of use, and quickly indexed.
const MAX_BODY_CHARS: usize = 200_000;

/// Makes the index hold a role by its version `to` instead of `from`.
pub(in crate::catalog) async fn move_to(
    tx: &mut Transaction<'_, Sqlite>,
    from: Option<i64>,
    to: Option<i64>,
) -> Result<(), CatalogError> {
    if from == to {
        return Ok(());
    }
    if let Some(version_id) = from {
        sqlx::query("DELETE FROM search WHERE rowid = ?1").bind(version_id).execute(&mut **tx).await?;
    }
    match to {
        Some(version_id) => add(tx, version_id).await,
        None => Ok(()),
    }
}

/// Indexes every role anew when the words were split by other rules, or never.
pub(in crate::catalog) async fn rebuild_if_outdated(tx: &mut Transaction<'_, Sqlite>) -> Result<(), CatalogError> {
    let rules: i64 = sqlx::query_scalar("SELECT rules FROM search_rules").fetch_one(&mut **tx).await?;
    if rules == RULES {
        return Ok(());
    }
    sqlx::query("INSERT INTO search (search) VALUES ('delete-all')").execute(&mut **tx).await?;
    sqlx::query("DELETE FROM title_words").execute(&mut **tx).await?;
    let latest: Vec<i64> =
        sqlx::query_scalar("SELECT latest_version_id FROM roles WHERE latest_version_id IS NOT NULL")
            .fetch_all(&mut **tx)
            .await?;
    for version_id in &latest {
        add(tx, *version_id).await?;
    }
    sqlx::query("UPDATE search_rules SET rules = ?1").bind(RULES).execute(&mut **tx).await?;
    if !latest.is_empty() {
        tracing::info!(roles = latest.len(), "the search index was made anew");
    }
    Ok(())
}

async fn add(connection: &mut SqliteConnection, version_id: i64) -> Result<(), CatalogError> {
    let row = sqlx::query(
        "SELECT role_id, title, summary, i18n, role_md
         FROM versions JOIN version_documents USING (version_id) WHERE version_id = ?1",
    )
    .bind(version_id)
    .fetch_one(&mut *connection)
    .await?;
    let i18n: Vec<(LocaleTag, LocalizedText)> = from_json("i18n", row.try_get("i18n")?)?;
    let mut titles: String = row.try_get("title")?;
    let mut summaries: String = row.try_get("summary")?;
    for (_, text) in &i18n {
        for (all, text) in [(&mut titles, &text.title), (&mut summaries, &text.summary)] {
            // No piece of a text reaches over the end of a line.
            all.push('\n');
            all.push_str(text.as_str());
        }
    }
    sqlx::query("INSERT INTO search (rowid, id, title, summary, body) VALUES (?1, ?2, ?3, ?4, ?5)")
        .bind(version_id)
        .bind(indexed(row.try_get("role_id")?, usize::MAX))
        .bind(indexed(&titles, usize::MAX))
        .bind(indexed(&summaries, usize::MAX))
        .bind(indexed(row.try_get("role_md")?, MAX_BODY_CHARS))
        .execute(&mut *connection)
        .await?;
    let mut title_words = Vec::new();
    for piece in pieces(&titles, usize::MAX) {
        if let Piece::Word(word) = piece {
            title_words.extend(forms(&word).into_iter().map(|form| (form, word.clone())));
        }
    }
    sqlx::query("INSERT OR IGNORE INTO title_words (form, word) SELECT value ->> 0, value ->> 1 FROM json_each(?1)")
        .bind(json(&title_words)?)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
