//! The program is killed: at any moment, and in the middle of an upload. Started again, it finds everything and blocks nothing.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use bytes::Bytes;
use role_catalog::domain::Sha256Digest;

use crate::support::package_builder::PackageBuilder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_role-catalog");

/// The real program, serving a data directory.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data_dir: &Path) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--bind", "127.0.0.1:0", "--data-dir"])
            .arg(data_dir)
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().to_owned();
        Self { child, address }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn token(data_dir: &Path) -> String {
    let output = Command::new(PROGRAM)
        .args(["token", "create", "--publisher", "alice", "--roles", "*", "--data-dir"])
        .arg(data_dir)
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

async fn put(server: &Server, token: &str, zip: Bytes) -> u16 {
    let request = reqwest::Client::new().put(server.url("/api/v1/roles/words-john/versions/0.1.0"));
    let request = request.bearer_auth(token).header("content-type", "application/zip").body(zip);
    request.send().await.unwrap().status().as_u16()
}

fn noisy_package() -> Bytes {
    let noise = std::iter::successors(Some(1_u32), |n| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
    let noise: Vec<u8> = noise.map(|n| n.to_be_bytes()[0]).take(3_000_000).collect();
    PackageBuilder::role("words-john").version("0.1.0").file("contents/noise.bin", noise).build()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_was_cut_by_a_kill_leaves_nothing_and_succeeds_again() {
    let data_dir = tempfile::tempdir().unwrap();
    let token = token(data_dir.path());
    let zip = noisy_package();

    let server = Server::start(data_dir.path());
    let mut half = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "PUT /api/v1/roles/words-john/versions/0.1.0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/zip\r\nContent-Length: {}\r\n\r\n",
        zip.len()
    );
    half.write_all(head.as_bytes()).unwrap();
    half.write_all(&zip[..zip.len() / 2]).unwrap();
    half.flush().unwrap();
    server.kill();
    let left: Vec<_> = std::fs::read_dir(data_dir.path().join("tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");

    let server = Server::start(data_dir.path());
    let missing = reqwest::get(server.url("/api/v1/roles/words-john")).await.unwrap();
    assert_eq!(missing.status(), 404);
    assert_eq!(put(&server, &token, zip.clone()).await, 201);
    server.kill();

    let server = Server::start(data_dir.path());
    assert_eq!(put(&server, &token, zip.clone()).await, 200);
    let download = reqwest::get(server.url("/api/v1/roles/words-john/versions/0.1.0/download")).await.unwrap();
    assert_eq!(Sha256Digest::of(&download.bytes().await.unwrap()), Sha256Digest::of(&zip));
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn whenever_publishing_is_killed_a_listed_version_is_whole_and_a_retry_succeeds() {
    for delay_ms in [5, 20, 40, 80, 160, 320] {
        let data_dir = tempfile::tempdir().unwrap();
        let token = token(data_dir.path());
        let zip = PackageBuilder::role("words-john").version("0.1.0").with_pictures().build();
        let server = Server::start(data_dir.path());
        let request = reqwest::Client::new().put(server.url("/api/v1/roles/words-john/versions/0.1.0"));
        let request = request.bearer_auth(&token).header("content-type", "application/zip").body(zip.clone());
        let upload = tokio::spawn(request.send());
        tokio::time::sleep(std::time::Duration::from_millis(delay_ms)).await;
        server.kill();
        let _ = upload.await;

        let server = Server::start(data_dir.path());
        assert_is_whole_or_absent(&server).await;
        assert!(matches!(put(&server, &token, zip).await, 200 | 201), "after {delay_ms} ms");
        assert_is_whole_or_absent(&server).await;
        server.kill();
    }
}

async fn assert_is_whole_or_absent(server: &Server) {
    let role = reqwest::get(server.url("/api/v1/roles/words-john")).await.unwrap();
    if role.status() == 404 {
        return;
    }
    let role: serde_json::Value = role.json().await.unwrap();
    for url in
        [&role["package"]["url"], &role["assets"]["avatar"]["url"], &role["assets"]["cover"]["variants"][0]["url"]]
    {
        let answer = reqwest::get(server.url(url.as_str().unwrap())).await.unwrap();
        assert_eq!(answer.status(), 200, "{url}");
        assert!(!answer.bytes().await.unwrap().is_empty());
    }
}

#[test]
fn sigterm_ends_the_program_in_order() {
    let data_dir = tempfile::tempdir().unwrap();
    let mut server = Server::start(data_dir.path());
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(server.child.wait().unwrap().success());
    let mut rest = String::new();
    server.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    assert!(!data_dir.path().join("catalog.sqlite-wal").exists(), "the WAL is folded into the database");
}
