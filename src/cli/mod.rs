//! The command line (layer 7).
//!
//! ```text
//! arguments ─► args::Cli ─► one module a command ─► Exit        0 done · 1 your input was refused · 2 usage or our fault
//!                                   └─► Output                  data on stdout, everything else on stderr
//! ```
//!
//! [`output`] is the only place that prints, [`error`] the only one that decides how a failure ends.

mod args;
mod check;
mod diagnostic;
mod error;
mod git;
mod healthcheck;
mod output;
mod pack;
mod publish;
mod remote;
mod serve;
mod source;
mod token;
mod verdict;

use std::process::ExitCode;

use clap::Parser as _;

use crate::config::{Environment, Variable};
use crate::telemetry::{self, Verbosity};
use args::{Cli, Command, LogFlags, TokenCommand};
use error::{CliError, Exit};
use output::Output;

/// Runs the program: reads the arguments of this process, does what they say, and returns its exit status.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are printed this way too, with status 0.
        Err(usage) => return output::usage(&usage),
    };
    let environment = Environment::process();
    let output = Output::new(cli.command.json(), &environment);
    let outcome = set_up_logs(&cli, &environment).and_then(|()| run(cli.command, &environment, &output));
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            output.error(&error);
            error.exit.into()
        }
    }
}

fn run(command: Command, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    match command {
        Command::Serve(args) => serve::run(args, environment),
        Command::Check(args) => check::run(&args, output),
        Command::Pack(args) => pack::run(&args, environment, output),
        Command::Publish(args) => publish::run(&args, environment, output),
        Command::Token(TokenCommand::Create(args)) => token::create(&args, environment, output),
        Command::Token(TokenCommand::List(args)) => token::list(&args, environment, output),
        Command::Token(TokenCommand::Revoke(args)) => token::revoke(&args, environment, output),
        Command::Healthcheck(args) => healthcheck::run(&args, environment, output),
    }
}

fn set_up_logs(cli: &Cli, environment: &Environment) -> Result<(), CliError> {
    let LogFlags { log, log_format } = &cli.logs;
    let verbosity = if matches!(cli.command, Command::Serve(_)) { Verbosity::Server } else { Verbosity::Command };
    let format = match log_format {
        Some(format) => *format,
        None => environment.parse(Variable::LogFormat)?.unwrap_or_default(),
    };
    let filter = match log {
        Some(filter) => Some(filter.clone()),
        None => environment.text(Variable::Log)?,
    };
    telemetry::init(format, filter.as_deref(), verbosity).map_err(|error| CliError::fault(error.to_string()))
}

/// Runs a client's requests to their end.
fn block_on<T>(future: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::fault(format!("the asynchronous runtime cannot be started: {error}")))?;
    Ok(runtime.block_on(future))
}
