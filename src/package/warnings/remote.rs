//! What an application loads from the network, though it runs offline (rule W11, creator guide § 5 and § 8).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::html::{Tag, tags};
use super::{Finding, Findings, TextFile, TextKind, extension, surroundings};
use crate::domain::PackagePath;

pub(super) const HINT: &str = "copy it into the package and refer to it by a relative path";

const MESSAGE: &str = "the application loads this from the network, and it runs offline";

static STYLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i-u:@import\s+["']?\s*(?:https?:)?//|url\(\s*["']?\s*(?:https?:)?//)"#).ok());

static SCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let calls = r#"\b(?:fetch|import|importScripts|Worker|WebSocket|EventSource|sendBeacon|getJSON|ajax|axios(?:\.[a-z]+)?)\s*\(\s*["'`](?:https?:|wss?:)?//"#;
    let imports = r#"\b(?:from|import)\s*["'](?:https?:)?//"#;
    let requests = r#"\.open\(\s*["'][A-Z]+["']\s*,\s*["'`](?:https?:)?//"#;
    let sources = r#"\.src\s*=\s*["'`](?:https?:)?//"#;
    Regex::new(&format!("(?-u:{calls}|{imports}|{requests}|{sources})")).ok()
});

/// Whether a file is part of what the browser view shows: below the entry's folder, or in `agapps/`.
pub(super) fn belongs_to_application(path: &PackagePath, target: &PackagePath) -> bool {
    let folder = target.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_below = folder.is_empty() || path.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let first = path.segments().next().unwrap_or_default();
    is_below && first != "skills" && !path.as_str().starts_with("contents/bin/") || first == "agapps"
}

pub(super) fn find(file: TextFile<'_>) -> Vec<Finding> {
    let mut findings = Findings::default();
    match file.kind {
        TextKind::Page if extension(file.path) == "css" => search(&STYLE, file.text, 0..file.text.len(), &mut findings),
        TextKind::Page => page(file.text, &mut findings),
        TextKind::JavaScript => search(&SCRIPT, file.text, 0..file.text.len(), &mut findings),
        TextKind::Markdown | TextKind::Script | TextKind::Other => {}
    }
    findings.found.sort_by_key(|finding| finding.offset);
    findings.found.truncate(Findings::MAX);
    findings.found
}

fn page(text: &str, findings: &mut Findings) {
    for tag in tags(text) {
        if findings.is_full() {
            break;
        }
        let loads = tag.attributes.iter().find(|attribute| {
            loads(&tag, &attribute.name) && attribute.value.split(',').any(|address| is_remote(address.trim()))
        });
        if let Some(attribute) = loads {
            findings.push(attribute.offset, MESSAGE);
        }
        if let Some(style) = tag.attributes.iter().find(|attribute| attribute.name == "style")
            && STYLE.as_ref().is_some_and(|pattern| pattern.is_match(style.value))
        {
            findings.push(style.offset, MESSAGE);
        }
        match (tag.name.as_str(), tag.raw_text) {
            ("style", Some((offset, style))) => search(&STYLE, text, offset..offset + style.len(), findings),
            ("script", Some((offset, script))) => search(&SCRIPT, text, offset..offset + script.len(), findings),
            _ => {}
        }
    }
}

/// Whether a browser fetches what the attribute names as soon as it meets the tag.
fn loads(tag: &Tag<'_>, attribute: &str) -> bool {
    match (tag.name.as_str(), attribute) {
        ("script" | "img" | "audio" | "video" | "source" | "track" | "embed" | "iframe" | "input", "src")
        | ("img" | "source", "srcset")
        | ("video", "poster")
        | ("object", "data")
        | ("image" | "use", "href" | "xlink:href")
        | ("base", "href") => true,
        ("link", "href") => tag.attribute("rel").is_some_and(|rel| {
            let loading =
                ["stylesheet", "icon", "apple-touch-icon", "preload", "modulepreload", "prefetch", "manifest"];
            rel.split_ascii_whitespace().any(|word| loading.contains(&word.to_ascii_lowercase().as_str()))
        }),
        _ => false,
    }
}

fn is_remote(address: &str) -> bool {
    let starts_with =
        |prefix: &str| address.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    starts_with("http://") || starts_with("https://") || starts_with("//")
}

/// Searches the part of a text that begins at `start`.
fn search(pattern: &LazyLock<Option<Regex>>, text: &str, part: Range<usize>, findings: &mut Findings) {
    let (Some(pattern), Some(searched)) = (pattern.as_ref(), text.get(part.clone())) else { return };
    for found in pattern.find_iter(searched) {
        let offset = part.start + found.start();
        if findings.is_full() {
            return;
        }
        if !findings.is_worth_a_look(text, offset) {
            continue;
        }
        let (before, _) = surroundings(text, offset);
        if !["//", "/*", "*"].into_iter().any(|comment| before.trim_start().starts_with(comment)) {
            findings.push(offset, MESSAGE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::*;

    #[test]
    fn w11_what_a_page_fetches_from_elsewhere_is_found() {
        let html = "<!doctype html>\n<script src=\"https://cdn.example.com/x.js\"></script>\n<link rel=stylesheet \
                    href=//cdn.example.com/x.css>\n<img srcset='a.png, HTTP://example.com/b.png 2x'>\n<style>\n@import \
                    url(https://fonts.example.com/x);\n</style>\n<script type=module>\nimport x from \
                    'https://example.com/x.js'\n</script><p style=\"background:url('//example.com/x.png')\">";
        assert_eq!(lines(find, "agapps/a/index.html", html), [2, 3, 4, 6, 9, 10]);
        let css = "a { color: red }\n@import \"https://example.com/x.css\";\n@font-face { src: url( 'https://example.com/x.woff2' ) }";
        assert_eq!(lines(find, "agapps/a/a.css", css), [2, 3]);
        let js = "await fetch('https://example.com/x')\nnew WebSocket(\"wss://example.com\")\nx.open(\"GET\", \
                  'http://example.com')\ni.src = `https://example.com/x.png`\nimport(\"https://example.com/x.js\")";
        assert_eq!(lines(find, "agapps/a/a.js", js), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn links_and_what_lies_in_the_package_are_left_alone() {
        let html = "<a href=\"https://example.com\">x</a><link rel=canonical href=https://example.com><script \
                    src=app.js></script><svg xmlns=\"http://www.w3.org/2000/svg\"><img src=data:image/png;base64,x>\
                    <meta property=og:image content=https://example.com/x.png><!-- <script src=https://x> -->";
        assert_eq!(lines(find, "agapps/a/index.html", html), [0; 0]);
        assert_eq!(lines(find, "agapps/a/a.css", "a { background: url(x.png) } /* https://example.com */"), [0; 0]);
        let js =
            "fetch('words.json')\n// fetch('https://example.com')\nconst ns = 'http://www.w3.org/2000/svg'\nprefetch\n";
        assert_eq!(lines(find, "agapps/a/a.js", js), [0; 0]);
    }

    #[test]
    fn only_what_the_browser_view_shows_counts() {
        let path = |text: &str| PackagePath::parse(text).unwrap();
        let belongs = |file: &str, target: &str| belongs_to_application(&path(file), &path(target));
        assert!(
            belongs("agapps/a/js/x.js", "agapps/a/index.html") && belongs("agapps/b/x.js", "contents/a/index.html")
        );
        assert!(belongs("x.js", "index.html") && belongs("contents/a/x.js", "contents/a/index.html"));
        assert!(!belongs("contents/bin/x.js", "agapps/a/index.html") && !belongs("contents/bin/x.js", "index.html"));
    }
}
