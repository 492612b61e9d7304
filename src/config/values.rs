//! The types that settings are parsed into.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use http::Uri;

/// Why a setting's text is not its value: what it should be. The text itself is never repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it must be {0}")]
pub struct InvalidValue(pub &'static str);

/// Scheme, host and perhaps port of a site: `https://roles.agotalk.com`. Lowercase, no path, no credentials.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Scheme {
    Http,
    Https,
}

impl Origin {
    const EXPECTED: InvalidValue =
        InvalidValue("an http or https origin without a path, like https://roles.agotalk.com");

    /// The public catalog, which clients talk to when nothing says otherwise.
    #[must_use]
    pub fn public_catalog() -> Self {
        Self { scheme: Scheme::Https, host: "roles.agotalk.com".to_owned(), port: None }
    }

    /// The plain origin of a listening address. One that means "every interface" is reached as `localhost`.
    #[must_use]
    pub fn of_address(address: SocketAddr) -> Self {
        let host = match address.ip() {
            ip if ip.is_unspecified() => "localhost".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        Self { scheme: Scheme::Http, host, port: Some(address.port()) }
    }

    /// Whether the connection is encrypted.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.scheme == Scheme::Https
    }

    /// Whether the host can only be this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let address = self.host.trim_start_matches('[').trim_end_matches(']');
        self.host == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

impl FromStr for Origin {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let uri: Uri = text.parse().map_err(|_| Self::EXPECTED)?;
        let scheme = match uri.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            _ => return Err(Self::EXPECTED),
        };
        let authority = uri.authority().ok_or(Self::EXPECTED)?;
        let bare = uri.path() == "/" && uri.query().is_none() && !text.contains(['#', '@']);
        if !bare || authority.host().is_empty() {
            return Err(Self::EXPECTED);
        }
        // A port that is not a number is kept in the authority but not in `port`.
        if authority.port_u16().is_none() && authority.as_str() != authority.host() {
            return Err(Self::EXPECTED);
        }
        Ok(Self { scheme, host: authority.host().to_ascii_lowercase(), port: authority.port_u16() })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_https() { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// An absolute `http` or `https` URL that a page may link to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebUrl(String);

impl WebUrl {
    /// The URL as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WebUrl {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_web = text.parse::<Uri>().is_ok_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
        });
        if is_web { Ok(Self(text.to_owned())) } else { Err(InvalidValue("an absolute http or https URL")) }
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a link that opens a role in the app is made: a URL with `{roleId}` and perhaps `{version}` in it.
///
/// Its scheme is the app's own (`agotalk:`) or https; one that could run code in a page is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppLinkTemplate(String);

impl AppLinkTemplate {
    /// The link for one version of a role. Both parts are URL-safe.
    #[must_use]
    pub fn link(&self, role_id: &crate::domain::RoleId, version: &crate::domain::RoleVersion) -> String {
        self.0.replace("{roleId}", role_id.as_str()).replace("{version}", &version.to_url_segment())
    }
}

impl FromStr for AppLinkTemplate {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: InvalidValue =
            InvalidValue("a URL with {roleId} in it, perhaps {version} too, like agotalk://roles/{roleId}");
        let (scheme, _) = text.split_once(':').ok_or(EXPECTED)?;
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_lowercase())
            && scheme.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+-.".contains(&b));
        let runs_code = matches!(scheme, "javascript" | "data" | "vbscript" | "blob" | "file");
        let is_url_text = text.bytes().all(|b| b.is_ascii_graphic() && !b"\"'<>\\^`|".contains(&b));
        let filled = text.replace("{roleId}", "").replace("{version}", "");
        let only_known_braces = !filled.contains(['{', '}']);
        if is_scheme && !runs_code && is_url_text && text.contains("{roleId}") && only_known_braces {
            Ok(Self(text.to_owned()))
        } else {
            Err(EXPECTED)
        }
    }
}

/// A secret: it can be handed on, not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret itself, for whoever must send it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A number of bytes: `4096`, `512 KiB`, `64MiB`, `1 GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub u64);

impl FromStr for ByteSize {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: InvalidValue = InvalidValue("a number of bytes above zero, like 4096, 512KiB, 64MiB or 1GiB");
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
        let (number, shift) = units
            .iter()
            .find_map(|(unit, shift)| text.strip_suffix(unit).map(|number| (number, *shift)))
            .unwrap_or((text, 0));
        let number: u64 = number.trim_end().parse().map_err(|_| EXPECTED)?;
        number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).map(Self).ok_or(EXPECTED)
    }
}

/// A length of time above zero: `15s`, `5m`, `90d`. A day has 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: InvalidValue = InvalidValue("a length of time above zero, like 15s, 5m, 12h or 90d");
        let span: jiff::Span = text.parse().map_err(|_| EXPECTED)?;
        let signed = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).map_err(|_| EXPECTED)?;
        Duration::try_from(signed).ok().filter(|time| !time.is_zero()).map(Self).ok_or(EXPECTED)
    }
}
