//! Versions: SemVer for roles, plain `x.y.z` for the app.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a text is not a version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidVersion {
    /// Not a SemVer 2.0.0 version (rule M06).
    #[error("version must be a SemVer 2.0.0 string such as \"0.1.0\" or \"1.0.0-beta.2\"")]
    NotSemver,
    /// Longer than [`RoleVersion::MAX_LEN`].
    #[error("version must have at most {max} characters", max = RoleVersion::MAX_LEN)]
    TooLong,
    /// Not a plain `x.y.z` (rule M12).
    #[error("min_app_version must be a plain \"x.y.z\" version")]
    NotPlain,
}

/// A role's version: SemVer 2.0.0, at most [`RoleVersion::MAX_LEN`] characters (rule M06).
///
/// Equality and hashing are textual (`1.0.0+a` is not `1.0.0+b`); [`Ord`] is SemVer precedence, then text, so that a
/// list has one order. The text is safe as a file name and, with `+` written `%2B`, as a URL segment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoleVersion(semver::Version);

impl RoleVersion {
    /// The longest version, in characters (all ASCII).
    pub const MAX_LEN: usize = 100;

    /// Parses a version.
    ///
    /// # Errors
    /// [`InvalidVersion::NotSemver`] or [`InvalidVersion::TooLong`].
    pub fn parse(text: &str) -> Result<Self, InvalidVersion> {
        if text.len() > Self::MAX_LEN {
            return Err(InvalidVersion::TooLong);
        }
        semver::Version::parse(text).map(Self).map_err(|_| InvalidVersion::NotSemver)
    }

    /// Whether this is a prerelease such as `1.0.0-rc.1`.
    #[must_use]
    pub fn is_prerelease(&self) -> bool {
        !self.0.pre.is_empty()
    }

    /// A text whose byte order is SemVer precedence; equal for versions that differ only in build metadata.
    ///
    /// It lets a database sort versions, and its uniqueness per role is rule B05.
    #[must_use]
    pub fn precedence_key(&self) -> String {
        let semver::Version { major, minor, patch, pre, .. } = &self.0;
        let mut key = format!("{major:020}.{minor:020}.{patch:020}");
        if pre.is_empty() {
            // A release sorts after each of its prereleases: '~' is above every byte used below.
            key.push('~');
            return key;
        }
        for identifier in pre.split('.') {
            // Fewer identifiers sort first, numbers before words, longer numbers after shorter ones.
            if identifier.bytes().all(|b| b.is_ascii_digit()) {
                let _ = write!(key, " 0{:03}{identifier}", identifier.len());
            } else {
                let _ = write!(key, " 1{identifier}");
            }
        }
        key
    }

    /// The version as one URL path segment.
    #[must_use]
    pub fn to_url_segment(&self) -> String {
        self.0.to_string().replace('+', "%2B")
    }
}

impl Ord for RoleVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp_precedence(&other.0).then_with(|| self.0.build.as_str().cmp(other.0.build.as_str()))
    }
}

impl PartialOrd for RoleVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for RoleVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RoleVersion {
    type Err = InvalidVersion;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl TryFrom<String> for RoleVersion {
    type Error = InvalidVersion;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<RoleVersion> for String {
    fn from(version: RoleVersion) -> Self {
        version.to_string()
    }
}

/// A version of the Agotalk app: three numbers, no prerelease, no build metadata (rule M12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AppVersion {
    major: u32,
    minor: u32,
    patch: u32,
}

impl AppVersion {
    /// Parses `x.y.z`.
    ///
    /// # Errors
    /// [`InvalidVersion::NotPlain`] for anything else, leading zeros and numbers above 32 bits included.
    pub fn parse(text: &str) -> Result<Self, InvalidVersion> {
        let number = |part: Option<&str>| -> Option<u32> {
            let part = part?;
            let canonical = part == "0" || !part.starts_with('0');
            (canonical && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok()).flatten()
        };
        let mut parts = text.split('.');
        match (number(parts.next()), number(parts.next()), number(parts.next()), parts.next()) {
            (Some(major), Some(minor), Some(patch), None) => Ok(Self { major, minor, patch }),
            _ => Err(InvalidVersion::NotPlain),
        }
    }

    /// A text whose byte order is the order of versions.
    #[must_use]
    pub fn sort_key(&self) -> String {
        format!("{:010}.{:010}.{:010}", self.major, self.minor, self.patch)
    }
}

impl fmt::Display for AppVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for AppVersion {
    type Err = InvalidVersion;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl TryFrom<String> for AppVersion {
    type Error = InvalidVersion;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<AppVersion> for String {
    fn from(version: AppVersion) -> Self {
        version.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn version(text: &str) -> RoleVersion {
        RoleVersion::parse(text).unwrap()
    }

    #[test]
    fn only_semver_two_is_a_role_version() {
        for good in ["0.1.0", "1.0.0-beta.2", "1.0.0-rc.1+build.20260105", "1.0.0-x-y"] {
            assert_eq!(version(good).to_string(), good);
        }
        for bad in ["", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-01", "1.0.0-", " 1.0.0", "1.0.0-a/b", "1.0.0\0"] {
            assert_eq!(RoleVersion::parse(bad), Err(InvalidVersion::NotSemver), "{bad:?}");
        }
        assert_eq!(RoleVersion::parse(&format!("1.0.0-{}", "a".repeat(100))), Err(InvalidVersion::TooLong));
    }

    #[test]
    fn precedence_keys_order_the_example_of_semver_paragraph_eleven() {
        let ascending = [
            "0.9.0",
            "0.10.0",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.9",
            "1.0.0-alpha.10",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "2.0.0",
        ];
        let keys: Vec<_> = ascending.iter().map(|v| version(v).precedence_key()).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:#?}");
    }

    proptest! {
        #[test]
        fn precedence_keys_compare_as_semver_does(
            a in "[0-2]\\.[0-2]\\.[0-2](-(0|[1-9][0-9]{0,3}|[a-z-]{1,3}|[0-9]{1,2}[a-z])(\\.(0|[1-9][0-9]?|[a-zA-Z-]{1,2})){0,2})?(\\+[a-z0-9]{1,3})?",
            b in "[0-2]\\.[0-2]\\.[0-2](-(0|[1-9][0-9]{0,3}|[a-z-]{1,3}|[0-9]{1,2}[a-z])(\\.(0|[1-9][0-9]?|[a-zA-Z-]{1,2})){0,2})?(\\+[a-z0-9]{1,3})?",
        ) {
            let (a, b) = (version(&a), version(&b));
            prop_assert_eq!(a.precedence_key().cmp(&b.precedence_key()), a.0.cmp_precedence(&b.0));
        }

        #[test]
        fn app_versions_sort_by_number(a in any::<[u32; 3]>(), b in any::<[u32; 3]>()) {
            let text = |v: [u32; 3]| format!("{}.{}.{}", v[0], v[1], v[2]);
            let (x, y) = (AppVersion::parse(&text(a)).unwrap(), AppVersion::parse(&text(b)).unwrap());
            prop_assert_eq!(x.to_string(), text(a));
            prop_assert_eq!(x.sort_key().cmp(&y.sort_key()), a.cmp(&b));
        }
    }

    #[test]
    fn app_versions_are_three_plain_numbers() {
        for bad in
            ["", "0.1", "v0.1.57", "0.2.0-beta.1", "0.1.57.1", "01.0.0", "1.0.", "1.0.0 ", "1.0.4294967296", "+1.0.0"]
        {
            assert!(AppVersion::parse(bad).is_err(), "{bad:?}");
        }
    }
}
