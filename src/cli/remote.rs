//! The catalog that the publisher's commands talk to, and the token they show it.

use super::error::CliError;
use crate::client::{Client, Conflict};
use crate::config::{Environment, Origin, Secret, Variable};
use crate::domain::{Code, TokenSecret};

/// A client of the configured catalog, `https://roles.agotalk.com` unless the environment names another.
pub(super) fn client(environment: &Environment) -> Result<Client, CliError> {
    let origin = environment.parse(Variable::PublicOrigin)?.unwrap_or_else(Origin::public_catalog);
    Ok(Client::new(origin)?)
}

/// The publisher's token. It comes from the same environment as the origin, so it goes to no other.
pub(super) fn token(environment: &Environment) -> Result<TokenSecret, CliError> {
    let missing = |message: &str| {
        CliError::refused(Code::RolePublishAuthMissing, message)
            .hint("set AGOTALK_ROLE_PUBLISH_TOKEN to the token that the catalog's operator gave you")
    };
    let secret: Secret =
        environment.parse(Variable::PublishToken)?.ok_or_else(|| missing("publishing needs a token"))?;
    TokenSecret::parse(secret.reveal().trim()).map_err(|error| missing(&error.to_string()))
}

/// A conflict, as an error with its code.
pub(super) fn conflict(conflict: &Conflict) -> CliError {
    CliError::refused(Code::RoleVersionImmutableConflict, conflict.to_string())
        .hint("raise the version in agotalk.role.toml: published bytes and metadata never change")
}
