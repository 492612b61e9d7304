//! An S3 service on loopback, as strict as R2: `s3s-fs` behind a gate that looks at every request.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http::{HeaderMap, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use role_catalog::config::S3Settings;
use role_catalog::storage::S3Store;
use s3s::Body;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;

const BUCKET: &str = "roles";

/// The running service.
pub(crate) struct S3Service {
    gate: Arc<Gate>,
    endpoint: String,
    server: tokio::task::JoinHandle<()>,
    _directory: tempfile::TempDir,
}

/// What stands before the service.
#[derive(Default)]
struct Gate {
    /// Answers given instead of the service's, the next first.
    script: Mutex<VecDeque<(StatusCode, &'static str)>>,
    /// Every request that came.
    seen: Mutex<Vec<(Method, HeaderMap)>>,
}

impl S3Service {
    pub(crate) async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(directory.path()).unwrap());
        builder.set_auth(SimpleAuth::from_single("id", "secret"));
        let service = builder.build();
        let gate = Arc::new(Gate::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let guard = gate.clone();
        let server = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (service, gate) = (service.clone(), guard.clone());
                let handler = service_fn(move |request: Request<Incoming>| {
                    let (service, refusal) = (service.clone(), gate.refusal(&request));
                    async move {
                        let mut response = match refusal {
                            Some((status, code)) => refused(status, code),
                            None => service.call(request.map(Body::from)).await.unwrap(),
                        };
                        // An opaque ETag, as R2 gives for some objects: whoever takes it for an MD5 is found out.
                        response.headers_mut().insert("etag", "\"opaque\"".parse().unwrap());
                        Ok::<_, Infallible>(response)
                    }
                });
                connections
                    .spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), handler));
            }
        });
        Self { gate, endpoint, server, _directory: directory }
    }

    pub(crate) fn store(&self) -> S3Store {
        store_at(&self.endpoint)
    }

    /// Gives these answers to the next requests, whatever they are.
    pub(crate) fn answer(&self, script: impl IntoIterator<Item = (u16, &'static str)>) {
        let script = script.into_iter().map(|(status, code)| (StatusCode::from_u16(status).unwrap(), code));
        self.gate.script.lock().unwrap().extend(script);
    }

    /// The requests since the last time this was asked.
    pub(crate) fn seen(&self) -> Vec<(Method, HeaderMap)> {
        std::mem::take(&mut self.gate.seen.lock().unwrap())
    }

    /// Stops listening and drops every connection.
    pub(crate) fn stop(&self) {
        self.server.abort();
    }
}

/// A store with the bucket and keys of the service, elsewhere.
pub(crate) fn store_at(endpoint: &str) -> S3Store {
    S3Store::new(&S3Settings {
        endpoint: endpoint.parse().unwrap(),
        bucket: BUCKET.to_owned(),
        access_key_id: "id".to_owned(),
        secret_access_key: "secret".parse().unwrap(),
    })
}

impl Gate {
    /// The answer to a request that the service does not get to see.
    fn refusal(&self, request: &Request<Incoming>) -> Option<(StatusCode, &'static str)> {
        let headers = request.headers();
        self.seen.lock().unwrap().push((request.method().clone(), headers.clone()));
        let is_extra = |name: &str| {
            name.starts_with("x-amz-checksum-") || ["x-amz-sdk-checksum-algorithm", "x-amz-trailer"].contains(&name)
        };
        let streaming =
            headers.get("x-amz-content-sha256").is_some_and(|hash| hash.as_bytes().starts_with(b"STREAMING-"));
        if headers.keys().any(|name| is_extra(name.as_str())) || streaming {
            return Some((StatusCode::NOT_IMPLEMENTED, "NotImplemented"));
        }
        if request.method() == Method::PUT && !headers.contains_key("content-length") {
            return Some((StatusCode::LENGTH_REQUIRED, "MissingContentLength"));
        }
        self.script.lock().unwrap().pop_front()
    }
}

fn refused(status: StatusCode, code: &str) -> Response<Body> {
    let body = format!("<Error><Code>{code}</Code><Message>{code} of secret-bucket-name</Message></Error>");
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
}
