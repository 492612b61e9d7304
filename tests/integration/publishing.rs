//! `PUT /api/v1/roles/{roleId}/versions/{version}`, as publishers meet it.

use std::time::Duration;

use base64::Engine as _;
use bytes::Bytes;
use futures_util::future::join_all;
use reqwest::Method;
use role_catalog::domain::Sha256Digest;
use serde_json::Value;

use crate::support::app::{Answer, TestApp};
use crate::support::package_builder::PackageBuilder;

fn minimal(id: &str, version: &str) -> Bytes {
    PackageBuilder::role(id).version(version).build()
}

#[tokio::test]
async fn a_new_version_is_created_and_the_same_bytes_again_are_unchanged() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let zip = PackageBuilder::role("words-john").with_pictures().build();

    let created = alice.put("words-john", "0.1.0", "", zip.clone()).await;
    let body = created.json(201);
    assert_eq!(body["outcome"], "create");
    assert_eq!(body["role"]["package"]["sha256"], Sha256Digest::of(&zip).to_string());
    assert_eq!(created.header("location"), "/api/v1/roles/words-john/versions/0.1.0");
    assert_eq!(created.header("cache-control"), "no-store");

    let again = alice.put("words-john", "0.1.0", "", zip).await.json(200);
    assert_eq!(again["outcome"], "unchanged");
    assert_eq!(again["role"], body["role"]);
    assert_eq!(app.opened.catalog.revision(), 1, "nothing changed, so neither did the revision");
}

#[tokio::test]
async fn other_bytes_for_a_published_version_are_a_conflict_that_names_both_digests() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let builder = PackageBuilder::role("words-john").version("0.1.0");
    let (first, other) = (builder.build(), builder.stored().build());
    alice.put("words-john", "0.1.0", "", first.clone()).await.json(201);

    let problem =
        alice.put("words-john", "0.1.0", "", other.clone()).await.problem(409, "ROLE_VERSION_IMMUTABLE_CONFLICT");
    let message = problem["issues"][0]["message"].as_str().unwrap();
    for zip in [&first, &other] {
        assert!(message.contains(&Sha256Digest::of(zip).to_string()), "{message}");
    }
    let served = alice.get("/api/v1/roles/words-john/versions/0.1.0/download").await;
    assert_eq!(served.body, first);
}

#[tokio::test]
async fn a_refused_package_shows_every_problem_and_leaves_no_trace() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let bad = PackageBuilder::role("words-john")
        .manifest("schema_version = 2\nid = \"words-john\"\nlicense = \"MIT\"\n")
        .build();
    let problem = alice.put("words-john", "0.1.0", "", bad).await.problem(422, "ROLE_CONTRACT_FIELD_INVALID");
    let issues = problem["issues"].as_array().unwrap();
    assert!(issues.len() > 5, "{problem:#}");
    let schema = &issues[0];
    assert_eq!(schema["message"], "schema_version must equal 1");
    assert_eq!((&schema["path"], &schema["line"]), (&"agotalk.role.toml".into(), &1.into()));
    assert_eq!(schema["docs"], "/docs/errors/ROLE_CONTRACT_FIELD_INVALID");

    alice.get("/api/v1/roles/words-john").await.problem(404, "NOT_FOUND");
    assert_eq!(app.opened.catalog.revision(), 0);
    alice.put("words-john", "0.1.0", "", minimal("words-john", "0.1.0")).await.json(201);
}

#[tokio::test]
async fn without_a_good_token_nothing_is_read() {
    let app = TestApp::start().await;
    let zip = minimal("words-john", "0.1.0");
    let put = async |client: &crate::support::app::Client| client.put("words-john", "0.1.0", "", zip.clone()).await;

    let visitor = app.visitor();
    let answer = put(&visitor).await;
    answer.problem(401, "ROLE_PUBLISH_AUTH_MISSING");
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    put(&visitor.with_token("agr_short")).await.problem(401, "ROLE_PUBLISH_AUTH_MISSING");
    let unknown = role_catalog::domain::TokenSecret::generate();
    put(&visitor.with_token(unknown.reveal())).await.problem(401, "ROLE_PUBLISH_AUTH_INVALID");
    let expired = app.token("alice", "*", Duration::ZERO).await;
    put(&expired).await.problem(401, "ROLE_PUBLISH_AUTH_EXPIRED");
    let revoked = app.publisher("alice").await;
    let now = role_catalog::domain::Clock::system().now();
    assert!(app.opened.catalog.revoke_token(revoked.token_id.unwrap(), now).await.unwrap());
    put(&revoked).await.problem(401, "ROLE_PUBLISH_AUTH_REVOKED");
    visitor.get("/api/v1/roles/words-john").await.problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_token_reaches_its_own_roles_and_no_other_publishers() {
    let app = TestApp::start().await;
    let alice = app.token("alice", "words-*", Duration::from_hours(1)).await;
    alice.put("words-john", "0.1.0", "", minimal("words-john", "0.1.0")).await.json(201);
    let outside = alice.put("tutor", "0.1.0", "", minimal("tutor", "0.1.0")).await;
    outside.problem(403, "ROLE_PUBLISH_FORBIDDEN");
    let bob = app.publisher("bob").await;
    let taken = bob.put("words-john", "0.2.0", "", minimal("words-john", "0.2.0")).await;
    taken.problem(403, "ROLE_PUBLISH_FORBIDDEN");
    let second_token = app.publisher("alice").await;
    second_token.put("words-john", "0.2.0", "", minimal("words-john", "0.2.0")).await.json(201);
}

#[tokio::test]
async fn address_and_manifest_must_agree() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let zip = minimal("words-john", "0.1.0");
    alice.put("words-jane", "0.1.0", "", zip.clone()).await.problem(422, "ROLE_PACKAGE_ID_MISMATCH");
    alice.put("words-john", "0.1.1", "", zip.clone()).await.problem(409, "ROLE_PUBLISH_CATALOG_CONFLICT");
    let query = "?minAppVersion=9.9.9";
    alice.put("words-john", "0.1.0", query, zip.clone()).await.problem(409, "ROLE_PUBLISH_CATALOG_CONFLICT");
    alice.put("words-john", "0.1.0", "", zip.clone()).await.json(201);
    alice.put("words-john", "0.1.0", query, zip).await.problem(409, "ROLE_PUBLISH_CATALOG_CONFLICT");
}

#[tokio::test]
async fn an_explicit_minimum_app_version_stands_in_for_the_manifests_and_is_part_of_the_version() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let manifest = r#"schema_version = 1
id = "words-john"
version = "0.1.0"
title = "Words"
summary = "Words to type."
kind = "role"
license = "free"
[state]
remembers_progress = false
[environment]
manager = "agotalk"
dependency_mode = "none"
"#;
    let zip = PackageBuilder::role("words-john").manifest(manifest).build();
    let put = async |query: &str| alice.put("words-john", "0.1.0", query, zip.clone()).await;
    put("").await.problem(422, "ROLE_PUBLISH_MIN_APP_VERSION_MISSING");
    assert_eq!(put("?minAppVersion=0.1.60").await.json(201)["role"]["minAppVersion"], "0.1.60");
    assert_eq!(put("?minAppVersion=0.1.60").await.json(200)["outcome"], "unchanged");
    let problem = put("?minAppVersion=0.1.61").await.problem(409, "ROLE_VERSION_IMMUTABLE_CONFLICT");
    assert_eq!(problem["issues"][0]["field"], "min_app_version");
    put("?minAppVersion=new").await.problem(400, "REQUEST_INVALID");
}

#[tokio::test]
async fn versions_that_differ_in_build_metadata_alone_cannot_both_exist() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    alice.put("tutor", "1.0.0+build.5", "", minimal("tutor", "1.0.0+build.5")).await.json(201);
    let other = alice.put("tutor", "1.0.0", "", minimal("tutor", "1.0.0")).await;
    other.problem(409, "ROLE_PUBLISH_CATALOG_CONFLICT");
    let answer = alice.get("/api/v1/roles/tutor/versions/1.0.0+build.5").await.json(200);
    assert_eq!(answer["package"]["url"], "/api/v1/roles/tutor/versions/1.0.0%2Bbuild.5/download");
    assert_eq!(alice.get(answer["package"]["url"].as_str().unwrap()).await.status, 200);
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_changes_nothing() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let zip = PackageBuilder::role("words-john").with_pictures().build();
    let dry = alice.put("words-john", "0.1.0", "?dryRun=true", zip.clone()).await.json(200);
    assert_eq!(dry["outcome"], "create");
    assert_eq!(dry["role"]["assets"]["avatar"]["width"], 512);
    alice.get("/api/v1/roles/words-john").await.problem(404, "NOT_FOUND");
    let created = alice.put("words-john", "0.1.0", "", zip.clone()).await.json(201);
    assert_eq!(created["role"]["assets"], dry["role"]["assets"]);
    let again = alice.put("words-john", "0.1.0", "?dryRun=true", zip).await.json(200);
    assert_eq!(again["outcome"], "unchanged");
    let bad = alice.put("words-john", "0.1.0", "?dryRun=yes", minimal("words-john", "0.1.0")).await;
    bad.problem(400, "REQUEST_INVALID");
}

#[tokio::test]
async fn a_body_is_checked_against_its_digest_type_and_limit() {
    let app = TestApp::start_with(|config| config.limits.zip_bytes = 200_000).await;
    let alice = app.publisher("alice").await;
    let zip = minimal("words-john", "0.1.0");
    let request = |zip: &Bytes| alice.request(Method::PUT, "/api/v1/roles/words-john/versions/0.1.0").body(zip.clone());
    let digest = |bytes: &[u8]| {
        let encoded = base64::engine::general_purpose::STANDARD.encode(Sha256Digest::of(bytes).as_bytes());
        format!("sha-256=:{encoded}:")
    };
    let zip_type = ("content-type", "application/zip");

    Answer::of(request(&zip)).await.problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let text = request(&zip).header("content-type", "text/plain");
    Answer::of(text).await.problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let wrong = request(&zip).header(zip_type.0, zip_type.1).header("content-digest", digest(b"other"));
    Answer::of(wrong).await.problem(400, "UPLOAD_DIGEST_MISMATCH");
    let odd = request(&zip).header(zip_type.0, zip_type.1).header("content-digest", "sha-256=x");
    Answer::of(odd).await.problem(400, "REQUEST_INVALID");
    let large = Bytes::from(vec![0; 200_001]);
    let too_large = request(&large).header(zip_type.0, zip_type.1);
    Answer::of(too_large).await.problem(413, "PAYLOAD_TOO_LARGE");
    let chunks = futures_util::stream::iter((0..30).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![0; 10_000]))));
    let chunked = request(&zip).header(zip_type.0, zip_type.1).body(reqwest::Body::wrap_stream(chunks));
    Answer::of(chunked).await.problem(413, "PAYLOAD_TOO_LARGE");
    let good = request(&zip).header(zip_type.0, zip_type.1).header("content-digest", digest(&zip));
    Answer::of(good).await.json(201);
}

#[tokio::test]
async fn of_many_equal_uploads_at_once_one_creates_and_the_others_find_it() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let zip = minimal("words-john", "0.1.0");
    let answers = join_all((0..200).map(|_| alice.put("words-john", "0.1.0", "", zip.clone()))).await;
    let outcomes: Vec<Value> = answers.iter().map(|answer| serde_json::from_slice(&answer.body).unwrap()).collect();
    let count = |outcome: &str| outcomes.iter().filter(|body| body["outcome"] == outcome).count();
    assert_eq!((count("create"), count("unchanged")), (1, 199), "{:#}", outcomes[0]);
}

#[tokio::test]
async fn of_many_different_uploads_of_one_version_exactly_one_wins() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let zips: Vec<Bytes> = (0..40)
        .map(|n| PackageBuilder::role("race").version("1.0.0").text(&format!("Race {n}"), "s").build())
        .collect();
    let answers = join_all(zips.iter().map(|zip| alice.put("race", "1.0.0", "", zip.clone()))).await;
    let winners: Vec<usize> = (0..40).filter(|n| answers[*n].status == 201).collect();
    let &[winner] = winners.as_slice() else { panic!("{} uploads won", winners.len()) };
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.problem(409, "ROLE_VERSION_IMMUTABLE_CONFLICT");
    }
    let role = alice.get("/api/v1/roles/race").await.json(200);
    assert_eq!(role["title"], format!("Race {winner}"));
    assert_eq!(alice.get("/api/v1/roles/race/versions/1.0.0/download").await.body, zips[winner]);
}

#[tokio::test]
async fn of_many_publishers_of_one_new_role_exactly_one_owns_it() {
    let app = TestApp::start().await;
    let mut publishers = Vec::new();
    for n in 0..12 {
        publishers.push(app.publisher(&format!("publisher-{n}")).await);
    }
    let uploads = publishers.iter().enumerate().map(|(n, publisher)| {
        let zip = PackageBuilder::role("race").version(&format!("1.{n}.0")).build();
        async move { publisher.put("race", &format!("1.{n}.0"), "", zip).await }
    });
    let answers = join_all(uploads).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.problem(403, "ROLE_PUBLISH_FORBIDDEN");
    }
}

#[tokio::test]
async fn the_publishers_own_report_of_setup_check_is_frozen_with_the_version() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let put = |check: &str| {
        let zip = minimal("words-john", "0.1.0");
        let request = alice.request(Method::PUT, "/api/v1/roles/words-john/versions/0.1.0").body(zip);
        Answer::of(request.header("content-type", "application/zip").header("role-setup-check", check))
    };
    put("not base64").await.problem(400, "REQUEST_INVALID");
    let json = r#"{"exitStatus":0,"at":"2026-01-05T12:00:00Z","uv":"0.9.1","python":"3.11.9"}"#;
    put(&base64::engine::general_purpose::STANDARD.encode(json)).await.json(201);
    let report = alice.get("/api/v1/roles/words-john/versions/0.1.0/report").await.json(200);
    assert_eq!(report["setupCheck"], serde_json::from_str::<Value>(json).unwrap());
    assert!(report["rules"].as_array().unwrap().iter().any(|rule| rule == "A01"));
}

/// The sequences of the package cases: several publishes in a row.
#[tokio::test]
async fn each_sequence_of_publishes_ends_as_stated() {
    let cases = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let read = |name: &str| std::fs::read(cases.join(name)).unwrap();
    let sequences: Vec<Value> = serde_json::from_slice(&read("sequences.json")).unwrap();
    assert!(sequences.len() >= 5);
    for sequence in sequences {
        let app = TestApp::start().await;
        let alice = app.publisher("alice").await;
        for step in sequence["steps"].as_array().unwrap() {
            let zip = Bytes::from(read(step["file"].as_str().unwrap()));
            let limits = role_catalog::domain::Limits::default();
            let (id, version) = match role_catalog::package::validate(zip.clone(), &limits, None) {
                Ok(package) => (package.manifest().id.to_string(), package.manifest().version.to_string()),
                Err(report) => (report.role_id.unwrap(), report.version.unwrap()),
            };
            let answer = alice.put(&id, &version, "", zip).await;
            let what = format!("{}: {}", sequence["title"], step["file"]);
            match step["expect"].as_str().unwrap() {
                "create" => assert_eq!(answer.json(201)["outcome"], "create", "{what}"),
                "unchanged" => assert_eq!(answer.json(200)["outcome"], "unchanged", "{what}"),
                _ => {
                    assert!(answer.status.is_client_error(), "{what}");
                    if let Some(code) = step["code"].as_str() {
                        answer.problem(answer.status.as_u16(), code);
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_document_of_a_version_is_packed_tagged_and_not_sent_again() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    alice.put("words-john", "0.1.0", "", minimal("words-john", "0.1.0")).await.json(201);
    let path = "/api/v1/roles/words-john/versions/0.1.0/files";
    let plain = alice.get(path).await;
    let etag = plain.header("etag").to_owned();
    assert_eq!(etag, format!("\"{}\"", Sha256Digest::of(&plain.body)));
    let packed = alice.get_with(path, "accept-encoding", "br").await;
    assert_eq!((packed.header("content-encoding"), packed.header("etag")), ("br", format!("W/{etag}").as_str()));
    assert_eq!(packed.header("repr-digest"), "", "that of other bytes would be wrong");
    assert_eq!(alice.get_with(path, "if-none-match", &etag).await.status, 304);
}
