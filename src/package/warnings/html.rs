//! Just enough HTML to know a page's tags and their attributes. It goes through the text once.

/// A start tag.
#[derive(Debug)]
pub(super) struct Tag<'t> {
    /// In small letters.
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute<'t>>,
    /// Where it begins.
    pub(super) offset: usize,
    /// What stands between it and its end tag, for `script` and `style`, with its place.
    pub(super) raw_text: Option<(usize, &'t str)>,
}

/// An attribute of a tag.
#[derive(Debug)]
pub(super) struct Attribute<'t> {
    /// In small letters.
    pub(super) name: String,
    /// As written, references not replaced.
    pub(super) value: &'t str,
    /// Where it begins.
    pub(super) offset: usize,
}

impl Tag<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value)
    }
}

/// The start tags of a page, in order.
pub(super) fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut scanner = Scanner { text, position: 0 };
    std::iter::from_fn(move || scanner.next_tag())
}

struct Scanner<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Goes on behind the next place where `pattern` is; to the end when it is nowhere.
    fn skip_behind(&mut self, pattern: &str) {
        let rest = self.rest();
        self.position += rest.find(pattern).map_or(rest.len(), |at| at + pattern.len());
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.position += len;
        rest.get(..len).unwrap_or_default()
    }

    fn next_tag(&mut self) -> Option<Tag<'t>> {
        loop {
            self.skip_behind("<");
            let rest = self.rest();
            if rest.starts_with("!--") {
                self.skip_behind("-->");
            } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Some(self.tag());
            } else if rest.is_empty() {
                return None;
            }
        }
    }

    /// The tag whose name begins here.
    fn tag(&mut self) -> Tag<'t> {
        const MAX_ATTRIBUTES: usize = 100;
        let offset = self.position.saturating_sub(1);
        let name = self.take_while(|c| !c.is_whitespace() && !matches!(c, '/' | '>')).to_ascii_lowercase();
        let mut attributes = Vec::new();
        loop {
            self.take_while(|c| c.is_whitespace() || matches!(c, '/' | '='));
            let rest = self.rest();
            if rest.is_empty() || rest.starts_with('>') {
                break;
            }
            let attribute = self.attribute();
            if attributes.len() < MAX_ATTRIBUTES {
                attributes.push(attribute);
            }
        }
        self.skip_behind(">");
        let raw_text = matches!(name.as_str(), "script" | "style" | "textarea" | "title").then(|| self.raw_text(&name));
        Tag { name, attributes, offset, raw_text }
    }

    fn attribute(&mut self) -> Attribute<'t> {
        let offset = self.position;
        let name = self.take_while(|c| !c.is_whitespace() && !matches!(c, '=' | '/' | '>')).to_ascii_lowercase();
        self.take_while(char::is_whitespace);
        if !self.rest().starts_with('=') {
            return Attribute { name, value: "", offset };
        }
        self.position += 1;
        self.take_while(char::is_whitespace);
        let value = match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => {
                self.position += 1;
                let value = self.take_while(|c| c != quote);
                self.position += usize::from(!self.rest().is_empty());
                value
            }
            _ => self.take_while(|c| !c.is_whitespace() && c != '>'),
        };
        Attribute { name, value, offset }
    }

    /// The text up to the end tag of this name.
    fn raw_text(&mut self, name: &str) -> (usize, &'t str) {
        let start = self.position;
        loop {
            self.skip_behind("</");
            let rest = self.rest();
            let is_end = rest.get(..name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
            if is_end || rest.is_empty() {
                let end = if is_end { self.position.saturating_sub(2) } else { self.position };
                return (start, self.text.get(start..end).unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_attributes_are_read_as_a_browser_reads_them() {
        let html = "<!doctype html><!-- <x> --><A HREF = 'a>b' data-x=1 on>t</a>< b><script>if (a<b) '<i>'</SCRIPT><img/src=\"é\">";
        let shown: Vec<String> = tags(html)
            .map(|tag| {
                let attributes = tag.attributes.iter().map(|a| format!(" {}={:?}", a.name, a.value));
                let raw = tag.raw_text.map_or("", |(_, raw)| raw);
                format!("{}{}|{raw}", tag.name, attributes.collect::<String>())
            })
            .collect();
        assert_eq!(shown, ["a href=\"a>b\" data-x=\"1\" on=\"\"|", "script|if (a<b) '<i>'", "img src=\"é\"|"]);
    }

    #[test]
    fn broken_pages_come_to_an_end() {
        for html in ["<", "<a", "<a b", "<a b=", "<a b='", "<script>", "<!--", "<a =", "</", "<script></"] {
            assert!(tags(html).count() <= 1, "{html}");
        }
    }
}
