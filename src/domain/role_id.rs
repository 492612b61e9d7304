//! Role identity: the directory name, the manifest's `id`, the segment in every URL.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A role's identity: lowercase `a-z0-9` words joined by single hyphens, 1 to 64 characters (rule M04).
///
/// Safe as a URL segment, a file name and part of an object key; equal ids are equal strings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoleId(String);

/// Why a text is not a [`RoleId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a role id is lowercase a-z0-9 words joined by single hyphens, at most {max} characters", max = RoleId::MAX_LEN)]
pub struct InvalidRoleId;

impl RoleId {
    /// The longest id, in characters (all ASCII).
    pub const MAX_LEN: usize = 64;

    /// Parses an id.
    ///
    /// # Errors
    /// [`InvalidRoleId`] when the text does not have the form of rule M04.
    pub fn parse(text: &str) -> Result<Self, InvalidRoleId> {
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if text.len() <= Self::MAX_LEN && text.split('-').all(is_word) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidRoleId)
        }
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RoleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RoleId {
    type Err = InvalidRoleId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl TryFrom<String> for RoleId {
    type Error = InvalidRoleId;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<RoleId> for String {
    fn from(id: RoleId) -> Self {
        id.0
    }
}

/// Which role ids a token may touch: a [`RoleId`], or a prefix of one followed by a single trailing `*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RolePattern(String);

impl RolePattern {
    /// Parses `*`, `words-*` or an exact id.
    ///
    /// # Errors
    /// [`InvalidRoleId`] when the part before the `*` could not begin an id.
    pub fn parse(text: &str) -> Result<Self, InvalidRoleId> {
        let stem = text.strip_suffix('*').unwrap_or(text);
        let wildcard = stem.len() < text.len();
        // Anything that can be completed to an id is a usable prefix: "words-" completes to "words-x".
        let completed = if wildcard { format!("{stem}x") } else { stem.to_owned() };
        RoleId::parse(&completed).map(|_| Self(text.to_owned()))
    }

    /// Whether the pattern covers this id.
    #[must_use]
    pub fn matches(&self, id: &RoleId) -> bool {
        match self.0.strip_suffix('*') {
            Some(prefix) => id.as_str().starts_with(prefix),
            None => id.as_str() == self.0,
        }
    }
}

impl fmt::Display for RolePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RolePattern {
    type Err = InvalidRoleId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl TryFrom<String> for RolePattern {
    type Error = InvalidRoleId;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<RolePattern> for String {
    fn from(pattern: RolePattern) -> Self {
        pattern.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_lowercase_words_joined_by_single_hyphens() {
        for good in ["a", "0", "words-john", "typing-word-game", "a1-b2", &"a".repeat(64)] {
            assert_eq!(RoleId::parse(good).unwrap().as_str(), good);
        }
        for bad in
            ["", "-", "a-", "-a", "a--b", "A", "a_b", "a.b", "a b", "é", "英语", "а", "..", "a/b", &"a".repeat(65)]
        {
            assert_eq!(RoleId::parse(bad), Err(InvalidRoleId), "{bad:?}");
        }
    }

    #[test]
    fn patterns_cover_ids_by_prefix_or_exactly() {
        let id = RoleId::parse("words-john").unwrap();
        for yes in ["*", "words-*", "words-j*", "words-john"] {
            assert!(RolePattern::parse(yes).unwrap().matches(&id), "{yes}");
        }
        for no in ["words", "word-*", "words-john-2*", "john"] {
            assert!(!RolePattern::parse(no).unwrap().matches(&id), "{no}");
        }
        for bad in ["", "**", "*a", "a*b", "-*", "Words-*", "a b*"] {
            assert!(RolePattern::parse(bad).is_err(), "{bad}");
        }
    }
}
