//! Pages over HTTP: addresses, languages, safety. How they look is tested in a browser.

use crate::support::app::{Client, TestApp};
use crate::support::package_builder::PackageBuilder;

async fn with_role(builder: PackageBuilder, id: &str) -> (TestApp, Client) {
    let app = TestApp::start().await;
    let alice = app.publisher("alice").await;
    alice.put(id, "1.0.0", "", builder.version("1.0.0").build()).await.json(201);
    let visitor = app.visitor();
    (app, visitor)
}

#[tokio::test]
async fn the_front_door_leads_to_the_visitors_language() {
    let app = TestApp::start().await;
    for (languages, home) in [
        ("", "/en/"),
        ("en;q=0.1, zh-CN;q=0.9", "/zh-CN/"),
        ("fr;q=0, en;q=0.5", "/en/"),
        ("zh-Hans-SG", "/zh-CN/"),
        ("EN-us", "/en/"),
        ("tlh", "/en/"),
        (";;q=abc,,", "/en/"),
    ] {
        let answer = app.visitor().get_with("/", "accept-language", languages).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (302, home), "{languages}");
        assert_eq!((answer.header("vary"), answer.header("cache-control")), ("accept-language", "private, no-cache"));
    }
    let search = app.visitor().get("/?q=tea").await;
    assert_eq!(search.header("location"), "/en/?q=tea", "what was asked for is kept");
    let page = app.visitor().get_with("/en/", "accept-language", "zh-CN").await;
    assert_eq!((page.status.as_u16(), page.header("vary")), (200, "accept-encoding"));
}

#[tokio::test]
async fn each_page_has_one_address() {
    let (_app, visitor) = with_role(PackageBuilder::role("tutor"), "tutor").await;
    for (from, to) in [
        ("/en", "/en/"),
        ("/ZH-cn?q=a%20b", "/zh-CN/?q=a%20b"),
        ("/en/roles/tutor", "/roles/tutor"),
        ("/zh-cn/roles/tutor/", "/zh-CN/roles/tutor"),
        ("/roles/tutor/?x=1", "/roles/tutor?x=1"),
        ("/api/v1/roles/?limit=1", "/api/v1/roles?limit=1"),
    ] {
        let answer = visitor.get(from).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (308, to), "{from}");
    }
    for nowhere in [
        "/zh/roles/tutor",
        "/zh_CN/roles/tutor",
        "/fr/roles/tutor",
        "//evil.test/",
        "/en//evil.test",
        "/zh-CN/api/v1/roles",
        "/%ff",
        "/zh-CN/%ff",
    ] {
        let answer = visitor.get(nowhere).await;
        assert_eq!(answer.status, 404, "{nowhere}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{nowhere}");
    }
}

#[tokio::test]
async fn pages_are_in_the_language_of_their_address_with_the_roles_own_text() {
    let i18n = "[i18n.\"zh-CN\"]\ntitle = \"英语老师\"\nsummary = \"对话\"\n";
    let (_app, visitor) =
        with_role(PackageBuilder::role("tutor").text("Teacher", "Talks.").manifest_extra(i18n), "tutor").await;
    for (path, lang, title) in [
        ("/roles/tutor", "en", "Teacher"),
        ("/zh-CN/roles/tutor", "zh-CN", "英语老师"),
        ("/en/", "en", "Teacher"),
        ("/zh-CN/", "zh-CN", "英语老师"),
        ("/zh-CN/roles/tutor/versions/1.0.0", "zh-CN", "英语老师"),
    ] {
        let page = visitor.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text().contains(&format!("<html lang=\"{lang}\"")), "{path}");
        assert!(page.text().contains(title), "{path}");
    }
    assert!(visitor.get("/zh-CN/nothing").await.text().contains("<html lang=\"zh-CN\""));
}

#[tokio::test]
async fn canonical_addresses_come_from_configuration_whatever_the_request_says() {
    let (_app, visitor) = with_role(PackageBuilder::role("tutor"), "tutor").await;
    let plain = visitor.get("/roles/tutor").await;
    assert!(plain.text().contains("<link rel=\"canonical\" href=\"https://roles.example.com/roles/tutor\">"));
    for (name, value) in [
        ("host", "evil.test"),
        ("x-forwarded-host", "evil.test"),
        ("forwarded", "host=evil.test;proto=http"),
        ("x-forwarded-proto", "javascript"),
        ("x-original-url", "/evil.test"),
    ] {
        let page = visitor.get_with("/roles/tutor", name, value).await;
        assert_eq!(page.body, plain.body, "{name}");
        let redirect = visitor.get_with("/en", name, value).await;
        assert_eq!(redirect.header("location"), "/en/", "{name}");
    }
}

#[tokio::test]
async fn hostile_texts_stay_text_and_nothing_may_run() {
    let title = "</script><script>alert(1)</script>";
    let summary = "<!--<script> \\\"><img src=x onerror=alert(1)>";
    let role_md =
        "---\ntitle: x\n---\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src=x onerror=alert(1)>\n";
    let builder = PackageBuilder::role("xss").text(title, summary).file("role.md", role_md);
    let (_app, visitor) = with_role(builder, "xss").await;
    for path in
        ["/roles/xss", "/en/", "/zh-CN/", "/zh-CN/roles/xss", "/en/?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"]
    {
        let page = visitor.get(path).await;
        let html = page.text();
        for bad in ["<script>alert", "<img src=x", "javascript:alert", "</script><script>"] {
            assert!(!html.contains(bad), "{bad} in {path}");
        }
        let policy = page.header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "script-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(directive), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn every_code_has_its_page_in_each_language_of_the_docs() {
    use strum::IntoEnumIterator as _;
    let app = TestApp::start().await;
    for code in role_catalog::domain::Code::iter() {
        for prefix in ["", "/zh-CN"] {
            let page = app.visitor().get(&format!("{prefix}{}", code.docs_url())).await;
            assert_eq!(page.status, 200, "{code}");
            assert!(page.text().contains(code.as_str()));
        }
    }
    assert_eq!(app.visitor().get("/docs/errors/NO_SUCH_CODE").await.status, 404);
}

#[tokio::test]
async fn the_list_of_codes_is_a_promise() {
    use strum::IntoEnumIterator as _;
    let codes: Vec<&str> = role_catalog::domain::Code::iter().map(role_catalog::domain::Code::as_str).collect();
    insta::assert_snapshot!(codes.join("\n"));
}

#[tokio::test]
async fn our_own_files_never_change_under_their_names() {
    let app = TestApp::start().await;
    for file in role_catalog::web::pages::static_files() {
        let answer = app.visitor().get(&file.url_path).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, file.content_type));
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(&answer.body[..], file.bytes);
    }
    assert_eq!(app.visitor().get("/static/site.css").await.status, 404);
}
