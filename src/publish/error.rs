//! Why an upload was not published: the publisher's to mend, or ours.

use crate::catalog::CatalogError;
use crate::domain::{Code, Issue, Rule};
use crate::package::Report;
use crate::projection::ProjectionError;
use crate::publish::SpoolError;
use crate::storage::StorageError;

/// Why an upload was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The publisher can mend it: at least one error, in rule order.
    #[error("refused: {0:?}")]
    Refused(Refusal, Vec<Issue>),
    /// Too many uploads at once.
    #[error("too many uploads are being processed")]
    Busy,
    /// The temporary file failed.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The database failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A version was listed and is not there.
    #[error("a version disappeared while it was published")]
    Vanished,
    /// A task stopped without an answer.
    #[error("a publishing task failed: {0}")]
    Task(tokio::task::JoinError),
}

/// The kind of refusal, which decides the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// No usable token.
    Unauthenticated,
    /// The token does not reach this far.
    Forbidden,
    /// The package or its address is at fault.
    Invalid,
    /// It contradicts what is published.
    Conflict,
}

impl PublishError {
    pub(super) fn invalid(report: Report) -> Self {
        Self::Refused(Refusal::Invalid, report.issues)
    }

    pub(super) fn panicked(error: tokio::task::JoinError) -> Self {
        Self::Task(error)
    }
}

impl From<ProjectionError> for PublishError {
    fn from(error: ProjectionError) -> Self {
        let issue = Issue::error(Rule::P04, Code::RolePreviewInvalid, error.to_string())
            .hint("save the picture anew as PNG and publish again");
        Self::Refused(Refusal::Invalid, vec![issue])
    }
}
