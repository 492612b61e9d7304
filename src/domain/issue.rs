//! One problem, told so that it can be mended: where, what, how.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString};

use super::Code;

/// How much an issue weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The package or request is refused.
    Error,
    /// Advice; it never blocks.
    Warning,
}

/// The rule an issue breaks, in the order in which issues are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumIter, EnumString)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "the rules are described one by one in the contract's rules page")]
pub enum Rule {
    A01, A02, A03, A04, A05, A06, A07, A08, A09,
    M01, M02, M03, M04, M05, M06, M07, M08, M09, M10, M11, M12, M13, M14, M15,
    E01, E02, E03, E04, E05, E06, E07, E08,
    P01, P02, P03, P04, P05,
    R01, R02, R03, R04,
    L01, L02, L03, L03b, L04, L05, L06, L07, L08, L09, L10,
    B01, B02, B03, B04, B05,
    W01, W02, W03, W04, W05, W06, W07, W08, W09, W10, W11, W12, W13, W14,
    /// A fault of the request rather than of a package.
    Request,
}

/// One problem of a package or of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// The public code.
    pub code: Code,
    /// The creator guide's code for the same fault, which the Agotalk app shows at import.
    pub guide_code: Option<Code>,
    /// Error or warning.
    pub severity: Severity,
    /// The rule that it breaks; absent for faults of a request.
    #[serde(with = "rule_text")]
    pub rule: Rule,
    /// The file in the package, relative to its root; for archive faults the entry's name as written.
    pub path: Option<String>,
    /// The manifest field or query parameter, dotted (`environment.manager`).
    pub field: Option<String>,
    /// 1-based line in `path`.
    pub line: Option<u32>,
    /// 1-based column in `line`, in characters.
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// How to mend it, where that can be said; text that can be pasted.
    pub hint: Option<String>,
    /// The offending line of the file, at most 200 characters of it.
    pub excerpt: Option<String>,
    /// The page that explains the code.
    pub docs: String,
}

impl Issue {
    /// An error of `rule`. Fill in the place with the `at_…` methods.
    #[must_use]
    pub fn error(rule: Rule, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            guide_code: None,
            severity: Severity::Error,
            rule,
            path: None,
            field: None,
            line: None,
            column: None,
            message: message.into(),
            hint: None,
            excerpt: None,
            docs: code.docs_url(),
        }
    }

    /// A warning of `rule`.
    #[must_use]
    pub fn warning(rule: Rule, code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(rule, code, message) }
    }

    /// A fault in the request parameter `field`.
    #[must_use]
    pub fn request(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::error(Rule::Request, Code::RequestInvalid, message) }
    }

    /// The same issue with the guide's code.
    #[must_use]
    pub fn guide(mut self, code: Code) -> Self {
        self.guide_code = Some(code);
        self
    }

    /// The same issue in this file.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same issue about this field.
    #[must_use]
    pub fn about(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same issue with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same issue at the byte `offset` of `text`: fills in line, column and excerpt.
    #[must_use]
    pub fn at_offset(mut self, text: &str, offset: usize) -> Self {
        const EXCERPT_CHARS: usize = 200;
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.line = Some(count(before.bytes().filter(|b| *b == b'\n').count() + 1));
        self.column = Some(count(before[line_start..].chars().count() + 1));
        self.excerpt = Some(line.chars().take(EXCERPT_CHARS).collect());
        self
    }

    /// What issues are sorted by: errors first, then rule, file and line.
    #[must_use]
    pub fn sort_key(&self) -> (Severity, Rule, Option<&str>, Option<u32>, Option<u32>) {
        (self.severity, self.rule, self.path.as_deref(), self.line, self.column)
    }
}

/// A rule as text; [`Rule::Request`] is null.
mod rule_text {
    use super::Rule;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's `with` calls it with a reference")]
    pub(super) fn serialize<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
        (*rule != Rule::Request).then(|| rule.to_string()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
        match Option::<String>::deserialize(deserializer)? {
            None => Ok(Rule::Request),
            Some(text) => text.parse().map_err(|_| serde::de::Error::custom(format!("unknown rule {text:?}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn offsets_become_lines_and_columns_in_characters() {
        let text = "a = 1\r\nb = \"é老\" x\n";
        let issue = Issue::error(Rule::M02, Code::RoleContractInvalid, "").at_offset(text, text.find('x').unwrap());
        assert_eq!((issue.line, issue.column), (Some(2), Some(10)));
        assert_eq!(issue.excerpt.as_deref(), Some("b = \"é老\" x"));
    }

    #[test]
    fn codes_are_written_as_the_documents_write_them() {
        assert_eq!(Code::RoleContractFieldInvalid.as_str(), "ROLE_CONTRACT_FIELD_INVALID");
        assert_eq!(Code::RoleWarnToml11.as_str(), "ROLE_WARN_TOML_1_1");
        for code in Code::iter() {
            assert_eq!(code.as_str().parse(), Ok(code));
        }
    }
}
