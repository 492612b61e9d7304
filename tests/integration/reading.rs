//! Reading the catalog over HTTP: listing, roles, files, caching, and what errors look like.

use std::collections::BTreeSet;

use bytes::Bytes;
use reqwest::Method;
use role_catalog::domain::Sha256Digest;
use serde_json::Value;

use crate::support::app::{Answer, Client, TestApp};
use crate::support::package_builder::PackageBuilder;

async fn publish(client: &Client, builder: PackageBuilder, id: &str, version: &str) -> Value {
    client.put(id, version, "", builder.version(version).build()).await.json(201)
}

async fn with_role() -> (TestApp, Client, Bytes) {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let zip = PackageBuilder::role("words-john").version("0.1.0").with_pictures().build();
    alice.put("words-john", "0.1.0", "", zip.clone()).await.json(201);
    let visitor = app.visitor();
    (app, visitor, zip)
}

#[tokio::test]
async fn a_listing_item_carries_every_key() {
    let (_app, visitor, _) = with_role().await;
    let listing = visitor.get("/api/v1/roles").await.json(200);
    assert_eq!((&listing["total"], &listing["nextCursor"], &listing["revision"]), (&1.into(), &Value::Null, &1.into()));
    let item = listing["roles"][0].as_object().unwrap();
    let keys: Vec<&str> = item.keys().map(String::as_str).collect();
    let documented = [
        "assets",
        "dependencyMode",
        "downloads",
        "entry",
        "kind",
        "license",
        "locale",
        "locales",
        "minAppVersion",
        "package",
        "publishedAt",
        "publisher",
        "remembersProgress",
        "roleId",
        "status",
        "statusReason",
        "summary",
        "title",
        "updatedAt",
        "version",
    ];
    assert_eq!(keys, documented);
    let exact = visitor.get("/api/v1/roles/words-john/versions/0.1.0").await.json(200);
    assert_eq!(exact.as_object().unwrap(), item);
    let role = visitor.get("/api/v1/roles/words-john").await.json(200);
    assert_eq!(role["latest"], "0.1.0");
    assert_eq!(role["versions"], visitor.get("/api/v1/roles/words-john/versions").await.json(200)["versions"]);
}

#[tokio::test]
async fn every_url_in_an_item_answers() {
    let (_app, visitor, _) = with_role().await;
    let item = visitor.get("/api/v1/roles").await.json(200)["roles"][0].clone();
    let mut urls = Vec::new();
    collect_urls(&item, &mut urls);
    assert_eq!(urls.len(), 1 + 4 + 2 + 2, "zip, avatar, cover, screenshot and their variants: {urls:?}");
    for url in urls {
        let answer = visitor.get(&url).await;
        assert_eq!(answer.status, 200, "{url}");
        assert_eq!(answer.header("etag"), format!("\"{}\"", Sha256Digest::of(&answer.body)), "{url}");
        if url.contains("/assets/") {
            assert_eq!(answer.header("content-type"), "image/webp");
            assert_eq!((&answer.body[..4], &answer.body[8..12]), (&b"RIFF"[..], &b"WEBP"[..]));
        }
    }
}

fn collect_urls(value: &Value, urls: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            urls.extend(object.get("url").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| collect_urls(value, urls));
        }
        Value::Array(array) => array.iter().for_each(|value| collect_urls(value, urls)),
        _ => {}
    }
}

#[tokio::test]
async fn latest_is_the_highest_release_whatever_the_order_of_publication() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    for version in ["1.0.0-alpha.10", "0.10.0", "1.0.0-rc.1", "0.9.0", "1.0.0-alpha.9"] {
        publish(&alice, PackageBuilder::role("tutor"), "tutor", version).await;
    }
    let role = alice.get("/api/v1/roles/tutor").await.json(200);
    assert_eq!((&role["latest"], &role["version"]), (&"0.10.0".into(), &"0.10.0".into()));
    let versions: Vec<&str> =
        role["versions"].as_array().unwrap().iter().map(|v| v["version"].as_str().unwrap()).collect();
    assert_eq!(versions, ["1.0.0-rc.1", "1.0.0-alpha.10", "1.0.0-alpha.9", "0.10.0", "0.9.0"]);
    assert_eq!(alice.get("/api/v1/roles").await.json(200)["roles"][0]["version"], "0.10.0");
    let moved = alice.get("/api/v1/roles/tutor/versions/latest").await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (302, "/api/v1/roles/tutor/versions/0.10.0"));
    publish(&alice, PackageBuilder::role("tutor"), "tutor", "1.0.0+build.5").await;
    assert_eq!(alice.get("/api/v1/roles/tutor").await.json(200)["latest"], "1.0.0+build.5");
}

#[tokio::test]
async fn the_text_is_in_the_language_asked_for_or_says_what_it_is_in() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let i18n = "[i18n.ar]\ntitle = \"معلم\"\nsummary = \"محادثة\"\n[i18n.\"zh-CN\"]\ntitle = \"英语老师\"\nsummary = \"对话\"\n\
                [i18n.\"zh-TW\"]\ntitle = \"英語老師\"\nsummary = \"對話\"\n";
    let builder = PackageBuilder::role("tutor").text("Teacher", "Talks.").manifest_extra(i18n);
    publish(&alice, builder, "tutor", "1.0.0").await;
    for (asked, title, shown) in [
        ("zh-CN", "英语老师", Some("zh-CN")),
        ("zh-sg", "英语老师", Some("zh-CN")),
        ("zh-HK", "英語老師", Some("zh-TW")),
        ("ar-EG", "معلم", Some("ar")),
        ("fr", "Teacher", None),
        ("xx-YY", "Teacher", None),
    ] {
        let item = &alice.get(&format!("/api/v1/roles?locale={asked}")).await.json(200)["roles"][0];
        assert_eq!((&item["title"], item["locale"].as_str()), (&title.into(), shown), "{asked}");
    }
    assert_eq!(alice.get("/api/v1/roles/tutor").await.json(200)["i18n"]["ar"]["summary"], "محادثة");
    alice.get("/api/v1/roles?locale=not_a_tag").await.problem(400, "REQUEST_INVALID");
}

#[tokio::test]
async fn pages_of_a_listing_neither_skip_nor_repeat_while_roles_are_published() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    for n in 0..15 {
        let builder = PackageBuilder::role(&format!("page-{n}")).text(&format!("Title {}", 99 - n), "s");
        publish(&alice, builder, &format!("page-{n}"), "1.0.0").await;
    }
    for sort in ["new", "name", "updated", "downloads"] {
        let mut seen = Vec::new();
        let mut cursor = String::new();
        for page in 0..20 {
            let listing = alice.get(&format!("/api/v1/roles?sort={sort}&limit=4{cursor}")).await.json(200);
            seen.extend(
                listing["roles"].as_array().unwrap().iter().map(|role| role["roleId"].as_str().unwrap().to_owned()),
            );
            let late = format!("late-{sort}-{page}");
            publish(&alice, PackageBuilder::role(&late), &late, "1.0.0").await;
            match listing["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let old = |id: &&String| id.starts_with("page-");
        assert_eq!(seen.iter().filter(old).count(), 15, "{sort}: {seen:?}");
        assert_eq!(seen.iter().filter(old).collect::<BTreeSet<_>>().len(), 15, "{sort}");
    }
}

#[tokio::test]
async fn a_cursor_belongs_to_its_sort_and_filters() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    for id in ["a", "b", "c"] {
        publish(&alice, PackageBuilder::role(id), id, "1.0.0").await;
    }
    let listing = alice.get("/api/v1/roles?sort=new&limit=1").await.json(200);
    let cursor = listing["nextCursor"].as_str().unwrap();
    alice.get(&format!("/api/v1/roles?sort=new&limit=2&cursor={cursor}")).await.json(200);
    for other in ["sort=name", "sort=new&kind=role"] {
        alice.get(&format!("/api/v1/roles?{other}&cursor={cursor}")).await.problem(400, "CURSOR_INVALID");
    }
    alice.get("/api/v1/roles?cursor=rubbish").await.problem(400, "CURSOR_INVALID");
}

#[tokio::test]
async fn kinds_are_told_apart() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    publish(&alice, PackageBuilder::role("talks"), "talks", "1.0.0").await;
    publish(&alice, PackageBuilder::application("plays"), "plays", "1.0.0").await;
    for (kind, id) in [("role", "talks"), ("application", "plays")] {
        let listing = alice.get(&format!("/api/v1/roles?kind={kind}")).await.json(200);
        assert_eq!((&listing["total"], &listing["roles"][0]["roleId"]), (&1.into(), &id.into()));
    }
    let entry = &alice.get("/api/v1/roles/plays").await.json(200)["entry"];
    assert_eq!(entry["target"], "agapps/game/index.html");
}

#[tokio::test]
async fn bad_parameters_are_named() {
    let app = TestApp::start().await;
    let visitor = app.visitor();
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=-1", "limit"),
        ("limit=abc", "limit"),
        ("limit=", "limit"),
        ("limit=101", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("sort=best", "sort"),
        ("kind=agent", "kind"),
        ("locale=%ff", "locale"),
    ] {
        let problem = visitor.get(&format!("/api/v1/roles?{query}")).await.problem(400, "REQUEST_INVALID");
        assert_eq!(problem["issues"][0]["field"], field, "{query}");
    }
    visitor.get("/api/v1/roles?unknown=1&%=&limit=5").await.json(200);
}

#[tokio::test]
async fn a_download_is_the_published_zip_byte_for_byte() {
    let (_app, visitor, zip) = with_role().await;
    let path = "/api/v1/roles/words-john/versions/0.1.0/download";
    let answer = visitor.get(path).await;
    assert_eq!(answer.body, zip);
    assert_eq!(answer.header("content-type"), "application/zip");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"words-john-0.1.0.zip\"");
    assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(answer.header("cdn-cache-control"), "public, max-age=300");
    assert_eq!(answer.header("cache-tag"), "role-words-john");
    assert!(answer.header("repr-digest").starts_with("sha-256=:"));

    let part = visitor.get_with(path, "range", "bytes=10-19").await;
    assert_eq!((part.status.as_u16(), &part.body[..]), (206, &zip[10..20]));
    assert_eq!(part.header("content-range"), format!("bytes 10-19/{}", zip.len()));
    let beyond = visitor.get_with(path, "range", "bytes=99999999-").await;
    beyond.problem(416, "RANGE_NOT_SATISFIABLE");
    assert_eq!(beyond.header("content-range"), format!("bytes */{}", zip.len()));
    let etag = answer.header("etag");
    let resumed =
        Answer::of(visitor.request(Method::GET, path).header("range", "bytes=5-").header("if-range", etag)).await;
    assert_eq!((resumed.status.as_u16(), &resumed.body[..]), (206, &zip[5..]));
    let changed =
        Answer::of(visitor.request(Method::GET, path).header("range", "bytes=5-").header("if-range", "\"x\"")).await;
    assert_eq!((changed.status.as_u16(), changed.body.len()), (200, zip.len()));
    let packed = Answer::of(visitor.request(Method::GET, path).header("accept-encoding", "gzip, br")).await;
    assert_eq!((packed.header("content-encoding"), packed.body.len()), ("", zip.len()));
}

#[tokio::test]
async fn head_tells_what_get_would_and_known_answers_are_not_sent_again() {
    let (_app, visitor, _) = with_role().await;
    for path in [
        "/api/v1/roles",
        "/api/v1/roles/words-john",
        "/api/v1/roles/words-john/versions",
        "/api/v1/roles/words-john/versions/0.1.0",
        "/api/v1/roles/words-john/versions/0.1.0/download",
        "/api/v1/roles/words-john/versions/0.1.0/assets/avatar.webp",
        "/api/v1/roles/words-john/versions/0.1.0/files",
        "/api/v1/roles/words-john/versions/0.1.0/manifest",
        "/api/v1/roles/words-john/versions/0.1.0/report",
        "/en/",
        "/zh-CN/roles/words-john",
        "/docs/errors/NOT_FOUND",
        "/api/v1/nothing",
        "/nothing",
    ] {
        let (get, head) = (visitor.get(path).await, visitor.head(path).await);
        assert_eq!(head.status, get.status, "{path}");
        assert!(head.body.is_empty());
        for name in ["content-type", "content-length", "etag", "cache-control", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {path}");
        }
        assert!(!get.header("cache-control").is_empty(), "{path}");
        if get.status != 200 {
            continue;
        }
        let etag = get.header("etag");
        let opaque = etag.trim_start_matches("W/");
        for known in [opaque, &format!("W/{opaque}"), &format!("\"x\", {opaque}"), "*"] {
            let answer = visitor.get_with(path, "if-none-match", known).await;
            assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0), "{path} {known}");
            for name in ["etag", "cache-control", "vary"] {
                assert_eq!(answer.header(name), get.header(name), "{name} of {path}");
            }
        }
        for other in ["\"x\"", opaque.trim_matches('"')] {
            assert_eq!(visitor.get_with(path, "if-none-match", other).await.status, 200, "{path} {other}");
        }
    }
}

#[tokio::test]
async fn tags_change_with_the_data_and_last_over_a_restart() {
    let (app, visitor, _) = with_role().await;
    let tag = |answer: Answer| answer.header("etag").to_owned();
    let alice = app.publisher("alice").await;
    let first = tag(visitor.get("/api/v1/roles").await);
    assert_eq!(tag(visitor.get("/api/v1/roles").await), first);
    publish(&alice, PackageBuilder::role("words-john"), "words-john", "0.2.0").await;
    let second = tag(visitor.get("/api/v1/roles").await);
    assert_ne!(second, first);
    assert_eq!(visitor.get_with("/api/v1/roles", "if-none-match", &first).await.status, 200);
    assert_ne!(tag(visitor.get("/api/v1/roles?limit=5").await), second);
    let app = app.restart().await;
    assert_eq!(tag(app.visitor().get("/api/v1/roles").await), second);
    assert_eq!(app.visitor().get("/api/v1/roles/words-john").await.json(200)["latest"], "0.2.0");
}

#[tokio::test]
async fn answers_are_compressed_as_the_client_likes() {
    let (_app, visitor, _) = with_role().await;
    for (accepted, coding) in [("gzip", "gzip"), ("br", "br"), ("zstd", "zstd"), ("br;q=0", ""), ("identity", "")] {
        let answer = visitor.get_with("/api/v1/roles", "accept-encoding", accepted).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, coding));
        assert_eq!(answer.header("vary"), "accept-encoding");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_the_catalog_declares_is_an_asset() {
    let (app, _, _) = with_role().await;
    for name in [
        "../../../../../../etc/passwd",
        "/etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/x",
        "..%5c..%5cx",
        "%252e%252e%252fx",
        "screenshots/../avatar.webp",
        "avatar.webp%00.txt",
        "AVATAR.WEBP",
        "avatar.png",
        "role.md",
        "agotalk.role.toml",
        "intro.html",
        "screenshots/1.webp",
        "screenshots/99.webp",
        "screenshots/00.webp",
    ] {
        let head = app.raw_get(&format!("/api/v1/roles/words-john/versions/0.1.0/assets/{name}"));
        assert!(head.starts_with("HTTP/1.1 404 "), "{name}: {head}");
        assert!(head.contains("cache-control: public, max-age=30\r\n"), "{name}: {head}");
    }
}

#[tokio::test]
async fn every_error_below_api_is_a_problem_document() {
    let (_app, visitor, _) = with_role().await;
    for path in [
        "/api",
        "/api/v1/nope",
        "/api/v9/roles",
        "/api//v1/roles",
        "/api/v1/roles/%zz",
        "/api/v1/roles/%ff%fe",
        "/api/v1/roles/%00",
        "/api/v1/roles/Words-John",
        "/api/v1/roles/nope",
        "/api/v1/roles/words-john/versions/9.9.9",
        "/api/v1/roles/words-john/versions/%ff/assets/avatar.webp",
        "/api/v1/roles/words-john/versions/9.9.9/download",
    ] {
        let answer = visitor.get(path).await;
        answer.problem(404, "NOT_FOUND");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
    }
    for (method, path, allowed) in [
        (Method::DELETE, "/api/v1/roles", "GET,HEAD"),
        (Method::POST, "/api/v1/roles/words-john", "GET,HEAD"),
        (Method::POST, "/api/v1/roles/words-john/versions/0.1.0", "GET,HEAD,PUT"),
    ] {
        let answer = Answer::of(visitor.request(method, path)).await;
        answer.problem(405, "METHOD_NOT_ALLOWED");
        assert_eq!(answer.header("allow"), allowed, "{path}");
    }
    let encoded = visitor.get("/api/v1/roles/%77ords-john").await;
    assert_eq!(encoded.json(200)["roleId"], "words-john");
}

#[tokio::test]
async fn what_was_frozen_at_publication_is_served() {
    let (_app, visitor, _) = with_role().await;
    let files = visitor.get("/api/v1/roles/words-john/versions/0.1.0/files").await.json(200);
    let paths: Vec<&str> =
        files["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["agotalk.role.toml", "assets/1.png", "assets/cover.png", "avatar.png", "role.md"]);
    let manifest = visitor.get("/api/v1/roles/words-john/versions/0.1.0/manifest").await.json(200);
    assert_eq!((&manifest["id"], &manifest["schema_version"]), (&"words-john".into(), &1.into()));
}

#[tokio::test]
async fn an_object_that_was_lost_or_cut_is_never_served_as_if_whole() {
    let (app, visitor, _) = with_role().await;
    let path = "/api/v1/roles/words-john/versions/0.1.0/download";
    let mut zips = Vec::new();
    find_files(&app.data_dir().join("objects"), &mut zips);
    let zip = zips.iter().find(|path| path.extension().is_some_and(|e| e == "zip")).unwrap();
    std::fs::OpenOptions::new().write(true).open(zip).unwrap().set_len(100).unwrap();
    let cut = visitor.get(path).await;
    cut.problem(503, "UNAVAILABLE");
    assert_eq!(cut.header("cache-control"), "no-store");
    std::fs::remove_file(zip).unwrap();
    visitor.get(path).await.problem(503, "UNAVAILABLE");
    assert_eq!(visitor.head(path).await.status, 503, "HEAD tells what GET would");
    visitor.get("/api/v1/roles").await.json(200);
}

fn find_files(dir: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { find_files(&path, found) } else { found.push(path) }
    }
}

#[tokio::test]
async fn health_is_plain_and_never_kept() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/readyz"] {
        let answer = app.visitor().get(path).await;
        assert_eq!((answer.status.as_u16(), answer.text(), answer.header("cache-control")), (200, "ok\n", "no-store"));
    }
}
