//! Who may keep an answer, for how long, and whether the client has it already.

use axum::http::{HeaderMap, HeaderValue, header};

/// The cache classes of the HTTP interface; every answer has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// Listings, roles, versions, pages: a minute, then revalidated.
    Revalidate,
    /// Files of a version: their bytes never change. The edge keeps them for minutes, so that a takedown reaches it.
    Immutable,
    /// Files of our own with a fingerprint in their name.
    Fingerprinted,
    /// Nothing is there yet.
    Missing,
    /// A redirect that depends on the visitor's language.
    Private,
    /// Never kept.
    NoStore,
}

impl CachePolicy {
    /// The `Cache-Control` value.
    #[must_use]
    pub const fn cache_control(self) -> &'static str {
        match self {
            Self::Revalidate => "public, max-age=60, stale-while-revalidate=600",
            Self::Immutable | Self::Fingerprinted => "public, max-age=31536000, immutable",
            Self::Missing => "public, max-age=30",
            Self::Private => "private, no-cache",
            Self::NoStore => "no-store",
        }
    }

    /// Writes the class into an answer's headers.
    pub fn apply(self, headers: &mut HeaderMap) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control()));
        if self == Self::Immutable {
            headers.insert("cdn-cache-control", HeaderValue::from_static("public, max-age=300"));
        }
    }
}

/// An entity tag (RFC 9110 § 8.8.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ETag {
    opaque: String,
    weak: bool,
}

impl ETag {
    /// A tag for bytes: equal tags, equal bytes. `opaque` is hexadecimal or alike, without quotes.
    #[must_use]
    pub fn strong(opaque: impl Into<String>) -> Self {
        Self { opaque: opaque.into(), weak: false }
    }

    /// A tag for meaning: equal tags, same content, perhaps encoded otherwise.
    #[must_use]
    pub fn weak(opaque: impl Into<String>) -> Self {
        Self { opaque: opaque.into(), weak: true }
    }

    /// The header's value.
    #[must_use]
    pub fn to_header(&self) -> HeaderValue {
        let prefix = if self.weak { "W/" } else { "" };
        HeaderValue::try_from(format!("{prefix}\"{}\"", self.opaque)).unwrap_or(HeaderValue::from_static("\"\""))
    }

    /// Whether the client has this content: `If-None-Match` by weak comparison (RFC 9110 § 13.1.2).
    #[must_use]
    pub fn is_known_to(&self, request: &HeaderMap) -> bool {
        let values = request.get_all(header::IF_NONE_MATCH);
        values.iter().filter_map(|value| value.to_str().ok()).any(|list| list.trim() == "*" || self.is_in(list))
    }

    /// Whether a range may be served: no `If-Range`, or one that names exactly this strong tag (RFC 9110 § 13.1.5).
    #[must_use]
    pub fn allows_range(&self, request: &HeaderMap) -> bool {
        match request.get(header::IF_RANGE) {
            None => true,
            Some(tag) => !self.weak && *tag == self.to_header(),
        }
    }

    /// Whether a list of entity tags holds this one, by weak comparison.
    fn is_in(&self, list: &str) -> bool {
        let mut rest = list;
        loop {
            rest = rest.trim_start_matches([' ', '\t', ',']);
            rest = rest.strip_prefix("W/").unwrap_or(rest);
            let Some((opaque, after)) = rest.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) else {
                return false;
            };
            if opaque == self.opaque {
                return true;
            }
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn if_none_match_compares_weakly_and_reads_lists() {
        for tag in [ETag::strong("abc"), ETag::weak("abc")] {
            for hit in ["\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "\"x\",W/\"abc\"", "*", "\"a,b\" , \"abc\""] {
                assert!(tag.is_known_to(&request(header::IF_NONE_MATCH, hit)), "{hit}");
            }
            for miss in ["\"x\"", "abc", "", "\"abc", "w/\"abc\"", "\"ABC\""] {
                assert!(!tag.is_known_to(&request(header::IF_NONE_MATCH, miss)), "{miss}");
            }
        }
    }

    #[test]
    fn if_range_wants_the_same_strong_tag() {
        let tag = ETag::strong("abc");
        assert!(tag.allows_range(&HeaderMap::new()));
        assert!(tag.allows_range(&request(header::IF_RANGE, "\"abc\"")));
        for no in ["W/\"abc\"", "\"x\"", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            assert!(!tag.allows_range(&request(header::IF_RANGE, no)), "{no}");
        }
        assert!(!ETag::weak("abc").allows_range(&request(header::IF_RANGE, "\"abc\"")));
    }
}
