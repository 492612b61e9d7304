//! `serve`: the server. It is not part of this build yet.

use super::args::ServeArgs;
use super::error::{CliError, Exit};
use crate::config::{Config, Environment};

pub(super) fn run(args: ServeArgs, environment: &Environment) -> Result<Exit, CliError> {
    let ServeArgs { server, demo: _, demo_dir: _ } = args;
    let _config = Config::load(&server, environment)?;
    Err(CliError::fault("the server is not available in this build"))
}
