//! What can go wrong between a publisher and a catalog.

use crate::config::Origin;

use super::Problem;

/// Why the catalog did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The catalog said no, and why.
    #[error("{0}")]
    Refused(Box<Problem>),
    /// The token would travel in the clear.
    #[error("the token is not sent to {0}: it is neither https nor this machine")]
    InsecureOrigin(Origin),
    /// No answer, or not a whole one.
    #[error("{origin} did not answer: {}", root_cause(.source))]
    Network {
        /// Whom we asked.
        origin: Origin,
        /// What happened.
        source: reqwest::Error,
    },
    /// An answer, but not one of the catalog's interface.
    #[error("{origin} does not answer like a role catalog (status {status})")]
    NotACatalog {
        /// Whom we asked.
        origin: Origin,
        /// The HTTP status of its answer.
        status: u16,
    },
    /// The HTTP client could not be made.
    #[error("HTTPS cannot be set up on this machine: {}", root_cause(.0))]
    Setup(reqwest::Error),
    /// A part of the address cannot be written as a URL.
    #[error("the address of the catalog cannot be written as a URL")]
    Url,
}

impl ClientError {
    /// Whether the package or the right to publish it was refused, so that trying again changes nothing.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        const REQUEST_TIMEOUT: u16 = 408;
        const TOO_MANY_REQUESTS: u16 = 429;
        match self {
            Self::Refused(problem) => {
                (400..500).contains(&problem.status) && !matches!(problem.status, REQUEST_TIMEOUT | TOO_MANY_REQUESTS)
            }
            _ => false,
        }
    }
}

/// The innermost cause: "connection refused" says more than "error sending request".
fn root_cause(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
