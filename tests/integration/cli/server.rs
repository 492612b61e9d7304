//! The commands against a server that the program itself runs.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use super::*;

/// `role-catalog serve` on a free port, ended when dropped.
struct Server {
    child: Child,
    origin: String,
    data_dir: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let data_dir = tempfile::tempdir().unwrap();
        let mut program = Program::new(["serve", "--bind", "127.0.0.1:0", "--data-dir"]).argument(data_dir.path());
        let mut child = program.command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let greeting = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let origin = greeting.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Self { child, origin, data_dir }
    }

    fn token(&self, roles: &str) -> String {
        let created = Program::new(["token", "create", "--publisher", "tea-house", "--roles", roles, "--data-dir"])
            .argument(self.data_dir.path())
            .run()
            .expect(0);
        created.stdout.trim_end().to_owned()
    }

    /// A publisher's command against this server.
    fn command<const N: usize>(&self, arguments: [&str; N], token: &str) -> Program {
        Program::new(arguments)
            .variable("AGOTALK_ROLE_PUBLIC_ORIGIN", &self.origin)
            .variable("AGOTALK_ROLE_PUBLISH_TOKEN", token)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_package_is_published_once_and_then_unchanged_and_never_replaced() {
    let server = Server::start();
    let token = server.token("tea-*");
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let outcome = |arguments: [&str; 3]| {
        let ended = server.command(arguments, &token).directory(temp.path()).run();
        (ended.status, ended.json()["outcome"].as_str().map(str::to_owned))
    };
    let is = |status, outcome: &str| (status, Some(outcome.to_owned()));

    assert_eq!(outcome(["pack", "tea-taster", "--json"]), is(0, "create"));
    let dry = server.command(["publish", "tea-taster", "--json", "--dry-run"], &token).directory(temp.path());
    let dry = dry.run().expect(0).json();
    assert_eq!((&dry["outcome"], &dry["dryRun"]), (&"create".into(), &true.into()));

    let published = server.command(["publish", "tea-taster"], &token).directory(temp.path()).run().expect(0);
    assert_eq!(published.stdout, format!("{}/roles/tea-taster\n", server.origin));
    assert_eq!(outcome(["publish", "tea-taster", "--json"]), is(0, "unchanged"));
    assert_eq!(outcome(["pack", "tea-taster", "--json"]), is(0, "unchanged"));

    fs::write(dir.join("role.md"), "Other bytes.\n").unwrap();
    assert_eq!(outcome(["pack", "tea-taster", "--json"]), is(1, "conflict"));
    let conflict = server.command(["publish", "tea-taster", "--json"], &token).directory(temp.path()).run().expect(1);
    assert_eq!(conflict.json()["error"]["code"], "ROLE_VERSION_IMMUTABLE_CONFLICT");
}

#[test]
fn another_minimum_app_version_for_the_same_bytes_is_a_conflict() {
    let server = Server::start();
    let token = server.token("tea-*");
    let temp = tempfile::tempdir().unwrap();
    package_dir_with(temp.path(), "min_app_version = \"0.1.57\"\n", "");
    let publish = |version| {
        server.command(["publish", "tea-taster", "--json", "--min-app-version", version], &token).directory(temp.path())
    };
    assert_eq!(publish("0.1.57").run().expect(0).json()["outcome"], "create");
    let conflict = publish("0.2.0").run().expect(1).json();
    assert_eq!(conflict["error"]["code"], "ROLE_VERSION_IMMUTABLE_CONFLICT");
    assert!(conflict["error"]["message"].as_str().unwrap().contains("min_app_version"), "{conflict}");
}

#[test]
fn the_catalog_s_refusals_keep_their_codes() {
    let server = Server::start();
    let temp = tempfile::tempdir().unwrap();
    package_dir(temp.path());
    let publish = |token: &str| server.command(["publish", "tea-taster", "--json"], token).directory(temp.path());
    let elsewhere = publish(&server.token("coffee-*")).run().expect(1).json();
    assert_eq!(elsewhere["error"]["code"], "ROLE_PUBLISH_FORBIDDEN");
    let unknown = role_catalog::domain::TokenSecret::generate();
    let ended = publish(unknown.reveal()).run().expect(1);
    assert_eq!(ended.json()["error"]["code"], "ROLE_PUBLISH_AUTH_INVALID");
    assert!(!ended.stderr.contains(unknown.reveal()));
}

#[test]
fn tokens_are_listed_without_their_secret_and_revoked_by_number() {
    let server = Server::start();
    let token = server.token("tea-*");
    let list = Program::new(["token", "list", "--json", "--data-dir"]).argument(server.data_dir.path()).run().expect(0);
    assert!(!list.stdout.contains(&token));
    let listed = &list.json()["tokens"][0];
    assert_eq!((&listed["publisher"], &listed["roles"][0]), (&"tea-house".into(), &"tea-*".into()));
    let id = listed["id"].to_string();

    Program::new(["token", "revoke", &id, "--data-dir"]).argument(server.data_dir.path()).run().expect(0);
    Program::new(["token", "revoke", "999", "--data-dir"]).argument(server.data_dir.path()).run().expect(1);
    let temp = tempfile::tempdir().unwrap();
    package_dir(temp.path());
    let refused = server.command(["publish", "tea-taster", "--json"], &token).directory(temp.path()).run().expect(1);
    assert_eq!(refused.json()["error"]["code"], "ROLE_PUBLISH_AUTH_REVOKED");
}

#[test]
fn tokens_of_a_directory_without_a_catalog_are_not_an_empty_list() {
    let temp = tempfile::tempdir().unwrap();
    Program::new(["token", "list", "--data-dir"]).argument(temp.path()).run().expect(2);
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
}

#[test]
fn health_is_0_while_the_server_answers_and_1_when_it_does_not() {
    let server = Server::start();
    let bind = server.origin.trim_start_matches("http://").to_owned();
    Program::new(["healthcheck"]).variable("ROLE_CATALOG_BIND", &bind).run().expect(0);
    drop(server);
    Program::new(["healthcheck"]).variable("ROLE_CATALOG_BIND", &bind).run().expect(1);
}
