//! The settings (layer 1): flags first, then the environment, then the documented defaults.
//!
//! ```text
//! ServerFlags ─┐
//! Environment ─┴─► Config::load ─► Config        or every fault at once, by name and never by value
//! ```
//!
//! [`Variable`] lists every environment variable there is, and [`Environment`] is the one way to read them, so the
//! tests need no process environment. Values are parsed here into types that the rest can trust.

mod environment;
mod flags;
mod limits;
mod object_store;
mod values;
mod variable;

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::domain::Limits;

pub use environment::Environment;
pub use flags::{LimitFlags, ServerFlags};
pub use limits::ServerLimits;
pub use object_store::S3Settings;
pub use values::{AppLinkTemplate, ByteSize, InvalidValue, Origin, Secret, Span, WebUrl};
pub use variable::Variable;

/// Where the server listens when nothing says otherwise.
pub const DEFAULT_BIND: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);
/// Where the catalog lies when nothing says otherwise.
pub const DEFAULT_DATA_DIR: &str = "data";

/// Everything that the server is told from outside.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen.
    pub bind: SocketAddr,
    /// The folder of the SQLite catalog and, without an object store, of the objects.
    pub data_dir: PathBuf,
    /// The S3 service that keeps the objects; `None` keeps them below [`Config::data_dir`].
    pub object_store: Option<S3Settings>,
    /// What the pages say about the site.
    pub site: SiteSettings,
    /// The limits on packages.
    pub limits: Limits,
    /// The limits on requests.
    pub server: ServerLimits,
}

/// What the pages say about the site.
#[derive(Debug, Clone, Default)]
pub struct SiteSettings {
    /// The origin that absolute links carry, when it is configured: see [`SiteSettings::origin`].
    pub public_origin: Option<Origin>,
    /// How "Open in Agotalk" links are made; without one the button is hidden.
    pub app_link_template: Option<AppLinkTemplate>,
    /// Where a visitor gets the app.
    pub get_app_url: Option<WebUrl>,
    /// Whom to write to: an e-mail address or a URL, shown as text.
    pub contact: Option<String>,
}

impl SiteSettings {
    /// The origin that absolute links carry: the configured one, else `http://` and the address the server is bound to.
    #[must_use]
    pub fn origin(&self, bound: SocketAddr) -> Origin {
        self.public_origin.clone().unwrap_or_else(|| Origin::of_address(bound))
    }
}

/// What is wrong with the settings, every fault of them. No message holds a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ConfigError(pub Vec<ConfigFault>);

/// One fault of the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigFault {
    /// A variable that cannot be parsed.
    #[error("{variable} is not usable: {reason}")]
    Invalid {
        /// Which one.
        variable: Variable,
        /// What it should have been.
        reason: String,
    },
    /// A part of the object store's settings.
    #[error("the object store is configured in part: {} not set (set all of them, or none)", names(.missing))]
    ObjectStoreIncomplete {
        /// What is missing; where one of two would do, both are named.
        missing: Vec<&'static str>,
    },
}

fn names(missing: &[&str]) -> String {
    format!("{} {}", missing.join(", "), if missing.len() == 1 { "is" } else { "are" })
}

impl Config {
    /// Reads all settings.
    ///
    /// # Errors
    /// [`ConfigError`] with every fault found.
    pub fn load(flags: &ServerFlags, environment: &Environment) -> Result<Self, ConfigError> {
        let mut reader = Reader { environment, faults: Vec::new() };
        let config = Self {
            bind: reader.value(flags.bind, Variable::Bind).unwrap_or(DEFAULT_BIND),
            data_dir: reader.data_dir(flags.data_dir.clone()),
            object_store: object_store::read(&mut reader),
            site: SiteSettings {
                public_origin: reader.value(None, Variable::PublicOrigin),
                app_link_template: reader.value(None, Variable::AppLinkTemplate),
                get_app_url: reader.value(None, Variable::GetAppUrl),
                contact: reader.value(flags.contact.clone(), Variable::Contact),
            },
            limits: limits::package(&flags.limits, &mut reader),
            server: limits::server(&flags.limits, &mut reader),
        };
        if reader.faults.is_empty() { Ok(config) } else { Err(ConfigError(reader.faults)) }
    }

    /// Where the catalog lies, for the commands that need nothing else: the flag, else the environment, else `data`.
    ///
    /// # Errors
    /// [`ConfigError`] when the variable is not text.
    pub fn data_dir(flag: Option<PathBuf>, environment: &Environment) -> Result<PathBuf, ConfigError> {
        let mut reader = Reader { environment, faults: Vec::new() };
        let dir = reader.data_dir(flag);
        if reader.faults.is_empty() { Ok(dir) } else { Err(ConfigError(reader.faults)) }
    }
}

/// Reads values and gathers the faults.
struct Reader<'a> {
    environment: &'a Environment,
    faults: Vec<ConfigFault>,
}

impl Reader<'_> {
    /// The flag when it was given, else the parsed variable.
    fn value<T>(&mut self, flag: Option<T>, variable: Variable) -> Option<T>
    where
        T: std::str::FromStr<Err: std::fmt::Display>,
    {
        if flag.is_some() {
            return flag;
        }
        self.environment.parse(variable).unwrap_or_else(|fault| {
            self.faults.push(fault);
            None
        })
    }

    fn data_dir(&mut self, flag: Option<PathBuf>) -> PathBuf {
        self.value(flag, Variable::DataDir).unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR))
    }
}

#[cfg(test)]
mod tests;
