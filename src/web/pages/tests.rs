//! Every page in every language, of ordinary and of hostile data.

use super::*;
use crate::catalog::{AssetRecord, RoleRecord, VersionRecord, VersionStatus};
use crate::domain::{
    AddressBar, AppVersion, AssetName, AvatarSize, Code, DependencyMode, DisplayText, Entry, Kind, LocaleTag,
    LocalizedText, PackagePath, RoleId, RoleVersion, Sha256Digest, Timestamp,
};
use crate::i18n::SiteLocale;
use crate::package::PackageFile;
use strum::IntoEnumIterator as _;

const ORIGIN: &str = "https://roles.example.org";
const SCRIPT_TITLE: &str = "</script><script>alert(1)</script>";
const IMAGE_SUMMARY: &str = "\"><img src=x onerror=alert(1)> {{7*7}} <!--<script>";
const HOSTILE_MD: &str = "# T\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <b onclick=alert(1)>x</b>\n\n\
    ![p](https://evil.example/x.png)\n\n\u{202E}reversed\u{202C}\n\n[x](https://example.org/\"onmouseover=\"alert(1))\n";

fn site(locale: SiteLocale) -> SiteContext<'static> {
    SiteContext { locale, public_origin: ORIGIN, app_link: None, get_app: None, contact: None }
}

fn text(title: &str, summary: &str) -> LocalizedText {
    LocalizedText {
        title: DisplayText::parse(title, DisplayText::MAX_TITLE).unwrap(),
        summary: DisplayText::parse(summary, DisplayText::MAX_SUMMARY).unwrap(),
    }
}

fn version(text: &str) -> RoleVersion {
    RoleVersion::parse(text).unwrap()
}

fn tag(text: &str) -> LocaleTag {
    LocaleTag::parse(text).unwrap()
}

fn path(text: &str) -> PackagePath {
    PackagePath::parse(text).unwrap()
}

fn asset(name: AssetName) -> AssetRecord {
    let (width, height) = name.bounding_box();
    AssetRecord { name, width, height, sha256: Sha256Digest::of(name.to_string().as_bytes()), size_bytes: 1000 }
}

/// A role as most are: pictures, two translations.
fn sample_role() -> RoleRecord {
    RoleRecord {
        role_id: RoleId::parse("english-conversation-teacher").unwrap(),
        version: version("1.2.0"),
        kind: Kind::Role,
        text: text("English Conversation Teacher", "A warm but exacting teacher."),
        i18n: vec![
            (tag("zh-CN"), text("英语对话老师", "温和而严格。")),
            (tag("ar"), text("معلّم المحادثة", "ودود لكنه دقيق.")),
        ],
        min_app_version: AppVersion::parse("0.1.57").unwrap(),
        dependency_mode: DependencyMode::None,
        remembers_progress: true,
        sha256: Sha256Digest::of(b"zip"),
        size_bytes: 48_213,
        unpacked_bytes: 120_334,
        assets: AssetName::all().map(asset).collect(),
        publisher: "agotalk".to_owned(),
        downloads: 1204,
        status: VersionStatus::Active,
        status_reason: None,
        published_at: Timestamp::from_unix_seconds(1_767_614_400),
        updated_at: Timestamp::from_unix_seconds(1_767_614_400),
    }
}

/// Everything that a publisher can write, written to do harm.
fn hostile_role() -> RoleRecord {
    RoleRecord {
        role_id: RoleId::parse("ok-xss").unwrap(),
        kind: Kind::Application(Entry { target: path("a\"'<b>&/index.html"), address_bar: AddressBar::Hidden }),
        text: text(SCRIPT_TITLE, IMAGE_SUMMARY),
        i18n: vec![(tag("zh-CN"), text(SCRIPT_TITLE, IMAGE_SUMMARY))],
        dependency_mode: DependencyMode::Locked,
        assets: Vec::new(),
        publisher: "\"><svg onload=alert(1)>".to_owned(),
        status: VersionStatus::Yanked,
        status_reason: Some("<iframe src=javascript:alert(1)>".to_owned()),
        ..sample_role()
    }
}

fn file(name: &str) -> PackageFile {
    PackageFile { path: path(name), size_bytes: 10, sha256: Sha256Digest::of(b"x"), executable: false }
}

fn versions(role: &RoleRecord) -> Vec<VersionRecord> {
    let record = |version, status| VersionRecord {
        version,
        sha256: role.sha256,
        size_bytes: role.size_bytes,
        published_at: role.published_at,
        status,
        status_reason: None,
        min_app_version: role.min_app_version,
    };
    let older = (0..12).rev().map(|minor| record(version(&format!("0.{minor}.0")), VersionStatus::Active));
    std::iter::once(record(role.version.clone(), role.status)).chain(older).collect()
}

fn role_page(locale: SiteLocale, role: &RoleRecord, role_md: &str, exact_version: bool) -> String {
    let files = [
        file("role.md"),
        file("uv.lock"),
        file("contents/<img onerror=x>.py"),
        file("b.sh"),
        file("c.sh"),
        file("d.sh"),
    ];
    RolePage { site: site(locale), role, versions: &versions(role), role_md, files: &files, exact_version }
        .render()
        .unwrap()
}

fn catalog_page(locale: SiteLocale, roles: &[RoleRecord], query: &CatalogQuery, total: u64) -> String {
    CatalogPage { site: site(locale), query, roles, total, page_size: 24 }.render().unwrap()
}

fn hostile_query() -> CatalogQuery {
    CatalogQuery { q: IMAGE_SUMMARY.to_owned(), kind: Some(KindTab::Role), sort: Some(SortOrder::Name), page: 2 }
}

fn error_page(locale: SiteLocale) -> String {
    ErrorPage {
        site: site(locale),
        status: 400,
        code: Code::RequestInvalid,
        detail: Some("<script>alert(1)</script>"),
        request_id: Some("\"><b>"),
    }
    .render()
    .unwrap()
}

/// Every kind of page of ordinary data, by name.
fn ordinary_pages(locale: SiteLocale) -> Vec<(&'static str, String)> {
    let role = sample_role();
    let plain = CatalogQuery::default();
    let search = CatalogQuery { q: "英语".to_owned(), ..CatalogQuery::default() };
    vec![
        ("catalog", catalog_page(locale, &[role.clone(), sample_application()], &plain, 2)),
        (
            "catalog, second page",
            catalog_page(locale, std::slice::from_ref(&role), &CatalogQuery { page: 2, ..plain.clone() }, 99),
        ),
        ("empty catalog", catalog_page(locale, &[], &plain, 0)),
        ("search without result", catalog_page(locale, &[], &search, 0)),
        ("role", role_page(locale, &role, "# Hello\n\ntext", false)),
        ("long role", role_page(locale, &role, &"text\n\n".repeat(9000), false)),
        ("older version", role_page(locale, &RoleRecord { version: version("0.3.0"), ..role.clone() }, "text", true)),
        ("application", role_page(locale, &sample_application(), "text", true)),
        (
            "withdrawn version",
            role_page(locale, &RoleRecord { status: VersionStatus::Withdrawn, ..role }, "text", true),
        ),
        (
            "error",
            ErrorPage { site: site(locale), status: 404, code: Code::NotFound, detail: None, request_id: None }
                .render()
                .unwrap(),
        ),
        ("code", CodePage { site: site(locale), code: Code::RoleWarnToml11 }.render().unwrap()),
    ]
}

fn sample_application() -> RoleRecord {
    RoleRecord {
        role_id: RoleId::parse("typing-word-game").unwrap(),
        kind: Kind::Application(Entry { target: path("agapps/game/index.html"), address_bar: AddressBar::Hidden }),
        assets: Vec::new(),
        i18n: Vec::new(),
        downloads: 0,
        ..sample_role()
    }
}

fn hostile_pages(locale: SiteLocale) -> Vec<(&'static str, String)> {
    let role = hostile_role();
    vec![
        ("catalog", catalog_page(locale, std::slice::from_ref(&role), &hostile_query(), 99)),
        ("role", role_page(locale, &role, HOSTILE_MD, false)),
        ("version", role_page(locale, &role, HOSTILE_MD, true)),
        ("error", error_page(locale)),
    ]
}

/// The text of the page's JSON-LD.
fn json_ld(html: &str) -> serde_json::Value {
    let (_, after) = html.split_once("<script type=\"application/ld+json\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn every_page_renders_in_every_language() {
    for locale in SiteLocale::all() {
        for (name, html) in ordinary_pages(locale).into_iter().chain(hostile_pages(locale)) {
            let start = format!("<!doctype html>\n<html lang=\"{locale}\" dir=\"ltr\">");
            assert!(html.starts_with(&start) && html.trim_end().ends_with("</html>"), "{name} in {locale}");
            assert_eq!(html.matches("<h1").count(), 1, "{name} in {locale}");
            assert_eq!(html.matches("<main").count(), 1, "{name} in {locale}");
        }
    }
}

#[test]
fn no_page_needs_what_the_content_security_policy_forbids() {
    for locale in SiteLocale::all() {
        for (name, html) in ordinary_pages(locale) {
            for forbidden in
                ["<style", " style=", "<script>", "<script src", " onclick", "javascript:", "<iframe", "<object"]
            {
                assert!(!html.contains(forbidden), "{forbidden} in {name}");
            }
            for link in html.split(" src=\"").skip(1) {
                assert!(link.starts_with('/'), "{name} loads {link:.40}");
            }
        }
    }
}

#[test]
fn hostile_texts_stay_texts() {
    for locale in SiteLocale::all() {
        for (name, html) in hostile_pages(locale) {
            let scripts = html.matches("<script").count();
            assert_eq!(scripts, html.matches("<script type=\"application/ld+json\">").count(), "{name}");
            for forbidden in [
                "<img src=x",
                "<svg onload",
                "<iframe",
                "<b ",
                "<b>",
                "href=\"javascript",
                "<!--",
                "onmouseover=\"",
                "{{ ",
            ] {
                assert!(!html.contains(forbidden), "{forbidden} in {name} in {locale}");
            }
        }
    }
}

#[test]
fn hostile_texts_read_back_as_they_were_written() {
    let escaped = "&#34;&#62;&#60;img src=x onerror=alert(1)&#62; {{7*7}} &#60;!--&#60;script&#62;";
    for locale in SiteLocale::all() {
        let html = role_page(locale, &hostile_role(), HOSTILE_MD, false);
        assert!(html.contains(&format!("<meta property=\"og:description\" content=\"{escaped}\">")), "{html}");
        assert_eq!(json_ld(&html)["name"], SCRIPT_TITLE);
        assert_eq!(json_ld(&html)["description"], IMAGE_SUMMARY);
        let html = catalog_page(locale, &[], &hostile_query(), 0);
        assert!(html.contains(&format!("name=\"q\" value=\"{escaped}\"")), "{html}");
    }
}

#[test]
fn a_pages_addresses_come_from_the_public_origin() {
    let html = role_page(SiteLocale::ZhCn, &sample_role(), "text", false);
    for link in [
        "<link rel=\"canonical\" href=\"https://roles.example.org/zh-CN/roles/english-conversation-teacher\">",
        "<link rel=\"alternate\" hreflang=\"en\" href=\"https://roles.example.org/roles/english-conversation-teacher\">",
        "<link rel=\"alternate\" hreflang=\"zh-CN\" href=\"https://roles.example.org/zh-CN/roles/english-conversation-teacher\">",
        "<link rel=\"alternate\" hreflang=\"x-default\" href=\"https://roles.example.org/roles/english-conversation-teacher\">",
        "<meta property=\"og:locale\" content=\"zh_CN\">",
    ] {
        assert!(html.contains(link), "{link}");
    }
    let home = catalog_page(SiteLocale::En, &[], &CatalogQuery::default(), 0);
    for link in [
        "<link rel=\"canonical\" href=\"https://roles.example.org/en/\">",
        "<link rel=\"alternate\" hreflang=\"x-default\" href=\"https://roles.example.org/\">",
    ] {
        assert!(home.contains(link), "{link}");
    }
}

#[test]
fn a_role_is_shown_in_the_readers_language_or_marked_as_another() {
    let chinese = role_page(SiteLocale::ZhCn, &sample_role(), "text", false);
    assert!(chinese.contains("<h1 lang=\"zh-CN\" dir=\"auto\">英语对话老师</h1>"));
    let english = role_page(SiteLocale::En, &sample_role(), "text", false);
    assert!(english.contains("<h1 lang=\"\" dir=\"auto\">English Conversation Teacher</h1>"));
}

#[test]
fn the_app_button_is_there_only_when_it_leads_somewhere() {
    let role = sample_role();
    let template = "agotalk://roles/{roleId}?version={version}".parse().unwrap();
    let page = |role: &RoleRecord, app_link| {
        let site = SiteContext { app_link, ..site(SiteLocale::En) };
        RolePage { site, role, versions: &[], role_md: "", files: &[], exact_version: false }.render().unwrap()
    };
    assert!(
        page(&role, Some(&template)).contains("href=\"agotalk://roles/english-conversation-teacher?version=1.2.0\"")
    );
    assert!(!page(&role, None).contains("Open in Agotalk"));
    let withdrawn = RoleRecord { status: VersionStatus::Withdrawn, ..role };
    let html = page(&withdrawn, Some(&template));
    assert!(!html.contains("Open in Agotalk") && !html.contains("/download"));
}

#[test]
fn an_older_version_points_to_the_latest() {
    let old = RoleRecord { version: version("0.3.0"), ..sample_role() };
    let newest = VersionRecord { version: version("2.0.0-rc.1"), ..versions(&old)[0].clone() };
    let active = VersionRecord { version: version("1.2.0"), ..newest.clone() };
    let this = VersionRecord { version: version("0.3.0"), ..newest.clone() };
    let html = RolePage {
        site: site(SiteLocale::En),
        role: &old,
        versions: &[newest, active, this],
        role_md: "",
        files: &[],
        exact_version: true,
    }
    .render()
    .unwrap();
    assert!(html.contains("See the latest version, <bdi>1.2.0</bdi>"), "a prerelease is not the latest");
}

#[test]
fn a_screenshot_that_is_the_cover_again_is_shown_once() {
    let mut role = sample_role();
    let same = Sha256Digest::of(b"same");
    for asset in &mut role.assets {
        if matches!(asset.name, AssetName::Cover { .. } | AssetName::Screenshot { index: 0, .. }) {
            asset.sha256 = same;
        }
    }
    assert!(role_page(SiteLocale::En, &role, "", false).contains("class=\"gallery n3\""));
    role.assets.retain(|asset| asset.name.full() == AssetName::Avatar(AvatarSize::Full));
    assert!(role_page(SiteLocale::En, &role, "", false).contains("<svg class=\"pattern"));
}

#[test]
fn every_code_has_its_page() {
    for locale in SiteLocale::all() {
        for code in Code::iter() {
            let html = CodePage { site: site(locale), code }.render().unwrap();
            assert!(html.contains(&format!("<code>{code}</code>")), "{code}");
        }
    }
}

#[test]
fn no_page_holds_a_bidi_control() {
    for locale in SiteLocale::all() {
        for (name, html) in ordinary_pages(locale).into_iter().chain(hostile_pages(locale)) {
            let control = html.chars().find(|c| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'));
            assert_eq!(control, None, "{name}");
        }
    }
}

#[test]
fn the_footer_says_where_the_app_is_and_whom_to_write_to_when_that_is_set() {
    let get_app = "https://example.com/app".parse().unwrap();
    let page = |get_app, contact| {
        let site = SiteContext { get_app, contact, ..site(SiteLocale::En) };
        ErrorPage { site, status: 404, code: Code::NotFound, detail: None, request_id: None }.render().unwrap()
    };
    let full = page(Some(&get_app), Some("<b>desk@example.com</b>"));
    assert!(full.contains("<a href=\"https://example.com/app\">"));
    assert!(full.contains("&#60;b&#62;desk@example.com"), "{full}");
    assert!(!page(None, None).contains("class=\"about\""));
}
