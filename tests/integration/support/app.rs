//! A real server on a free port, with a catalog and a store of its own, and clients by identity.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::{Method, StatusCode};
use role_catalog::catalog::{NewToken, Scope};
use role_catalog::config::{Config, ServerFlags};
use role_catalog::domain::{Clock, RolePattern};
use role_catalog::ops::{self, Opened};
use role_catalog::web::{self, AppState, Site};
use serde_json::Value;
use tokio::net::TcpListener;

/// The server under test; it stops when dropped.
pub(crate) struct TestApp {
    pub(crate) opened: Opened,
    pub(crate) address: SocketAddr,
    data_dir: Arc<tempfile::TempDir>,
    server: tokio::task::JoinHandle<()>,
}

impl TestApp {
    /// Starts on an empty data directory.
    pub(crate) async fn start() -> Self {
        Self::start_on(Arc::new(tempfile::tempdir().unwrap())).await
    }

    /// Starts with a setting changed.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::start_on_with(Arc::new(tempfile::tempdir().unwrap()), change).await
    }

    /// Stops, and starts again on the same data directory.
    pub(crate) async fn restart(self) -> Self {
        let data_dir = Arc::clone(&self.data_dir);
        self.server.abort();
        self.opened.catalog.close().await;
        drop(self);
        Self::start_on(data_dir).await
    }

    async fn start_on(data_dir: Arc<tempfile::TempDir>) -> Self {
        Self::start_on_with(data_dir, |_| {}).await
    }

    async fn start_on_with(data_dir: Arc<tempfile::TempDir>, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::load(&ServerFlags::default(), &role_catalog::config::Environment::of(&[])).unwrap();
        config.data_dir = data_dir.path().to_owned();
        change(&mut config);
        let opened = ops::open(&config, Clock::system()).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = AppState {
            catalog: Arc::clone(&opened.catalog),
            store: Arc::clone(&opened.store),
            pipeline: Arc::clone(&opened.pipeline),
            answers: web::Answers::new(Arc::clone(&opened.catalog), 16 << 20),
            site: Arc::new(Site::new("https://roles.example.com".parse().unwrap(), config.site.clone())),
            limits: Arc::new(config.server.clone()),
            spool_dir: Arc::new(opened.spool_dir.clone()),
        };
        let server = tokio::spawn(async move {
            web::serve(listener, web::router(state), &config.server, std::future::pending()).await;
        });
        Self { opened, address, data_dir, server }
    }

    /// The data directory.
    pub(crate) fn data_dir(&self) -> &Path {
        self.data_dir.path()
    }

    /// GET of a path exactly as written, dots and all; the answer's head as text.
    pub(crate) fn raw_get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).split("\r\n\r\n").next().unwrap().to_owned() + "\r\n"
    }

    /// Somebody without a token.
    pub(crate) fn visitor(&self) -> Client {
        Client::new(self.address, None)
    }

    /// A publisher who may publish any role.
    pub(crate) async fn publisher(&self, name: &str) -> Client {
        self.token(name, "*", Duration::from_hours(1)).await
    }

    /// A publisher whose token covers `roles` for `lifetime`.
    pub(crate) async fn token(&self, name: &str, roles: &str, lifetime: Duration) -> Client {
        let new = NewToken {
            publisher: name.parse().unwrap(),
            scopes: vec![Scope::Publish],
            roles: vec![RolePattern::parse(roles).unwrap()],
            lifetime,
        };
        let (secret, grant) = self.opened.catalog.create_token(&new, Clock::system().now()).await.unwrap();
        Client { token_id: Some(grant.token_id), ..Client::new(self.address, Some(secret.reveal().to_owned())) }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Somebody who talks to the server. Redirects are not followed.
#[derive(Clone)]
pub(crate) struct Client {
    base: String,
    token: Option<String>,
    pub(crate) token_id: Option<i64>,
    http: reqwest::Client,
}

impl Client {
    fn new(address: SocketAddr, token: Option<String>) -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().build().unwrap();
        Self { base: format!("http://{address}"), token, token_id: None, http }
    }

    /// The same person with this token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// A request to be completed.
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// GET.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path)).await
    }

    /// GET with a header.
    pub(crate) async fn get_with(&self, path: &str, name: &str, value: &str) -> Answer {
        Answer::of(self.request(Method::GET, path).header(name, value)).await
    }

    /// HEAD.
    pub(crate) async fn head(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::HEAD, path)).await
    }

    /// Uploads a zip as `role@version`, with an optional query.
    pub(crate) async fn put(&self, role: &str, version: &str, query: &str, zip: Bytes) -> Answer {
        let path = format!("/api/v1/roles/{role}/versions/{}{query}", version.replace('+', "%2B"));
        let request = self.request(Method::PUT, &path).header("content-type", "application/zip").body(zip);
        Answer::of(request).await
    }
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// Sends a request.
    pub(crate) async fn of(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, body: response.bytes().await.unwrap() }
    }

    /// A header as text, empty when absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON, of an answer with this status.
    #[track_caller]
    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), "application/json");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The problem document, of an answer with this status and code.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Value = serde_json::from_slice(&self.body).unwrap();
        assert_eq!(problem["code"], code, "{problem:#}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("/docs/errors/{code}"));
        assert_eq!(problem["requestId"], self.header("x-request-id"));
        problem
    }
}
