//! Who may publish: a token, its scope, and the role's owner (rules B02, B03).

use std::sync::Arc;

use super::{Pipeline, PublishError, Refusal};
use crate::catalog::{Publisher, Scope, TokenRefusal};
use crate::domain::{Code, Issue, RoleId, Rule, TokenSecret};

impl Pipeline {
    /// Whose token this is, when it allows `scope` on the role and the role is theirs or new.
    ///
    /// # Errors
    /// [`PublishError::Refused`] with a `ROLE_PUBLISH_…` code; never a word of the token.
    pub async fn authorize(
        &self,
        bearer: Option<&str>,
        scope: Scope,
        role_id: &RoleId,
    ) -> Result<Publisher, PublishError> {
        let secret = bearer.and_then(|text| TokenSecret::parse(text).ok()).ok_or_else(|| {
            let hint = "send Authorization: Bearer agr_…, a token made with role-catalog token create";
            refused(Code::RolePublishAuthMissing, "no publishing token, or not one in form", hint)
        })?;
        let now = self.clock.now();
        let grant = self.catalog.authenticate(secret.hash(), now).await?.map_err(|refusal| match refusal {
            TokenRefusal::Unknown => refused(
                Code::RolePublishAuthInvalid,
                "this catalog does not know the token",
                "ask the operator for a token",
            ),
            TokenRefusal::Expired => {
                refused(Code::RolePublishAuthExpired, "the token has expired", "ask the operator for a new token")
            }
            TokenRefusal::Revoked => {
                refused(Code::RolePublishAuthRevoked, "the token was revoked", "ask the operator for a new token")
            }
        })?;
        if !grant.allows(scope, role_id) {
            let issue = Issue::error(
                Rule::B03,
                Code::RolePublishForbidden,
                format!("the token of {} does not allow {scope} on {role_id}", grant.publisher.name),
            )
            .hint("ask the operator for a token whose roles cover this id");
            return Err(PublishError::Refused(Refusal::Forbidden, vec![issue]));
        }
        if self.catalog.owner(role_id).await?.is_some_and(|owner| owner != grant.publisher.id) {
            return Err(other_owner());
        }
        if grant.is_use_worth_noting(now) {
            let (catalog, token_id) = (Arc::clone(&self.catalog), grant.token_id);
            // Beside the upload, which must not wait for the database's writer.
            tokio::spawn(async move {
                if let Err(error) = catalog.touch_token(token_id, now).await {
                    tracing::warn!(%error, "the time of a token's use was not recorded");
                }
            });
        }
        Ok(grant.publisher)
    }
}

pub(super) fn other_owner() -> PublishError {
    let issue = Issue::error(Rule::B03, Code::RolePublishForbidden, "the role belongs to another publisher")
        .about("id")
        .hint("choose another id, or ask the operator to make you an owner");
    PublishError::Refused(Refusal::Forbidden, vec![issue])
}

fn refused(code: Code, message: &str, hint: &str) -> PublishError {
    PublishError::Refused(Refusal::Unauthenticated, vec![Issue::error(Rule::B02, code, message).hint(hint)])
}
