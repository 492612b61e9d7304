//! Paths inside a package.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::is_nfc;

/// A canonical path relative to the package root, which it cannot leave (rule A06).
///
/// Its segments can be written on Linux, macOS and Windows alike, and comparing two paths is comparing text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PackagePath(String);

/// Why a text is not a [`PackagePath`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPath {
    /// No text, or `//` inside, or a `/` at the end.
    #[error("the path has an empty segment")]
    EmptySegment,
    /// A leading `/`.
    #[error("the path is absolute")]
    Absolute,
    /// `..` that climbs out of the package.
    #[error("the path leaves the package")]
    LeavesPackage,
    /// `..` that stays inside, or `.`.
    #[error("the path has a \"{0}\" segment")]
    DotSegment(String),
    /// A backslash, colon, control, bidi control or solidus look-alike.
    #[error("the path holds the character U+{:04X}, which is not allowed in names", u32::from(*.0))]
    ForbiddenCharacter(char),
    /// A segment that ends in a dot or a blank.
    #[error("the name {0:?} ends with a dot or a space, which Windows drops")]
    TrailingDotOrSpace(String),
    /// A name that Windows reserves for a device.
    #[error("the name {0:?} is a device on Windows")]
    WindowsDevice(String),
    /// A segment over [`PackagePath::MAX_SEGMENT_BYTES`], a path over [`PackagePath::MAX_BYTES`] or
    /// [`PackagePath::MAX_SEGMENTS`].
    #[error(
        "the path is too long: at most {} bytes a name, {} bytes and {} names in all",
        PackagePath::MAX_SEGMENT_BYTES,
        PackagePath::MAX_BYTES,
        PackagePath::MAX_SEGMENTS
    )]
    TooLong,
    /// Not in Unicode Normalization Form C.
    #[error("the path is not in Unicode NFC")]
    NotNfc,
}

impl InvalidPath {
    /// Whether following the path would leave the package (absolute, or climbing out by `..`).
    #[must_use]
    pub const fn leaves_package(&self) -> bool {
        matches!(self, Self::Absolute | Self::LeavesPackage)
    }
}

impl PackagePath {
    /// The longest segment, in UTF-8 bytes.
    pub const MAX_SEGMENT_BYTES: usize = 255;
    /// The longest path, in UTF-8 bytes.
    pub const MAX_BYTES: usize = 1024;
    /// The most segments.
    pub const MAX_SEGMENTS: usize = 64;

    /// Parses a canonical path.
    ///
    /// # Errors
    /// [`InvalidPath`] names the first fault; a path that leaves the package says so before anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidPath> {
        if text.starts_with('/') {
            return Err(InvalidPath::Absolute);
        }
        let mut depth = 0_i32;
        for segment in text.split(['/', '\\']) {
            depth += match segment {
                ".." => -1,
                "" | "." => 0,
                _ => 1,
            };
            if depth < 0 {
                return Err(InvalidPath::LeavesPackage);
            }
        }
        if let Some(forbidden) = text.chars().find(|c| is_forbidden(*c)) {
            return Err(InvalidPath::ForbiddenCharacter(forbidden));
        }
        if text.len() > Self::MAX_BYTES || text.split('/').count() > Self::MAX_SEGMENTS {
            return Err(InvalidPath::TooLong);
        }
        for segment in text.split('/') {
            check_segment(segment)?;
        }
        if is_nfc(text) { Ok(Self(text.to_owned())) } else { Err(InvalidPath::NotNfc) }
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path's segments, outermost first.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The last segment.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

fn check_segment(segment: &str) -> Result<(), InvalidPath> {
    match segment {
        "" => return Err(InvalidPath::EmptySegment),
        "." | ".." => return Err(InvalidPath::DotSegment(segment.to_owned())),
        _ => {}
    }
    if segment.len() > PackagePath::MAX_SEGMENT_BYTES {
        return Err(InvalidPath::TooLong);
    }
    if segment.ends_with(['.', ' ']) {
        return Err(InvalidPath::TrailingDotOrSpace(segment.to_owned()));
    }
    if is_windows_device(segment) {
        return Err(InvalidPath::WindowsDevice(segment.to_owned()));
    }
    Ok(())
}

fn is_forbidden(c: char) -> bool {
    let slash_trick =
        matches!(c, '\\' | ':' | '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{FF0F}' | '\u{FF3C}' | '\u{FE68}');
    let bidi = matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c.is_control() || slash_trick || bidi
}

/// `CON`, `nul.txt`, `Com1` … : Windows opens the device whatever the extension.
fn is_windows_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end().to_ascii_uppercase();
    let numbered = |prefix| {
        stem.strip_prefix(prefix)
            .is_some_and(|n| matches!(n, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") || numbered("COM") || numbered("LPT")
}

/// So that a map by path can be asked with text: both compare alike.
impl Borrow<str> for PackagePath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PackagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for PackagePath {
    type Error = InvalidPath;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<PackagePath> for String {
    fn from(path: PackagePath) -> Self {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_of_any_language_are_paths() {
        for good in ["role.md", "contents/café-老师.txt", "a/b/c.d", ".gitignore", "context.txt", "com10", "a b"] {
            assert_eq!(PackagePath::parse(good).unwrap().as_str(), good);
        }
    }

    #[test]
    fn each_way_out_or_trick_has_its_own_fault() {
        use InvalidPath as I;
        let long = "x".repeat(256);
        let deep = vec!["d"; 65].join("/");
        for (bad, fault) in [
            ("/etc/passwd", I::Absolute),
            ("../x", I::LeavesPackage),
            ("a/../../x", I::LeavesPackage),
            ("..\\x", I::LeavesPackage),
            ("a/../b", I::DotSegment("..".into())),
            ("a/./b", I::DotSegment(".".into())),
            ("", I::EmptySegment),
            ("a//b", I::EmptySegment),
            ("a/", I::EmptySegment),
            ("a\\b", I::ForbiddenCharacter('\\')),
            ("C:/x", I::ForbiddenCharacter(':')),
            ("a\0", I::ForbiddenCharacter('\0')),
            ("a\u{202E}b", I::ForbiddenCharacter('\u{202E}')),
            ("a\u{2215}b", I::ForbiddenCharacter('\u{2215}')),
            ("a./b", I::TrailingDotOrSpace("a.".into())),
            ("a ", I::TrailingDotOrSpace("a ".into())),
            ("aux.png", I::WindowsDevice("aux.png".into())),
            ("x/Com1", I::WindowsDevice("Com1".into())),
            (&long, I::TooLong),
            (&deep, I::TooLong),
            ("cafe\u{301}", I::NotNfc),
        ] {
            assert_eq!(PackagePath::parse(bad), Err(fault), "{bad:?}");
        }
    }
}
