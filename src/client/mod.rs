//! The publisher's side of the HTTP interface (layer 6).
//!
//! ```text
//! ValidatedPackage ─► Client::compare ─► create | unchanged | conflict        (reads alone, no token)
//!                  └► Client::publish ─► Publication                          (the token goes to this origin alone)
//! ```
//!
//! No redirect is followed, every answer is bounded in bytes and time, and what is not the interface's own JSON is an
//! error that says so.

mod compare;
mod error;
mod wire;

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http::{HeaderValue, StatusCode, header};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, Url};
use serde::de::DeserializeOwned;

use crate::config::Origin;
use crate::domain::{AppVersion, RoleId, RoleVersion, TokenSecret};
use crate::package::ValidatedPackage;

pub use compare::{Comparison, Conflict};
pub use error::ClientError;
pub use wire::{Outcome, Problem, Publication, RemoteIssue, RemoteRole};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// The server gives an upload five minutes; validating and storing come on top.
const UPLOAD_TIMEOUT: Duration = Duration::from_mins(8);
/// More than any answer of the interface that is read here, the file list of 10,000 files included.
const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;
/// Small enough for a progress bar to move, large enough not to matter.
const UPLOAD_CHUNK_BYTES: usize = 64 * 1024;

/// A catalog, seen from a publisher.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    origin: Origin,
}

/// How a package is published.
#[derive(Debug, Clone, Copy, Default)]
pub struct PublishOptions {
    /// Ask for the outcome and change nothing.
    pub dry_run: bool,
    /// The minimum app version for a manifest that names none (rule M13).
    pub min_app_version: Option<AppVersion>,
}

impl Client {
    /// A client of the catalog at `origin`.
    ///
    /// # Errors
    /// [`ClientError::Setup`] when the machine offers no certificates to trust.
    pub fn new(origin: Origin) -> Result<Self, ClientError> {
        let builder = reqwest::Client::builder()
            .user_agent(concat!("role-catalog/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none());
        // What is for this machine alone does not pass through a proxy.
        let builder = if origin.is_loopback() { builder.no_proxy() } else { builder };
        Ok(Self { http: builder.build().map_err(ClientError::Setup)?, origin })
    }

    /// The catalog that this client talks to.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether the server answers its liveness route.
    ///
    /// # Errors
    /// [`ClientError`] when it does not, or not with success.
    pub async fn health(&self) -> Result<(), ClientError> {
        let request = self.http.get(self.url(&["healthz"], &[])?).timeout(CONNECT_TIMEOUT);
        let response = self.send(request).await?;
        if response.status().is_success() { Ok(()) } else { Err(self.unexpected(response.status())) }
    }

    /// Whether a token may travel to this catalog: encrypted, or not at all (this machine).
    ///
    /// # Errors
    /// [`ClientError::InsecureOrigin`] when it may not.
    pub fn may_carry_token(&self) -> Result<(), ClientError> {
        if self.origin.is_https() || self.origin.is_loopback() {
            Ok(())
        } else {
            Err(ClientError::InsecureOrigin(self.origin.clone()))
        }
    }

    /// Uploads a package. `progress` is told the number of bytes handed to the connection so far.
    ///
    /// # Errors
    /// [`ClientError::Refused`] holds what the catalog said; the token is not sent to an origin that is neither
    /// encrypted nor this machine ([`ClientError::InsecureOrigin`]).
    pub async fn publish(
        &self,
        package: &ValidatedPackage,
        options: PublishOptions,
        token: &TokenSecret,
        progress: impl Fn(u64) + Send + Sync + 'static,
    ) -> Result<Publication, ClientError> {
        self.may_carry_token()?;
        let manifest = package.manifest();
        let min_app_version = options.min_app_version.map(|version| version.to_string());
        let mut query = Vec::new();
        if let Some(version) = &min_app_version {
            query.push(("minAppVersion", version.as_str()));
        }
        if options.dry_run {
            query.push(("dryRun", "true"));
        }
        let url = self.version_url(&manifest.id, &manifest.version, None, &query)?;
        let request = self
            .http
            .put(url)
            .header(header::AUTHORIZATION, bearer(token)?)
            .header(header::CONTENT_TYPE, "application/zip")
            .header(header::CONTENT_LENGTH, package.zip().len())
            .body(upload_body(package.zip().clone(), progress))
            .timeout(UPLOAD_TIMEOUT);
        let response = self.send(request).await?;
        self.answer(response).await
    }

    /// Reads the JSON below a version; `None` when the catalog does not have it.
    async fn read<T: DeserializeOwned>(
        &self,
        id: &RoleId,
        version: &RoleVersion,
        below: Option<&str>,
    ) -> Result<Option<T>, ClientError> {
        let request = self.http.get(self.version_url(id, version, below, &[])?).timeout(READ_TIMEOUT);
        let response = self.send(request).await?;
        match self.answer(response).await {
            // Any web server answers 404 to any path; this one said so as a catalog does.
            Err(ClientError::Refused(problem)) if problem.status == StatusCode::NOT_FOUND => Ok(None),
            answer => answer.map(Some),
        }
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        request.send().await.map_err(|source| ClientError::Network { origin: self.origin.clone(), source })
    }

    /// The JSON of a success, the problem of a refusal.
    async fn answer<T: DeserializeOwned>(&self, mut response: Response) -> Result<T, ClientError> {
        let status = response.status();
        let mut body = Vec::new();
        let network = |source| ClientError::Network { origin: self.origin.clone(), source };
        while let Some(chunk) = response.chunk().await.map_err(network)? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(self.unexpected(status));
            }
            body.extend_from_slice(&chunk);
        }
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|_| self.unexpected(status));
        }
        match serde_json::from_slice::<Problem>(&body) {
            Ok(problem) => Err(ClientError::Refused(Box::new(Problem { status: status.as_u16(), ..problem }))),
            Err(_) => Err(self.unexpected(status)),
        }
    }

    fn unexpected(&self, status: StatusCode) -> ClientError {
        ClientError::NotACatalog { origin: self.origin.clone(), status: status.as_u16() }
    }

    fn version_url(
        &self,
        id: &RoleId,
        version: &RoleVersion,
        below: Option<&str>,
        query: &[(&str, &str)],
    ) -> Result<Url, ClientError> {
        let version = version.to_string();
        let path = ["api", "v1", "roles", id.as_str(), "versions", &version];
        self.url(&[&path[..], below.as_slice()].concat(), query)
    }

    /// A URL below the origin, `+` written `%2B`.
    fn url(&self, segments: &[&str], query: &[(&str, &str)]) -> Result<Url, ClientError> {
        let path = segments.join("/").replace('+', "%2B");
        let mut url = Url::parse(&format!("{}/{path}", self.origin)).map_err(|_| ClientError::Url)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(url)
    }
}

fn bearer(token: &TokenSecret) -> Result<HeaderValue, ClientError> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", token.reveal())).map_err(|_| ClientError::Url)?;
    // Keeps it out of debug output.
    value.set_sensitive(true);
    Ok(value)
}

/// The zip in chunks; each one that is taken is reported.
fn upload_body(zip: Bytes, progress: impl Fn(u64) + Send + Sync + 'static) -> reqwest::Body {
    let chunks = stream::unfold((zip, 0_u64, progress), |(mut rest, sent, progress)| async move {
        if rest.is_empty() {
            return None;
        }
        let chunk = rest.split_to(rest.len().min(UPLOAD_CHUNK_BYTES));
        let sent = sent + chunk.len() as u64;
        progress(sent);
        Some((Ok::<_, std::convert::Infallible>(chunk), (rest, sent, progress)))
    });
    reqwest::Body::wrap_stream(chunks)
}
