//! Logs (layer 1): one subscriber for the process, on stderr.

use std::fmt;
use std::io::IsTerminal as _;
use std::str::FromStr;

use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::Directive;

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// For a person at a terminal.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
}

/// Which lines are written when nothing says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// A server: what it does, and what worries its dependencies.
    Server,
    /// A command at a terminal: only what goes wrong.
    Command,
}

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// A filter that does not parse.
    #[error("the log filter is not usable: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// A second set-up in one process.
    #[error("logging is already set up")]
    AlreadySet,
}

impl FromStr for LogFormat {
    type Err = InvalidLogFormat;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        clap::ValueEnum::from_str(text, false).map_err(|_| InvalidLogFormat)
    }
}

/// A text that is not a [`LogFormat`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it must be human or json")]
pub struct InvalidLogFormat;

impl Verbosity {
    const fn filter(self) -> &'static str {
        match self {
            Self::Server => "warn,role_catalog=info",
            Self::Command => "error,role_catalog=warn",
        }
    }
}

/// Starts logging to stderr. `filter` holds directives like `debug` or `role_catalog=debug,warn`.
///
/// # Errors
/// [`TelemetryError`] when the filter does not parse or logging was set up before.
pub fn init(format: LogFormat, filter: Option<&str>, verbosity: Verbosity) -> Result<(), TelemetryError> {
    let subscriber = subscriber(format, parse_filter(filter.unwrap_or(verbosity.filter()))?);
    tracing::subscriber::set_global_default(subscriber).map_err(|_| TelemetryError::AlreadySet)
}

fn parse_filter(text: &str) -> Result<EnvFilter, TelemetryError> {
    let directives: Result<Vec<Directive>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    Ok(directives?.into_iter().fold(EnvFilter::default(), EnvFilter::add_directive))
}

fn subscriber(format: LogFormat, filter: EnvFilter) -> Box<dyn Subscriber + Send + Sync> {
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Json => Box::new(builder.json().flatten_event(true).finish()),
        // On a terminal the library itself honours NO_COLOR.
        LogFormat::Human if std::io::stderr().is_terminal() => Box::new(builder.finish()),
        LogFormat::Human => Box::new(builder.with_ansi(false).finish()),
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Human => "human",
            Self::Json => "json",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_that_do_not_parse_are_refused() {
        for good in ["info", "warn,role_catalog=debug", "role_catalog::web=trace, error"] {
            assert!(parse_filter(good).is_ok(), "{good}");
        }
        for bad in ["role_catalog=loud", "=,=", "a=b=c"] {
            assert!(parse_filter(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_default_filters_parse() {
        for verbosity in [Verbosity::Server, Verbosity::Command] {
            assert!(parse_filter(verbosity.filter()).is_ok());
        }
    }

    #[test]
    fn formats_read_back_what_they_write() {
        for format in [LogFormat::Human, LogFormat::Json] {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!("xml".parse::<LogFormat>(), Err(InvalidLogFormat));
    }
}
