//! `token`: the operator's, on the data directory, also while a server runs.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::{DataDirFlag, TokenCreateArgs, TokenListArgs, TokenRevokeArgs};
use super::block_on;
use super::error::{CliError, Exit};
use super::output::{self, Output};
use crate::catalog::{Catalog, CatalogError, NewToken, TokenGrant, TokenRecord};
use crate::config::{Config, Environment};
use crate::domain::{Clock, Timestamp};

/// A token without its secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenItem {
    id: i64,
    publisher: String,
    scopes: Vec<String>,
    roles: Vec<String>,
    expires_at: Timestamp,
    created_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
}

impl TokenItem {
    fn of(grant: &TokenGrant) -> Self {
        Self {
            id: grant.token_id,
            publisher: grant.publisher.name.clone(),
            scopes: grant.scopes.iter().map(ToString::to_string).collect(),
            roles: grant.roles.iter().map(ToString::to_string).collect(),
            expires_at: grant.expires_at,
            created_at: None,
            revoked_at: None,
            last_used_at: None,
        }
    }
}

impl From<&TokenRecord> for TokenItem {
    fn from(record: &TokenRecord) -> Self {
        Self {
            created_at: Some(record.created_at),
            revoked_at: record.revoked_at,
            last_used_at: record.grant.last_used_at,
            ..Self::of(&record.grant)
        }
    }
}

/// Makes a token. Stdout holds the token alone; what it is good for stands on stderr.
pub(super) fn create(args: &TokenCreateArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    #[derive(Serialize)]
    struct Created<'a> {
        token: &'a str,
        #[serde(flatten)]
        item: TokenItem,
    }
    let new = NewToken {
        publisher: args.publisher.clone(),
        scopes: args.scopes.clone(),
        roles: args.roles.clone(),
        lifetime: args.expires.0,
    };
    let data_dir = Config::data_dir(args.data_dir.data_dir.clone(), environment)?;
    // The first token may be made before the server's first start.
    std::fs::create_dir_all(&data_dir).map_err(|error| unusable(&data_dir, &error))?;
    let (secret, grant) =
        on_catalog(&data_dir, async |catalog: &Catalog| catalog.create_token(&new, Clock::system().now()).await)?;
    let item = TokenItem::of(&grant);
    if output.is_json() {
        output::json(&Created { token: secret.reveal(), item })?;
    } else {
        output::note(&format!(
            "token {} of {} may {} {} until {}; it is shown this once:",
            item.id,
            item.publisher,
            item.scopes.join(" and "),
            item.roles.join(", "),
            item.expires_at
        ));
        output::data(secret.reveal())?;
    }
    Ok(Exit::Done)
}

/// Lists every token, newest first.
pub(super) fn list(args: &TokenListArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let records = on_catalog(&existing_catalog(&args.data_dir, environment)?, Catalog::list_tokens)?;
    let items: Vec<TokenItem> = records.iter().map(TokenItem::from).collect();
    if output.is_json() {
        output::json(&serde_json::json!({ "tokens": items }))?;
        return Ok(Exit::Done);
    }
    if items.is_empty() {
        output::note("no tokens yet: role-catalog token create makes one");
    }
    let now = Clock::system().now();
    for item in items {
        let state = match item.revoked_at {
            Some(at) => format!("revoked {at}"),
            None if item.expires_at <= now => format!("expired {}", item.expires_at),
            None => format!("good until {}", item.expires_at),
        };
        let used = item.last_used_at.map_or("never used".to_owned(), |at| format!("used {at}"));
        let (scopes, roles) = (item.scopes.join(","), item.roles.join(","));
        output::data(&format!("{}\t{}\t{scopes}\t{roles}\t{state}\t{used}", item.id, item.publisher))?;
    }
    Ok(Exit::Done)
}

/// Revokes a token.
pub(super) fn revoke(args: &TokenRevokeArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let data_dir = existing_catalog(&args.data_dir, environment)?;
    let revoked =
        on_catalog(&data_dir, async |catalog: &Catalog| catalog.revoke_token(args.id, Clock::system().now()).await)?;
    if !revoked {
        let error = CliError::not_found(format!("there is no token {}", args.id));
        return Err(error.hint("role-catalog token list shows the ids"));
    }
    if output.is_json() {
        output::json(&serde_json::json!({ "id": args.id, "revoked": true }))?;
    } else {
        output::note(&format!("token {} is revoked; a running server knows at once", args.id));
    }
    Ok(Exit::Done)
}

/// Opens the catalog of a data directory, does one thing, and closes it.
fn on_catalog<T>(data_dir: &Path, work: impl AsyncFnOnce(&Catalog) -> Result<T, CatalogError>) -> Result<T, CliError> {
    block_on(async {
        let catalog = Catalog::open(data_dir).await?;
        let done = work(&catalog).await;
        catalog.close().await;
        done
    })?
    .map_err(|error: CatalogError| unusable(data_dir, &error))
}

/// The data directory, when there is a catalog in it: a wrong path is not answered with a new, empty one.
fn existing_catalog(flag: &DataDirFlag, environment: &Environment) -> Result<PathBuf, CliError> {
    let data_dir = Config::data_dir(flag.data_dir.clone(), environment)?;
    if data_dir.join(Catalog::FILE_NAME).is_file() { Ok(data_dir) } else { Err(unusable(&data_dir, &"there is none")) }
}

fn unusable(data_dir: &Path, why: &dyn std::fmt::Display) -> CliError {
    CliError::fault(format!("the catalog in {}: {why}", data_dir.display()))
        .hint("--data-dir names the server's data directory")
}
