//! How a command ends.

use std::process::ExitCode;

use crate::catalog::CatalogError;
use crate::client::ClientError;
use crate::config::{ConfigError, ConfigFault};
use crate::domain::Code;
use crate::folder::FolderError;

/// The exit status of a command that said what there is to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// Done.
    Done = 0,
    /// The input was refused.
    Refused = 1,
    /// Usage, or a fault of this program or its surroundings.
    Fault = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not go on.
#[derive(Debug)]
pub(super) struct CliError {
    pub(super) exit: Exit,
    /// The stable code, where there is one.
    pub(super) code: Option<String>,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl CliError {
    /// Something is amiss around the input.
    pub(super) fn fault(message: impl Into<String>) -> Self {
        Self { exit: Exit::Fault, code: None, message: message.into(), hint: None }
    }

    /// The input is refused.
    pub(super) fn refused(code: Code, message: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, code: Some(code.to_string()), message: message.into(), hint: None }
    }

    /// What the input names does not exist.
    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, ..Self::fault(message) }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<ConfigFault> for CliError {
    fn from(fault: ConfigFault) -> Self {
        Self::fault(fault.to_string())
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::fault(error.to_string())
    }
}

impl From<CatalogError> for CliError {
    fn from(error: CatalogError) -> Self {
        Self::fault(error.to_string())
    }
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> Self {
        Self::fault(format!("{error}: {}", error.source))
    }
}

impl From<ClientError> for CliError {
    fn from(error: ClientError) -> Self {
        let exit = if error.is_refusal() { Exit::Refused } else { Exit::Fault };
        let hint = match &error {
            ClientError::Refused(problem) => {
                problem.request_id.as_ref().map(|id| format!("the catalog's operator finds this as request {id}"))
            }
            ClientError::InsecureOrigin(_) => Some("use an https origin in AGOTALK_ROLE_PUBLIC_ORIGIN".to_owned()),
            ClientError::Network { .. } | ClientError::NotACatalog { .. } => Some(
                "AGOTALK_ROLE_PUBLIC_ORIGIN names the catalog, https://roles.agotalk.com when it is not set".to_owned(),
            ),
            ClientError::Setup(_) | ClientError::Url => None,
        };
        let code = match &error {
            ClientError::Refused(problem) => Some(problem.code.clone()),
            _ => None,
        };
        Self { exit, code, message: error.to_string(), hint }
    }
}
