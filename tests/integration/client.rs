//! The publisher's client against servers that do not behave.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use role_catalog::client::{Client, ClientError, Comparison, PublishOptions};
use role_catalog::config::{Origin, S3Settings};
use role_catalog::domain::{Limits, TokenSecret};
use role_catalog::package::{ValidatedPackage, validate};
use role_catalog::storage::{BlobStore as _, S3Store};

use crate::support::package_builder::PackageBuilder;

/// Answers every connection with `answer` as soon as the head of its request is there, and hands on what it read.
fn canned(answer: &str) -> (SocketAddr, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (heads, received) = mpsc::channel();
    let answer = answer.to_owned();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut head = Vec::new();
            let mut buffer = [0; 4096];
            while !head.windows(4).any(|four| four == b"\r\n\r\n") {
                let read = connection.read(&mut buffer).unwrap();
                assert!(read > 0, "the whole head arrives");
                head.extend_from_slice(&buffer[..read]);
            }
            connection.write_all(answer.as_bytes()).unwrap();
            // Whoever still uploads finds the door open for a moment, as a polite server leaves it.
            connection.shutdown(std::net::Shutdown::Write).unwrap();
            while connection.read(&mut buffer).is_ok_and(|read| read > 0) {}
            if heads.send(String::from_utf8_lossy(&head).into_owned()).is_err() {
                return;
            }
        }
    });
    (address, received)
}

fn response(status: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

fn client(address: SocketAddr) -> Client {
    Client::new(Origin::of_address(address)).unwrap()
}

fn package() -> ValidatedPackage {
    validate(PackageBuilder::role("tea-taster").version("1.0.0+build.1").build(), &Limits::default(), None).unwrap()
}

async fn publish(
    client: &Client,
    package: &ValidatedPackage,
) -> Result<role_catalog::client::Publication, ClientError> {
    client.publish(package, PublishOptions::default(), &TokenSecret::generate(), |_| {}).await
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_token() {
    let (elsewhere, visits) = canned(&response("200 OK", "application/json", r#"{"outcome":"create"}"#));
    let redirect = format!(
        "HTTP/1.1 307 Moved\r\nLocation: http://{elsewhere}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let (address, _heads) = canned(&redirect);
    let error = publish(&client(address), &package()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotACatalog { status: 307, .. }), "{error}");
    assert!(visits.try_recv().is_err(), "nobody came");
}

#[tokio::test]
async fn a_version_is_asked_for_under_its_one_address() {
    let problem = r#"{"code":"NOT_FOUND","title":"Not found"}"#;
    let (address, heads) = canned(&response("404 Not Found", "application/problem+json", problem));
    assert_eq!(client(address).compare(&package()).await.unwrap(), Comparison::Create);
    let head = heads.recv().unwrap();
    assert!(head.starts_with("GET /api/v1/roles/tea-taster/versions/1.0.0%2Bbuild.1 HTTP/1.1\r\n"), "{head}");
    assert!(!head.to_ascii_lowercase().contains("authorization"), "{head}");
}

#[tokio::test]
async fn a_web_server_without_a_catalog_is_not_a_catalog_without_the_version() {
    let (address, _heads) = canned(&response("404 Not Found", "text/html", "<h1>Not found</h1>"));
    let error = client(address).compare(&package()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotACatalog { status: 404, .. }), "{error}");
    assert!(!error.is_refusal());
}

#[tokio::test]
async fn a_refusal_before_the_body_is_read_is_heard() {
    let problem =
        r#"{"code":"ROLE_PUBLISH_AUTH_EXPIRED","title":"Token expired","detail":"the token expired","requestId":"r1"}"#;
    let (address, _heads) = canned(&response("401 Unauthorized", "application/problem+json", problem));
    // Too large for any socket buffer, and incompressible.
    let mut noise = vec![0; 12 << 20];
    rand::Rng::fill_bytes(&mut rand::rng(), &mut noise);
    let zip = PackageBuilder::role("tea-taster").file("contents/noise.bin", noise).build();
    let package = validate(zip, &Limits::default(), None).unwrap();
    let error = publish(&client(address), &package).await.unwrap_err();
    let ClientError::Refused(problem) = &error else { panic!("{error:?}") };
    assert_eq!((problem.status, problem.code.as_str()), (401, "ROLE_PUBLISH_AUTH_EXPIRED"));
    assert!(error.is_refusal());
}

#[tokio::test]
async fn a_busy_catalog_is_no_refusal() {
    let problem = r#"{"code":"UNAVAILABLE","title":"Busy","issues":[]}"#;
    let (address, _heads) = canned(&response("503 Service Unavailable", "application/problem+json", problem));
    assert!(!publish(&client(address), &package()).await.unwrap_err().is_refusal());
}

#[tokio::test]
async fn codes_that_are_newer_than_this_program_are_passed_on() {
    let problem = r#"{"code":"ROLE_FROM_TOMORROW","title":"Package rejected","issues":[
        {"code":"ROLE_FROM_TOMORROW","severity":"error","message":"no","rule":"Z01","brandNew":1}]}"#;
    let (address, _heads) = canned(&response("422 Unprocessable Content", "application/problem+json", problem));
    let error = publish(&client(address), &package()).await.unwrap_err();
    let ClientError::Refused(problem) = error else { panic!("{error:?}") };
    assert_eq!(problem.issues[0].code, "ROLE_FROM_TOMORROW");
    assert_eq!(problem.issues[0].more["brandNew"], 1);
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let (address, _heads) = canned(&response("200 OK", "application/json", &" ".repeat(20 << 20)));
    let error = client(address).compare(&package()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotACatalog { .. }), "{error}");
}

#[tokio::test]
async fn the_upload_reports_every_byte_once() {
    let (address, heads) = canned(&response("201 Created", "application/json", r#"{"outcome":"create","role":{}}"#));
    let sent = Arc::new(AtomicU64::new(0));
    let progress = Arc::clone(&sent);
    let package = package();
    let options = PublishOptions { dry_run: true, min_app_version: None };
    let token = TokenSecret::generate();
    let done = client(address).publish(&package, options, &token, move |n| progress.store(n, Ordering::Relaxed)).await;
    done.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), package.zip().len() as u64);
    let head = heads.recv().unwrap().to_ascii_lowercase();
    assert!(head.starts_with("put /api/v1/roles/tea-taster/versions/1.0.0%2bbuild.1?dryrun=true http/1.1"), "{head}");
    for line in [format!("content-length: {}", package.zip().len()), "content-type: application/zip".to_owned()] {
        assert!(head.contains(&line), "{line} in\n{head}");
    }
    assert!(!head.contains("transfer-encoding"), "{head}");
}

/// Two cryptography providers in one program panic when the first connection is made.
#[tokio::test]
async fn both_https_clients_share_one_cryptography_provider() {
    // Accepts, says something that is not TLS, and closes.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || listener.incoming().for_each(|connection| _ = connection.unwrap().write_all(b"not TLS\r\n")));
    let origin: Origin = format!("https://127.0.0.1:{}", address.port()).parse().unwrap();
    let error = Client::new(origin.clone()).unwrap().compare(&package()).await.unwrap_err();
    assert!(matches!(error, ClientError::Network { .. }), "{error}");
    let store = S3Store::new(&S3Settings {
        endpoint: origin.clone(),
        bucket: "roles".to_owned(),
        access_key_id: "key".to_owned(),
        secret_access_key: "secret".parse().unwrap(),
    });
    // A panic would come with the first attempt; the later ones are not waited for.
    let ready = tokio::time::timeout(Duration::from_secs(1), store.ready()).await;
    assert!(!matches!(ready, Ok(Ok(()))));
}
