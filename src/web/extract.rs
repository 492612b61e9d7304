//! From requests to values: paths and queries are parsed here, and what does not parse never reaches a handler.

use std::str::FromStr;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;

use super::problem::Problem;
use crate::domain::{Code, Issue, RoleId, RoleVersion, Rule};

/// A path parameter by its name in the route table; a value that does not parse is not found.
fn path_param<T: FromStr>(params: &RawPathParams, name: &str) -> Result<T, Problem> {
    let value = params.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    value.and_then(|value| value.parse().ok()).ok_or_else(Problem::not_found)
}

/// `{role_id}`.
#[derive(Debug, Clone)]
pub(super) struct RolePath(pub RoleId);

/// `{role_id}` and `{version}`.
#[derive(Debug, Clone)]
pub(super) struct VersionPath(pub RoleId, pub RoleVersion);

/// `{role_id}`, `{version}` and one more.
#[derive(Debug, Clone)]
pub(super) struct VersionItemPath<T>(pub RoleId, pub RoleVersion, pub T);

/// The parameter named `item` that is not about a role.
#[derive(Debug, Clone)]
pub(super) struct ItemPath<T>(pub T);

async fn params<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<RawPathParams, Problem> {
    RawPathParams::from_request_parts(parts, state).await.map_err(|_| Problem::not_found())
}

impl<S: Send + Sync> FromRequestParts<S> for RolePath {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        Ok(Self(path_param(&params(parts, state).await?, "role_id")?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for VersionPath {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = params(parts, state).await?;
        Ok(Self(path_param(&params, "role_id")?, path_param(&params, "version")?))
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for VersionItemPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = params(parts, state).await?;
        let item = path_param(&params, "item")?;
        Ok(Self(path_param(&params, "role_id")?, path_param(&params, "version")?, item))
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for ItemPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        Ok(Self(path_param(&params(parts, state).await?, "item")?))
    }
}

/// The query of a request, decoded. Unknown parameters are ignored; of a repeated one the first counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Decodes a query string (`application/x-www-form-urlencoded`); what is not UTF-8 is shown with U+FFFD.
    #[must_use]
    pub(super) fn parse(query: &str) -> Self {
        let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Self(pairs.collect())
    }

    /// The text of a parameter; an empty one counts as absent only where the caller says so.
    #[must_use]
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A parameter, parsed.
    ///
    /// # Errors
    /// 400 `REQUEST_INVALID` naming the parameter; `expected` says what it takes.
    pub(super) fn get<T: FromStr>(&self, name: &'static str, expected: &str) -> Result<Option<T>, Problem> {
        self.text(name).map(|text| text.parse().map_err(|_| bad_parameter(name, expected))).transpose()
    }

    /// A parameter that is `true` or `false`; absent is false.
    pub(super) fn flag(&self, name: &'static str) -> Result<bool, Problem> {
        Ok(self.get(name, "true or false")?.unwrap_or(false))
    }
}

/// A known parameter with a bad value.
pub(super) fn bad_parameter(name: &'static str, expected: &str) -> Problem {
    Problem::bad_request(Issue::request(name, format!("{name} must be {expected}")))
}

/// A cursor that this listing did not hand out.
pub(super) fn bad_cursor() -> Problem {
    let issue = Issue::error(Rule::Request, Code::CursorInvalid, "the cursor does not belong to this listing")
        .about("cursor")
        .hint("begin again without a cursor, and keep the other parameters equal while paging");
    Problem::bad_request(issue)
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded_and_the_first_of_a_repeated_parameter_counts() {
        let query = Query::parse("q=a+b%2Bc&limit=5&limit=6&x&%ff=%ff&");
        assert_eq!(query.text("q"), Some("a b+c"));
        assert_eq!(query.get::<u32>("limit", "a number").unwrap(), Some(5));
        assert_eq!(query.text("x"), Some(""));
        assert!(query.get::<u32>("q", "a number").is_err());
    }
}
