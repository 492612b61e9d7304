//! Structured data for search engines: JSON inside a script element that does not run.

use std::fmt;

use askama::filters::HtmlSafe;
use serde_json::Value;

/// JSON in which nothing can end the script element it stands in; it parses to exactly the value it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonLd(String);

impl HtmlSafe for JsonLd {}

impl JsonLd {
    pub(super) fn new(value: &Value) -> Self {
        // These stand only inside JSON strings, where the escape means the same character.
        let must_escape = |c| matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}');
        let escape = |c| if must_escape(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
        Self(value.to_string().chars().map(escape).collect())
    }
}

impl fmt::Display for JsonLd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_script_and_the_value_reads_back() {
        let value = serde_json::json!({ "name": "</script><script>alert(1)</script><!--<script>\u{2028}&" });
        let json = JsonLd::new(&value).to_string();
        assert!(!json.contains(['<', '>', '&', '\u{2028}']), "{json}");
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    }
}
