//! A role's text as safe HTML: a stranger's Markdown goes in, a few harmless elements come out.
//!
//! Markdown is parsed once, within a bound. Embedded HTML is shown as text, so that what a role really says to a model
//! (comments included) can be read; pictures become their description. The result passes an allowlist of elements, and
//! [`SafeHtml`] has no other producer.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use askama::filters::HtmlSafe;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// What is shown at once; the page's weight depends on it.
const OPENING_BYTES: usize = 6 * 1024;
/// What is shown at all; the whole text is in the package.
const TOTAL_BYTES: usize = 20 * 1024;
/// Deeper nesting than any text needs; it bounds the work of the sanitizer.
const MAX_NESTING: usize = 24;
/// The page itself has headings of level 1 and 2.
const FIRST_HEADING_LEVEL: usize = 3;

/// HTML that went through the allowlist of this module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SafeHtml(String);

impl HtmlSafe for SafeHtml {}

impl fmt::Display for SafeHtml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A role's text, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Narrative {
    /// Whole blocks of about the first 6 KB.
    pub(super) opening: SafeHtml,
    /// What follows.
    pub(super) rest: Option<SafeHtml>,
    /// Whether even that is not all.
    pub(super) is_cut: bool,
}

/// Renders a role's Markdown.
pub(super) fn narrative(markdown: &str) -> Narrative {
    let shown = markdown.get(..markdown.floor_char_boundary(TOTAL_BYTES)).unwrap_or(markdown);
    // Bidi controls could make the text read as another one; a visible mark stays in their place.
    let shown = shown.replace(|c| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'), "\u{FFFD}");
    let is_cut = markdown.len() > TOTAL_BYTES;
    let (opening, rest) = split(&shown);
    Narrative { opening: sanitize(opening), rest: (!rest.is_empty()).then(|| sanitize(rest)), is_cut }
}

/// The text's events in two parts; the cut is between blocks.
fn split(markdown: &str) -> (Vec<Event<'_>>, Vec<Event<'_>>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut opening = Vec::new();
    let mut rest = Vec::new();
    let mut tamer = Tamer::default();
    let mut depth = 0_usize;
    // Where the heading stands that ends the opening so far; it belongs to what follows it.
    let mut last_heading = None;
    let mut is_open = true;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        let starts_block = depth == 0;
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if starts_block && is_open && !opening.is_empty() && range.end > OPENING_BYTES {
            rest = opening.split_off(last_heading.filter(|place| *place > 0).unwrap_or(opening.len()));
            is_open = false;
        }
        if starts_block {
            last_heading = matches!(event, Event::Start(Tag::Heading { .. })).then_some(opening.len());
        }
        let part = if is_open { &mut opening } else { &mut rest };
        part.extend(tamer.tame(event));
    }
    (opening, rest)
}

/// Turns a parser's events into ones that are fit for a page.
#[derive(Default)]
struct Tamer {
    /// For each open element, whether it is shown.
    open: Vec<bool>,
    /// Levels of the headings that the present one stands below.
    headings: Vec<HeadingLevel>,
}

impl Tamer {
    fn tame<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        match event {
            Event::Start(tag) => {
                let tag = self.tame_start(tag);
                self.open.push(tag.is_some());
                tag.map(Event::Start)
            }
            Event::End(end) => {
                let is_shown = self.open.pop().unwrap_or(false);
                is_shown.then(|| Event::End(self.tame_end(end)))
            }
            Event::Html(text) => Some(Event::Text(text)),
            Event::InlineHtml(text) => Some(Event::Code(text)),
            other => Some(other),
        }
    }

    fn tame_start<'a>(&mut self, tag: Tag<'a>) -> Option<Tag<'a>> {
        match tag {
            _ if self.open.len() >= MAX_NESTING => None,
            Tag::Image { .. } => None,
            Tag::HtmlBlock | Tag::CodeBlock(_) => Some(Tag::CodeBlock(CodeBlockKind::Indented)),
            Tag::Heading { level, .. } => {
                while self.headings.last().is_some_and(|above| *above >= level) {
                    self.headings.pop();
                }
                self.headings.push(level);
                Some(Tag::Heading { level: self.heading_level(), id: None, classes: Vec::new(), attrs: Vec::new() })
            }
            other => Some(other),
        }
    }

    fn tame_end(&self, end: TagEnd) -> TagEnd {
        match end {
            TagEnd::Heading(_) => TagEnd::Heading(self.heading_level()),
            TagEnd::HtmlBlock => TagEnd::CodeBlock,
            other => other,
        }
    }

    /// Below the page's own headings, and never skipping a level whatever the author skipped.
    fn heading_level(&self) -> HeadingLevel {
        let level = FIRST_HEADING_LEVEL + self.headings.len().saturating_sub(1);
        HeadingLevel::try_from(level).unwrap_or(HeadingLevel::H6)
    }
}

static ALLOWLIST: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from([
            "p",
            "h3",
            "h4",
            "h5",
            "h6",
            "ul",
            "ol",
            "li",
            "blockquote",
            "pre",
            "code",
            "em",
            "strong",
            "del",
            "br",
            "hr",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "a",
        ]))
        .tag_attributes(HashMap::from([("a", HashSet::from(["href"])), ("ol", HashSet::from(["start"]))]))
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("nofollow ugc noopener noreferrer"));
    builder
});

fn sanitize(events: Vec<Event<'_>>) -> SafeHtml {
    let mut unsafe_html = String::new();
    html::push_html(&mut unsafe_html, events.into_iter());
    let clean = ALLOWLIST.clean(&unsafe_html).to_string();
    // The sanitizer wrote every "<" of a text as an entity: what is replaced here are its own elements.
    SafeHtml(
        clean.replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>").replace("</table>", "</table></div>"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rendered(markdown: &str) -> String {
        let narrative = narrative(markdown);
        narrative.opening.0 + &narrative.rest.map(|rest| rest.0).unwrap_or_default()
    }

    #[test]
    fn ordinary_markdown_keeps_its_shape() {
        let html = rendered(
            "# A\n\nText *em* **strong** `code`\n\n- one\n- two\n\n3. three\n\n> quote\n\n```py\nx < 1\n```\n",
        );
        for part in [
            "<h3>A</h3>",
            "<em>em</em>",
            "<strong>strong</strong>",
            "<code>code</code>",
            "<li>one</li>",
            "<ol start=\"3\">",
            "<blockquote>",
            "<pre><code>x &lt; 1\n</code></pre>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        let table = rendered("|a|b|\n|-|:-:|\n|1|2|\n");
        assert!(table.starts_with("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>a</th>"), "{table}");
        assert!(table.trim_end().ends_with("</table></div>"), "{table}");
    }

    #[test]
    fn headings_stand_below_the_pages_own_and_skip_no_level() {
        let html = rendered("## a\n\n#### b\n\n# c\n\n### d\n\n###### e\n\n# f\n");
        for part in ["<h3>a</h3>", "<h4>b</h4>", "<h3>c</h3>", "<h4>d</h4>", "<h5>e</h5>", "<h3>f</h3>"] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    #[test]
    fn embedded_html_is_shown_as_text() {
        let html = rendered("a <b onclick=\"x()\">b</b>\n\n<script>alert(1)</script>\n\n<!-- a hidden order -->\n");
        assert!(!html.contains("<b ") && !html.contains("<script"), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
        assert!(html.contains("&lt;!-- a hidden order --&gt;"), "{html}");
    }

    #[test]
    fn links_lead_to_the_web_or_a_mailbox_and_nowhere_else() {
        let html = rendered("[a](https://example.org/?a=1&b=2 \"t\") [b](mailto:x@example.org)");
        assert_eq!(html.matches("rel=\"nofollow ugc noopener noreferrer\"").count(), 2, "{html}");
        assert!(html.contains("href=\"https://example.org/?a=1&amp;b=2\"") && !html.contains("title="), "{html}");
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "/api/v1/roles",
            "//evil.example",
            "vbscript:x",
            "#top",
        ] {
            let html = rendered(&format!("[a](<{bad}>)"));
            assert!(!html.contains("href"), "{html}");
        }
    }

    #[test]
    fn characters_that_turn_text_around_are_marked() {
        assert_eq!(rendered("a \u{202E}b\u{202C} \u{200D}").trim(), "<p>a \u{FFFD}b\u{FFFD} \u{200D}</p>");
    }

    #[test]
    fn pictures_become_their_description() {
        assert_eq!(rendered("![a *cat*](https://example.org/x.png)").trim(), "<p>a <em>cat</em></p>");
    }

    #[test]
    fn a_long_text_is_folded_between_blocks_and_cut_at_a_bound() {
        let short = narrative(&"word ".repeat(1000));
        assert!(short.rest.is_none() && !short.is_cut);
        let long = narrative(&"# Heading\n\nSome text of a paragraph.\n\n".repeat(400));
        assert!(!long.is_cut && long.opening.0.trim_end().ends_with("</p>"));
        assert!(long.rest.unwrap().0.starts_with("<h3>Heading</h3>"), "a heading stays with its text");
        let huge = narrative(&"字".repeat(100_000));
        assert!(huge.is_cut && huge.opening.0.len() < TOTAL_BYTES + 100);
    }

    #[test]
    fn links_defined_at_the_end_work_in_the_opening() {
        let html = narrative(&format!("[a][x]\n\n{}\n[x]: https://example.org/\n", "text\n\n".repeat(2000)));
        assert!(html.opening.0.contains("href=\"https://example.org/\""));
    }

    #[test]
    fn deep_nesting_is_flattened() {
        for text in [">".repeat(20_000), "- ".repeat(9_000), "*a ".repeat(6_000), "[".repeat(20_000)] {
            let html = rendered(&text);
            assert!(html.matches("<blockquote>").count() <= MAX_NESTING);
        }
    }

    /// Every element of a serialized document: its name, attributes and their values.
    fn elements(html: &str) -> Vec<(String, Vec<(String, String)>)> {
        let mut elements = Vec::new();
        for part in html.split('<').skip(1) {
            let name: String = part.chars().take_while(|c| !c.is_whitespace() && *c != '>').collect();
            let mut attributes = Vec::new();
            let mut rest = &part[name.len()..];
            while let Some((key, after)) = rest.split_once("=\"") {
                if key.contains('>') {
                    break;
                }
                let (value, after) = after.split_once('"').unwrap();
                attributes.push((key.trim().to_owned(), value.to_owned()));
                rest = after;
            }
            elements.push((name, attributes));
        }
        elements
    }

    #[track_caller]
    fn assert_harmless(html: &str) {
        let allowed = ALLOWLIST.clone_tags();
        for (name, attributes) in elements(html) {
            let plain = name.trim_start_matches('/');
            assert!(allowed.contains(plain) || plain == "div", "<{name}> in {html}");
            for (key, value) in attributes {
                let fits = match key.as_str() {
                    "href" => ["http://", "https://", "http:", "https:", "mailto:"]
                        .iter()
                        .any(|s| value.to_lowercase().starts_with(s)),
                    "rel" => value == "nofollow ugc noopener noreferrer",
                    "start" => true,
                    "class" => value == "scroll",
                    "tabindex" => value == "0",
                    _ => false,
                };
                assert!(fits, "{key}=\"{value}\" in {html}");
            }
        }
    }

    fn hostile_markdown() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "<script>",
            "</script>",
            "<img src=x onerror=alert(1)>",
            "<svg/onload=alert(1)>",
            "javascript:",
            "alert(1)",
            "[a](",
            ")",
            "](",
            "[",
            "]",
            "!",
            "<",
            ">",
            "\"",
            "'",
            "`",
            "```\n",
            "\n",
            "\n\n",
            "&lt;",
            "&#106;",
            "\\",
            "<a href=\"javascript:x\">",
            "<div style=x>",
            "<!--",
            "-->",
            "<![CDATA[",
            "|a|b|\n|-|-|\n|",
            "# ",
            "> ",
            "- ",
            "*",
            "**",
            "~~",
            "data:text/html,<script>",
            "<table>",
            "</table>",
            "<math><mtext>",
            "<style>",
            "</p>",
            " on",
            "onclick=\"x\"",
            "https://example.org/\"onclick=\"x",
            "\u{202E}",
            "\0",
            "[x]: javascript:x\n",
            "<javascript:x>",
        ]);
        prop::collection::vec(prop_oneof![4 => pieces.prop_map(str::to_owned), 1 => "\\PC{0,6}"], 0..40)
            .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_that_runs_gets_through(markdown in hostile_markdown()) {
            assert_harmless(&rendered(&markdown));
        }
    }
}
