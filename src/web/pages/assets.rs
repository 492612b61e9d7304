//! The site's own files: one style sheet and two pictures, in the binary, at URLs that change with their bytes.

use std::sync::LazyLock;

use super::links::Href;
use crate::domain::Sha256Digest;

/// A file that is served for ever under a URL holding its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticFile {
    /// `/static/site.0123456789abcdef.css`.
    pub url_path: String,
    /// The `Content-Type`.
    pub content_type: &'static str,
    /// The body.
    pub bytes: &'static [u8],
    /// Of the body: the `ETag`.
    pub sha256: Sha256Digest,
}

static FILES: LazyLock<[StaticFile; 3]> = LazyLock::new(|| {
    [
        file("site", "css", "text/css; charset=utf-8", include_bytes!("../../../static/site.css")),
        file("favicon", "svg", "image/svg+xml", include_bytes!("../../../static/favicon.svg")),
        file("avatar", "svg", "image/svg+xml", include_bytes!("../../../static/avatar.svg")),
    ]
});

fn file(stem: &str, extension: &str, content_type: &'static str, bytes: &'static [u8]) -> StaticFile {
    let sha256 = Sha256Digest::of(bytes);
    let fingerprint: String = sha256.to_string().chars().take(16).collect();
    StaticFile { url_path: format!("/static/{stem}.{fingerprint}.{extension}"), content_type, bytes, sha256 }
}

/// Every file, to be served as it is, immutable.
#[must_use]
pub fn static_files() -> &'static [StaticFile] {
    &*FILES
}

/// Where pages find each of them.
pub(super) struct StaticLinks {
    pub(super) css: Href,
    pub(super) favicon: Href,
    pub(super) avatar: Href,
}

pub(super) fn static_links() -> StaticLinks {
    let [css, favicon, avatar] = &*FILES;
    let href = |file: &StaticFile| Href::fingerprinted(&file.url_path);
    StaticLinks { css: href(css), favicon: href(favicon), avatar: href(avatar) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_under_the_first_sixteen_digits_of_its_digest() {
        for file in static_files() {
            let digest = file.sha256.to_string();
            assert!(file.url_path.contains(&format!(".{}.", &digest[..16])), "{}", file.url_path);
            assert_eq!(Sha256Digest::of(file.bytes), file.sha256);
        }
    }

    #[test]
    fn the_style_sheet_loads_nothing_from_elsewhere() {
        let css = std::str::from_utf8(static_files()[0].bytes).unwrap();
        for forbidden in ["@import", "http:", "https:", "//", "@font-face"] {
            assert!(!css.contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn the_style_sheet_reads_in_either_direction() {
        let css = std::str::from_utf8(static_files()[0].bytes).unwrap();
        for physical in [
            "margin-left",
            "margin-right",
            "padding-left",
            "padding-right",
            "text-align:left",
            "text-align: left",
            "float:",
        ] {
            assert!(!css.contains(physical), "{physical}");
        }
    }
}
