//! Text search and the filters of the listing.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::Value;

use crate::support::app::{Answer, Client, TestApp};
use crate::support::package_builder::PackageBuilder;

async fn publish(client: &Client, id: &str, version: &str, builder: PackageBuilder) {
    client.put(id, version, "", builder.version(version).build()).await.json(201);
}

/// A role with this title whose other texts hold nothing that is searched for here.
fn titled(id: &str, title: &str) -> PackageBuilder {
    PackageBuilder::role(id).text(title, "A summary.").file("role.md", role_md("Some text."))
}

fn role_md(narrative: &str) -> String {
    format!("---\ntitle: \"T\"\ndescription: \"D\"\n---\n\n{narrative}\n")
}

fn i18n(tag: &str, title: &str, summary: &str) -> String {
    format!("\n[i18n.\"{tag}\"]\ntitle = \"{title}\"\nsummary = \"{summary}\"\n")
}

async fn list(client: &Client, parameters: &[(&str, &str)]) -> Answer {
    Answer::of(client.request(Method::GET, "/api/v1/roles").query(parameters)).await
}

fn ids(listing: &Value) -> Vec<&str> {
    listing["roles"].as_array().unwrap().iter().map(|role| role["roleId"].as_str().unwrap()).collect()
}

/// What a search finds, best first; its total is checked on the way.
async fn found(client: &Client, q: &str) -> Vec<String> {
    let listing = list(client, &[("q", q), ("limit", "100")]).await.json(200);
    let found: Vec<String> = ids(&listing).into_iter().map(str::to_owned).collect();
    assert_eq!(listing["total"], found.len(), "{q}");
    found
}

#[tokio::test]
async fn no_character_of_a_query_is_an_operator() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    publish(&alice, "multi-agent-helper", "1.0.0", titled("multi-agent-helper", "multi-agent helper")).await;
    publish(&alice, "half-off", "1.0.0", titled("half-off", "50% off")).await;
    publish(
        &alice,
        "smile",
        "1.0.0",
        titled("smile", "A 😀 face").manifest_extra(&i18n("de", "Ein_Gesicht", "\\\"\\\" ~ \\\\")),
    )
    .await;

    let long = "a ".repeat(5_000);
    let longer = "a".repeat(10_000);
    let texts = [
        "\"",
        "a\"b",
        "*",
        "a*",
        "AND",
        "OR OR",
        "NOT",
        "NEAR(",
        "^a",
        "title:x",
        "{title}:x",
        "(",
        "'",
        "\\",
        "-",
        "'; DROP TABLE roles;--",
        "\u{0}",
        "x\u{0}y",
        "👩\u{200D}🏫",
        "\u{FFFF}",
        "\u{202E}",
        &long,
        &longer,
    ];
    for q in texts {
        let begun = Instant::now();
        for answer in
            [list(&alice, &[("q", q)]).await, Answer::of(alice.request(Method::GET, "/en/").query(&[("q", q)])).await]
        {
            assert_eq!(answer.status, 200, "{q:.20}");
            let body = answer.text().to_lowercase();
            assert!(!["fts5", "syntax error", "sql error"].iter().any(|leak| body.contains(leak)), "{q:.20}");
        }
        assert!(begun.elapsed() < Duration::from_secs(1), "{q:.20} took {:?}", begun.elapsed());
    }
    assert_eq!(found(&alice, "multi-agent").await, ["multi-agent-helper"]);
    assert_eq!(found(&alice, "%").await, ["half-off"]);
    assert_eq!(found(&alice, "_").await, ["smile"]);
    assert_eq!(found(&alice, "😀").await, ["smile"]);
    assert_eq!(found(&alice, "-").await, ["half-off", "multi-agent-helper"]);
    for q in ["~", "\"", "\"\"", "\\"] {
        assert_eq!(found(&alice, q).await, ["smile"], "{q} stands in its German summary");
    }
    for q in ["%_", "[", "{\"", "\"\"\"", "?"] {
        assert!(found(&alice, q).await.is_empty(), "{q}");
    }
    for blank in ["", "   ", "\u{0}"] {
        assert_eq!(found(&alice, blank).await.len(), 3, "{blank:?} is no filter");
    }
}

#[tokio::test]
async fn words_of_scripts_without_spaces_are_found_at_any_place_in_the_right_order() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let texts = [
        ("ar", "معلم", "ملخص"),
        ("zh-CN", "英语对话老师", "一位老师"),
        ("ja", "英会話パートナー", "ポケットテスト"),
        ("ko", "영어 선생님", "대화"),
        ("th", "ครูสอนภาษา", "สนทนา"),
        ("de", "Ägyptisch Üben", "Straße"),
    ];
    let tables: String = texts.iter().map(|(tag, title, summary)| i18n(tag, title, summary)).collect();
    let role = titled("ok-i18n", "English Conversation Teacher").manifest_extra(&tables);
    publish(&alice, "ok-i18n", "1.0.0", role).await;
    let found_ones = "英语 老师 对话 对话老师 英语对话老师 师 英会話 会話 パートナー パート ﾊﾟｰﾄ テスト معلم 영어 선생 님 \
                      สอน agyptisch UBEN uben strasse STRASSE Üben conversation convers";
    for q in found_ones.split(' ').chain(["老师 英语", "英语teacher", "ＥＮＧＬＩＳＨ"]) {
        assert_eq!(found(&alice, q).await, ["ok-i18n"], "{q}");
    }
    for q in ["数学", "语英", "师一", "话老师英", "英语 数学", "nversation", "english maths"] {
        assert!(found(&alice, q).await.is_empty(), "{q}");
    }
}

#[tokio::test]
async fn the_index_holds_the_latest_version_from_the_moment_its_publish_returns() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    publish(&alice, "fresh-one", "1.0.0", titled("fresh-one", "Quokkatrainer")).await;
    assert_eq!(found(&alice, "Quokkatrainer").await, ["fresh-one"]);
    publish(&alice, "fresh-one", "1.1.0", titled("fresh-one", "Wombatcoach")).await;
    publish(&alice, "fresh-one", "1.0.1", titled("fresh-one", "Koalaguide")).await;
    assert_wombat_alone(&alice).await;
    let app = app.restart().await;
    assert_wombat_alone(&app.visitor()).await;
}

async fn assert_wombat_alone(client: &Client) {
    assert_eq!(found(client, "Wombatcoach").await, ["fresh-one"]);
    assert!(found(client, "Quokkatrainer").await.is_empty());
    assert!(found(client, "Koalaguide").await.is_empty());
}

#[tokio::test]
async fn ids_come_first_then_titles_summaries_and_texts() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    publish(&alice, "in-text", "1.0.0", titled("in-text", "T").file("role.md", role_md("Talks about chess."))).await;
    publish(&alice, "in-summary", "1.0.0", titled("in-summary", "T").text("T", "All of chess.")).await;
    publish(&alice, "z-in-title", "1.0.0", titled("z-in-title", "Chess")).await;
    publish(&alice, "play-chess", "1.0.0", titled("play-chess", "T")).await;
    publish(&alice, "chess-coach", "1.0.0", titled("chess-coach", "T")).await;
    publish(&alice, "chess", "1.0.0", titled("chess", "T")).await;
    publish(&alice, "other", "1.0.0", titled("other", "T")).await;
    let ranked = ["chess", "chess-coach", "play-chess", "z-in-title", "in-summary", "in-text"];
    assert_eq!(found(&alice, "Chess").await, ranked);
    assert_eq!(found(&alice, "chess coach").await, ["chess-coach"]);
}

#[tokio::test]
async fn one_wrong_letter_in_a_title_s_word_is_forgiven_when_nothing_else_is_found() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    let tutor = titled("one", "Patient Tutor").file("role.md", role_md("Explains grammar."));
    publish(&alice, "one", "1.0.0", tutor).await;
    publish(&alice, "two", "1.0.0", titled("two", "Übungsleiter")).await;
    for q in ["tutro", "tutar", "tuttor", "ttor", "patiant tutor", "Pateint tuto", "patient tutro", "grammar tutro"] {
        assert_eq!(found(&alice, q).await, ["one"], "{q}");
    }
    assert_eq!(found(&alice, "ubungslieter").await, ["two"]);
    for q in ["tuxxr", "tutro ubungsleiter", "gramar", "smmary"] {
        assert!(found(&alice, q).await.is_empty(), "{q}");
    }
    publish(&alice, "three", "1.0.0", titled("three", "Tutro")).await;
    assert_eq!(found(&alice, "tutro").await, ["three"], "what is found exactly needs no guessing");
}

#[tokio::test]
async fn a_catalog_from_before_the_index_is_searched_like_any_other() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    publish(&alice, "older", "1.0.0", titled("older", "Wombatcoach")).await;
    let database = app.data_dir().join("catalog.sqlite");
    let dir = tempfile::tempdir().unwrap();
    app.opened.catalog.close().await;
    std::fs::copy(database, dir.path().join("catalog.sqlite")).unwrap();
    forget_the_index(&dir.path().join("catalog.sqlite")).await;
    let catalog = role_catalog::catalog::Catalog::open(dir.path()).await.unwrap();
    let query = role_catalog::catalog::ListQuery {
        q: role_catalog::catalog::SearchText::parse("wombat"),
        filters: role_catalog::catalog::Filters::default(),
        sort: role_catalog::catalog::Sort::Relevance,
        limit: 1,
        start: role_catalog::catalog::Start::Skip(0),
    };
    assert_eq!(catalog.list(&query).await.unwrap().total, 1);
}

/// Takes the database back to the schema before the search.
async fn forget_the_index(database: &std::path::Path) {
    use sqlx::{Connection as _, Executor as _};
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(database);
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
    connection
        .execute(
            "DROP TABLE search; DROP TABLE title_words; DROP TABLE search_rules; DROP INDEX roles_by_latest_version;
             DELETE FROM _sqlx_migrations WHERE version = 2",
        )
        .await
        .unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn pages_of_a_search_neither_skip_nor_repeat_while_roles_are_published() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    for i in 0..14 {
        let id = format!("page-{i}");
        publish(&alice, &id, "1.0.0", titled(&id, "A page")).await;
    }
    for (round, sort) in ["relevance", "new", "name", "updated", "downloads"].into_iter().enumerate() {
        let mut seen = Vec::new();
        let mut cursor = String::new();
        let mut pages = 0;
        loop {
            let parameters = [("q", "page"), ("sort", sort), ("limit", "4"), ("cursor", &cursor)];
            let listing = list(&alice, &parameters).await.json(200);
            seen.extend(ids(&listing).into_iter().map(str::to_owned));
            pages += 1;
            assert!(pages < 20, "{sort} goes on for ever");
            let late = format!("zpage-{round}-{pages}");
            publish(&alice, &late, "1.0.0", titled(&late, "A page")).await;
            let version = format!("1.{round}.{pages}");
            publish(&alice, &seen[0].clone(), &version, titled(&seen[0], "A page")).await;
            let Some(next) = listing["nextCursor"].as_str() else { break };
            cursor = next.to_owned();
        }
        for i in 0..14 {
            let times = seen.iter().filter(|id| **id == format!("page-{i}")).count();
            assert_eq!(times, 1, "{sort}: page-{i} in {seen:?}");
        }
    }
}

#[tokio::test]
async fn a_cursor_of_a_search_belongs_to_its_words_and_filters() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    for id in ["page-1", "page-2"] {
        publish(&alice, id, "1.0.0", titled(id, "A page")).await;
    }
    let listing = list(&alice, &[("q", "page"), ("limit", "1")]).await.json(200);
    let cursor = listing["nextCursor"].as_str().unwrap();
    let same = [("q", " page "), ("sort", "relevance"), ("cursor", cursor)];
    assert_eq!(ids(&list(&alice, &same).await.json(200)), ["page-2"]);
    for other in [
        &[][..],
        &[("q", "pages")],
        &[("q", "page"), ("sort", "new")],
        &[("q", "page"), ("kind", "role")],
        &[("q", "page"), ("publisher", "alice")],
        &[("q", "page"), ("prerelease", "true")],
        &[("q", "page"), ("appVersion", "1.0.0")],
    ] {
        let parameters = [other, &[("cursor", cursor)]].concat();
        list(&alice, &parameters).await.problem(400, "CURSOR_INVALID");
    }
    // A forged one whose position is of another order.
    let forged = list(&alice, &[("sort", "name"), ("limit", "1")]).await.json(200);
    list(&alice, &[("q", "page"), ("cursor", forged["nextCursor"].as_str().unwrap())])
        .await
        .problem(400, "CURSOR_INVALID");
}

#[tokio::test]
async fn filters_choose_versions_as_well_as_roles() {
    let app = TestApp::start().await;
    let (alice, bob) = (app.publisher("alice").await, app.publisher("bob").await);
    let german = i18n("de", "Hallo", "Hallo.");
    publish(&alice, "one", "1.0.0", titled("one", "One").manifest_extra(&german)).await;
    let newer = "schema_version = 1\nid = \"one\"\nversion = \"2.0.0\"\ntitle = \"One\"\nsummary = \"S.\"\n\
                 kind = \"role\"\nlicense = \"free\"\nmin_app_version = \"0.2.0\"\n\n[state]\n\
                 remembers_progress = false\n\n[environment]\nmanager = \"agotalk\"\ndependency_mode = \"none\"\n";
    publish(&alice, "one", "2.0.0", titled("one", "One").manifest(newer)).await;
    publish(&alice, "one", "3.0.0-rc.1", titled("one", "One")).await;
    publish(&bob, "two", "1.0.0", PackageBuilder::application("two")).await;

    let shown = async |parameters: &[(&str, &str)]| -> Vec<String> {
        let listing = list(&alice, &[parameters, &[("sort", "name")]].concat()).await.json(200);
        let roles = listing["roles"].as_array().unwrap().clone();
        assert_eq!(listing["total"], roles.len(), "{parameters:?}");
        roles.iter().map(|role| format!("{} {}", role["roleId"], role["version"]).replace('"', "")).collect()
    };
    assert_eq!(shown(&[]).await, ["one 2.0.0", "two 1.0.0"]);
    assert_eq!(shown(&[("prerelease", "true")]).await, ["one 3.0.0-rc.1", "two 1.0.0"]);
    assert_eq!(shown(&[("appVersion", "0.1.60")]).await, ["one 1.0.0", "two 1.0.0"]);
    assert_eq!(shown(&[("appVersion", "0.1.60"), ("prerelease", "true")]).await, ["one 3.0.0-rc.1", "two 1.0.0"]);
    assert!(shown(&[("appVersion", "0.1.56")]).await.is_empty());
    assert!(shown(&[("hasLocale", "de")]).await.is_empty(), "the version shown has no German text");
    assert_eq!(shown(&[("hasLocale", "DE"), ("appVersion", "0.1.99"), ("q", "one")]).await, ["one 1.0.0"]);
    assert_eq!(shown(&[("publisher", "bob")]).await, ["two 1.0.0"]);
    assert!(shown(&[("publisher", "carol")]).await.is_empty());
    assert_eq!(shown(&[("dependencyMode", "none")]).await.len(), 2);
    assert!(shown(&[("dependencyMode", "locked")]).await.is_empty());
    assert_eq!(shown(&[("q", "one"), ("kind", "role")]).await, ["one 2.0.0"]);
    assert!(shown(&[("q", "one"), ("kind", "application")]).await.is_empty());
    for (parameter, bad) in
        [("dependencyMode", "some"), ("hasLocale", "!"), ("appVersion", "1"), ("prerelease", "yes"), ("sort", "best")]
    {
        let problem = list(&alice, &[(parameter, bad)]).await.problem(400, "REQUEST_INVALID");
        assert_eq!(problem["issues"][0]["field"], parameter);
    }
}

#[tokio::test]
async fn the_catalog_page_searches_and_its_pages_keep_the_words() {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    for i in 0..30 {
        let id = format!("page-{i:02}");
        publish(&alice, &id, "1.0.0", titled(&id, "A page")).await;
    }
    let links = |page: &Answer| (0..30).filter(|i| page.text().contains(&format!("roles/page-{i:02}\""))).collect();
    let first = alice.get("/en/?q=page").await;
    let second = alice.get("/en/?q=page&page=2").await;
    let (on_first, on_second): (Vec<i32>, Vec<i32>) = (links(&first), links(&second));
    assert_eq!((on_first, on_second), ((0..24).collect(), (24..30).collect()));
    assert!(first.text().contains("q=page&amp;page=2") || first.text().contains("q=page&#38;page=2"));
    assert_eq!(links(&alice.get("/en/?sort=name&page=2").await), (24..30).collect::<Vec<_>>());
    assert!(!alice.get("/en/?q=nothing-like-it").await.text().contains("roles/page-"));
}

/// A role of the random catalogs below.
#[derive(Debug, Clone)]
struct Role {
    title: String,
    summary: String,
    body: String,
    i18n: Option<(String, String)>,
    is_application: bool,
    by_bob: bool,
}

impl Role {
    fn package(&self, id: &str) -> PackageBuilder {
        let builder = if self.is_application { PackageBuilder::application(id) } else { PackageBuilder::role(id) };
        let tables = self.i18n.as_ref().map(|(title, summary)| i18n("zh-CN", title, summary));
        builder
            .text(&self.title, &self.summary)
            .file("role.md", role_md(&self.body))
            .manifest_extra(&tables.unwrap_or_default())
    }

    /// The rank of the best place in which all words stand, by looking at the texts alone.
    fn rank(&self, id: &str, q: &str) -> Option<u8> {
        let (title, summary) = self.i18n.clone().unwrap_or_default();
        let titles = format!("{id} | {} | {title}", self.title);
        let summaries = format!("{titles} | {} | {summary}", self.summary);
        let everything = format!("{summaries} | {}", self.body);
        let as_id = split(q).join("-");
        if !holds_all(&everything, q) {
            None
        } else if as_id == id {
            Some(0)
        } else if id.starts_with(&as_id) {
            Some(1)
        } else if holds_all(&titles, q) {
            Some(2)
        } else if holds_all(&summaries, q) {
            Some(3)
        } else {
            Some(4)
        }
    }
}

fn plain(text: &str) -> String {
    text.to_lowercase().replace('é', "e")
}

/// Latin words and, whole, runs of Han.
fn split(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    for c in plain(text).chars() {
        let starts =
            parts.last().and_then(|part| part.chars().last()).is_some_and(|last| last.is_ascii() != c.is_ascii());
        if starts || !c.is_alphanumeric() {
            parts.push(String::new());
        }
        if c.is_alphanumeric() {
            parts.last_mut().unwrap().push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn holds_all(text: &str, q: &str) -> bool {
    let wanted = split(q);
    let words = split(text);
    wanted.iter().enumerate().all(|(place, part)| {
        words.iter().any(|word| {
            if part.is_ascii() {
                word == part || (part.len() > 1 && place + 1 == wanted.len() && word.starts_with(part))
            } else {
                word.contains(part)
            }
        })
    })
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec("(a|b|ab|Ba|bé|abA|英|英语|语英语|英b)", 1..4).prop_map(|words| words.join(" "))
}

fn role() -> impl Strategy<Value = Role> {
    (text(), text(), text(), prop::option::of((text(), text())), any::<bool>(), any::<bool>()).prop_map(
        |(title, summary, body, i18n, is_application, by_bob)| Role {
            title,
            summary,
            body,
            i18n,
            is_application,
            by_bob,
        },
    )
}

#[test]
fn search_and_filters_find_what_looking_at_every_text_finds() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let ids = ["a", "a-b", "ab", "ab-a", "b-a-b", "ba", "x"];
    let catalogs = prop::collection::vec(role(), ids.len());
    let queries = prop::collection::vec((text(), 0..3_usize, any::<bool>(), any::<bool>()), 12);
    let mut runner = TestRunner::new(Config { cases: 8, failure_persistence: None, ..Config::default() });
    let run = runner.run(&(catalogs, queries), |(roles, queries)| {
        runtime.block_on(async {
            let app = TestApp::start().await;
            let (alice, bob) = (app.publisher("alice").await, app.publisher("bob").await);
            for (id, role) in ids.iter().zip(&roles) {
                let owner = if role.by_bob { &bob } else { &alice };
                // What was indexed before must not be found any more.
                publish(owner, id, "0.0.1", titled(id, "a b ab ba 英语 语英")).await;
                publish(owner, id, "1.0.0", role.package(id)).await;
            }
            for (q, kind, by_bob, has_chinese) in &queries {
                let mut parameters = vec![("q", q.as_str())];
                let kind = [None, Some("role"), Some("application")][*kind];
                parameters.extend(kind.map(|kind| ("kind", kind)));
                parameters.extend(by_bob.then_some(("publisher", "bob")));
                parameters.extend(has_chinese.then_some(("hasLocale", "zh-CN")));
                let mut expected: Vec<(u8, &str)> = ids
                    .iter()
                    .zip(&roles)
                    .filter(|(_, role)| kind.is_none_or(|kind| role.is_application == (kind == "application")))
                    .filter(|(_, role)| (!by_bob || role.by_bob) && (!has_chinese || role.i18n.is_some()))
                    .filter_map(|(id, role)| Some((role.rank(id, q)?, *id)))
                    .collect();
                expected.sort_unstable();
                let expected: Vec<&str> = expected.into_iter().map(|(_, id)| id).collect();
                let mut walked = Vec::new();
                let mut cursor = String::new();
                loop {
                    let page = [&parameters[..], &[("limit", "2"), ("cursor", &cursor)]].concat();
                    let listing = list(&alice, &page).await.json(200);
                    assert_eq!(listing["total"], expected.len(), "{parameters:?}");
                    walked.extend(self::ids(&listing).into_iter().map(str::to_owned));
                    let Some(next) = listing["nextCursor"].as_str() else { break };
                    cursor = next.to_owned();
                }
                assert_eq!(walked, expected, "{parameters:?}");
            }
        });
        Ok(())
    });
    run.unwrap();
}
