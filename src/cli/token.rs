//! `token`: the operator's, on the data directory, also while a server runs.

use serde::Serialize;

use super::args::{DataDirFlag, TokenCreateArgs, TokenListArgs, TokenRevokeArgs, TokenScope};
use super::block_on;
use super::error::{CliError, Exit};
use super::output::{self, Output};
use crate::catalog::{Catalog, CatalogError, NewToken, Scope, TokenGrant, TokenRecord};
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
            last_used_at: record.last_used_at,
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
        scopes: args.scopes.iter().map(|scope| scope_of(*scope)).collect(),
        roles: args.roles.clone(),
        lifetime: args.expires.0,
    };
    let (secret, grant) = on_catalog(&args.data_dir, environment, async |catalog: &Catalog| {
        catalog.create_token(&new, Clock::system().now()).await
    })?;
    let item = TokenItem::of(&grant);
    if output.is_json() {
        output.json(&Created { token: secret.reveal(), item })?;
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
    let records = on_catalog(&args.data_dir, environment, Catalog::list_tokens)?;
    let items: Vec<TokenItem> = records.iter().map(TokenItem::from).collect();
    if output.is_json() {
        output.json(&serde_json::json!({ "tokens": items }))?;
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
    let revoked = on_catalog(&args.data_dir, environment, async |catalog: &Catalog| {
        catalog.revoke_token(args.id, Clock::system().now()).await
    })?;
    if !revoked {
        let error = CliError { exit: Exit::Refused, ..CliError::fault(format!("there is no token {}", args.id)) };
        return Err(error.hint("role-catalog token list shows the ids"));
    }
    if output.is_json() {
        output.json(&serde_json::json!({ "id": args.id, "revoked": true }))?;
    } else {
        output::note(&format!("token {} is revoked; a running server knows at once", args.id));
    }
    Ok(Exit::Done)
}

const fn scope_of(scope: TokenScope) -> Scope {
    match scope {
        TokenScope::Publish => Scope::Publish,
        TokenScope::Yank => Scope::Yank,
    }
}

/// Opens the catalog of the data directory, does one thing, and closes it.
fn on_catalog<T>(
    flag: &DataDirFlag,
    environment: &Environment,
    work: impl AsyncFnOnce(&Catalog) -> Result<T, CatalogError>,
) -> Result<T, CliError> {
    let data_dir = Config::data_dir(flag.data_dir.clone(), environment)?;
    let fault = |error: &dyn std::fmt::Display| {
        CliError::fault(format!("the catalog in {}: {error}", data_dir.display()))
            .hint("--data-dir names the server's data directory")
    };
    std::fs::create_dir_all(&data_dir).map_err(|error| fault(&error))?;
    block_on(async {
        let catalog = Catalog::open(&data_dir).await?;
        let done = work(&catalog).await;
        catalog.close().await;
        done
    })?
    .map_err(|error: CatalogError| fault(&error))
}
