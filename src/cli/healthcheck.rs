//! `healthcheck`: what a container's health check runs, so that its image needs no other HTTP client.

use super::args::HealthcheckArgs;
use super::block_on;
use super::error::{CliError, Exit};
use super::output::Output;
use crate::client::Client;
use crate::config::{DEFAULT_BIND, Environment, Origin, Variable};

/// Status 0 when the server answers, 1 when it does not: the two that Docker knows.
pub(super) fn run(args: &HealthcheckArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let bind = match args.bind {
        Some(bind) => bind,
        None => environment.parse(Variable::Bind)?.unwrap_or(DEFAULT_BIND),
    };
    let client = Client::new(Origin::of_address(bind))?;
    match block_on(client.health())? {
        Ok(()) => Ok(Exit::Done),
        Err(error) => {
            output.complain(&CliError::fault(error.to_string()));
            Ok(Exit::Refused)
        }
    }
}
