//! Names of publishers.

use std::fmt;
use std::str::FromStr;

use super::RoleId;

/// A publisher's public name: formed like a role id, since it stands in addresses too.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PublisherName(RoleId);

/// Why a text is not a [`PublisherName`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a publisher's name is lowercase a-z0-9 words joined by single hyphens, at most {max} characters", max = RoleId::MAX_LEN)]
pub struct InvalidPublisherName;

impl PublisherName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for PublisherName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for PublisherName {
    type Err = InvalidPublisherName;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        RoleId::parse(text).map(Self).map_err(|_| InvalidPublisherName)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_of_an_address() {
        assert_eq!("tea-house".parse::<PublisherName>().unwrap().to_string(), "tea-house");
        for bad in ["", "Tea House", "x\ny", "a/b", "é"] {
            assert!(bad.parse::<PublisherName>().is_err(), "{bad:?}");
        }
    }
}
