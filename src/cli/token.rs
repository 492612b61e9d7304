//! `token`: the operator's, on the data directory, also while a server runs.

use super::args::{DataDirFlag, TokenCreateArgs, TokenListArgs, TokenRevokeArgs};
use super::error::{CliError, Exit};
use super::output::Output;
use crate::config::{Config, Environment};

pub(super) fn create(args: &TokenCreateArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let _ = (&args.publisher, &args.roles, &args.scopes, args.expires, output);
    open(&args.data_dir, environment)
}

pub(super) fn list(args: &TokenListArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let _ = output;
    open(&args.data_dir, environment)
}

pub(super) fn revoke(args: &TokenRevokeArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let _ = (&args.id, output);
    open(&args.data_dir, environment)
}

fn open(flag: &DataDirFlag, environment: &Environment) -> Result<Exit, CliError> {
    let data_dir = Config::data_dir(flag.data_dir.clone(), environment)?;
    Err(CliError::fault(format!("the catalog in {} cannot be opened by this build", data_dir.display())))
}
