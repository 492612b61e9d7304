//! Every command and flag.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::catalog::Scope;
use crate::config::{ServerFlags, Span};
use crate::domain::{AppVersion, PublisherName, RolePattern};
use crate::telemetry::LogFormat;

/// The package catalog of Agotalk roles: check, pack and publish role packages, and serve the catalog.
///
/// Exit status: 0 done, 1 your input was refused, 2 usage or a fault of ours.
#[derive(Debug, Parser)]
#[command(name = "role-catalog", version, about, propagate_version = true)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) logs: LogFlags,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// How the program tells what it does.
#[derive(Debug, Args)]
pub(super) struct LogFlags {
    /// Which log lines to write, such as `warn,role_catalog=debug` [env: `ROLE_CATALOG_LOG`]
    #[arg(long, global = true, value_name = "FILTER", hide_short_help = true)]
    pub(super) log: Option<String>,
    /// How log lines look [env: `ROLE_CATALOG_LOG_FORMAT`] [default: human]
    #[arg(long, global = true, value_name = "FORMAT", hide_short_help = true)]
    pub(super) log_format: Option<LogFormat>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the server
    Serve(ServeArgs),
    /// Report every problem of a package, as the server would see it
    Check(CheckArgs),
    /// Check a package directory and make its zip, the same bytes every time
    Pack(PackArgs),
    /// Publish a package to the catalog
    Publish(PublishArgs),
    /// Make, list and revoke publishing tokens (on the server's data directory)
    #[command(subcommand)]
    Token(TokenCommand),
    /// Ask a running server whether it is alive (for containers)
    Healthcheck(HealthcheckArgs),
}

impl Command {
    /// Whether stdout holds one JSON document.
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Check(args) => args.json.json,
            Self::Pack(args) => args.json.json,
            Self::Publish(args) => args.json.json,
            Self::Token(TokenCommand::Create(args)) => args.json.json,
            Self::Token(TokenCommand::List(args)) => args.json.json,
            Self::Token(TokenCommand::Revoke(args)) => args.json.json,
            Self::Serve(_) | Self::Healthcheck(_) => false,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct JsonFlag {
    /// Write one JSON document to stdout instead of text
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Publish the demo roles that are not there yet
    #[arg(long)]
    pub(super) demo: bool,
    /// Where the demo roles are
    #[arg(long, value_name = "DIR", default_value = "demo/roles")]
    pub(super) demo_dir: PathBuf,
    // Last, because its help headings hold for every flag after them.
    #[command(flatten)]
    pub(super) server: ServerFlags,
}

/// What a package is judged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Purpose {
    /// Publishing to the catalog.
    Publish,
    /// Importing into the app, which needs no manifest.
    Import,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// A package directory or its zip
    #[arg(value_name = "DIR|ZIP")]
    pub(super) package: PathBuf,
    /// What the package is judged for
    #[arg(long = "for", value_name = "PURPOSE", default_value = "publish")]
    pub(super) purpose: Purpose,
    #[command(flatten)]
    pub(super) min_app_version: MinAppVersionFlag,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct MinAppVersionFlag {
    /// The oldest app that can run the role, where the manifest does not say
    #[arg(long, value_name = "X.Y.Z")]
    pub(super) min_app_version: Option<AppVersion>,
}

#[derive(Debug, Args)]
pub(super) struct PackArgs {
    /// The package directory
    #[arg(value_name = "DIR")]
    pub(super) package: PathBuf,
    /// Where to write the zip, `<id>-<version>.zip` when not given
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Do not compare with the public catalog
    #[arg(long)]
    pub(super) skip_remote: bool,
    #[command(flatten)]
    pub(super) min_app_version: MinAppVersionFlag,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// Publish a package to the catalog.
///
/// The catalog is `https://roles.agotalk.com` unless `AGOTALK_ROLE_PUBLIC_ORIGIN` names another; the token comes from
/// `AGOTALK_ROLE_PUBLISH_TOKEN`.
#[derive(Debug, Args)]
pub(super) struct PublishArgs {
    /// A package directory or its zip
    #[arg(value_name = "DIR|ZIP")]
    pub(super) package: PathBuf,
    /// Ask the catalog for the outcome and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) min_app_version: MinAppVersionFlag,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Subcommand)]
pub(super) enum TokenCommand {
    /// Make a token and write it to stdout, once
    Create(TokenCreateArgs),
    /// List the tokens, without their secrets
    List(TokenListArgs),
    /// Revoke a token
    Revoke(TokenRevokeArgs),
}

#[derive(Debug, Args)]
pub(super) struct DataDirFlag {
    /// The server's data directory [env: `ROLE_CATALOG_DATA_DIR`] [default: data]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct TokenCreateArgs {
    /// Who publishes with it; made when new
    #[arg(long, value_name = "NAME")]
    pub(super) publisher: PublisherName,
    /// The role ids it covers, such as "words-*,teacher-tori"
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',', required = true)]
    pub(super) roles: Vec<RolePattern>,
    /// What it may do
    #[arg(long, value_name = "SCOPES", value_delimiter = ',', default_value = "publish", value_parser = scope())]
    pub(super) scopes: Vec<Scope>,
    /// How long it is good for, such as "90d" or "12h"
    #[arg(long, value_name = "TIME", default_value = "90d")]
    pub(super) expires: Span,
    #[command(flatten)]
    pub(super) data_dir: DataDirFlag,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct TokenListArgs {
    #[command(flatten)]
    pub(super) data_dir: DataDirFlag,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct TokenRevokeArgs {
    /// The token's id, as the list shows it
    #[arg(value_name = "ID")]
    pub(super) id: i64,
    #[command(flatten)]
    pub(super) data_dir: DataDirFlag,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct HealthcheckArgs {
    /// Where the server listens [env: `ROLE_CATALOG_BIND`] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(super) bind: Option<SocketAddr>,
}

/// A scope by its name; usage errors list the names there are.
fn scope() -> impl TypedValueParser<Value = Scope> {
    PossibleValuesParser::new([Scope::Publish, Scope::Yank].map(<&str>::from)).try_map(|name| name.parse::<Scope>())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use strum::IntoEnumIterator as _;

    use super::*;
    use crate::config::Variable;

    #[test]
    fn the_tree_of_commands_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_server_setting_of_ours_is_a_flag_too() {
        let command = Cli::command();
        let serve = command.find_subcommand("serve").unwrap();
        let flags: Vec<_> =
            command.get_arguments().chain(serve.get_arguments()).filter_map(clap::Arg::get_long).collect();
        for name in Variable::iter().filter_map(|variable| variable.name().strip_prefix("ROLE_CATALOG_")) {
            let flag = name.to_lowercase().replace('_', "-");
            assert!(flags.contains(&flag.as_str()), "--{flag}");
        }
    }

    #[test]
    fn lists_are_given_with_commas() {
        let line = ["role-catalog", "token", "create", "--publisher", "agotalk", "--roles", "words-*,teacher-tori"];
        let Ok(Cli { command: Command::Token(TokenCommand::Create(args)), .. }) = Cli::try_parse_from(line) else {
            panic!("a token command");
        };
        assert_eq!(args.roles.iter().map(ToString::to_string).collect::<Vec<_>>(), ["words-*", "teacher-tori"]);
        assert_eq!(args.scopes, [Scope::Publish]);
        assert_eq!(args.expires, Span(std::time::Duration::from_hours(90 * 24)));
    }
}
