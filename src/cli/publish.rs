//! `publish`: from a directory or a zip to the catalog.
//!
//! 1. a token; 2. nothing uncommitted in the package's directory; 3. every rule that can be checked here;
//! 4. what the catalog has: the same needs no upload, something else is a conflict; 5. the upload.

use std::path::Path;

use http::StatusCode;
use serde::Serialize;

use super::args::PublishArgs;
use super::error::{CliError, Exit};
use super::git::{self, Subtree};
use super::output::{self, Output};
use super::source::{self, Source};
use super::verdict::{Issues, Verdict};
use super::{block_on, remote};
use crate::client::{Client, ClientError, Comparison, Conflict, Outcome, Publication, PublishOptions};
use crate::config::Environment;
use crate::domain::{Code, Limits, TokenSecret};
use crate::package::ValidatedPackage;

/// What `publish` answers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Published<'a> {
    outcome: Outcome,
    dry_run: bool,
    role_id: &'a str,
    version: String,
    sha256: String,
    size_bytes: usize,
    /// The role's page.
    url: String,
    warnings: Issues<'a>,
}

pub(super) fn run(args: &PublishArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    let token = remote::token(environment)?;
    let client = remote::client(environment)?;
    client.may_carry_token()?;
    if args.package.is_dir() {
        refuse_uncommitted(args)?;
    }
    let options = PublishOptions { dry_run: args.dry_run, min_app_version: args.min_app_version.min_app_version };
    let limits = Limits::default();
    let source = Source::read(&args.package, &limits)?;
    let directory = source.directory();
    let package = match source.validate(&limits, options.min_app_version) {
        Ok(package) => package,
        Err(report) => return Verdict::of(&report).tell(directory, output),
    };
    source::refuse_two_min_app_versions(&package, options.min_app_version)?;

    let (outcome, warnings) = match block_on(send(&client, &package, options, &token, output))? {
        Ok(Sent::Published(publication)) => (publication.outcome, publication.warnings),
        Ok(Sent::NothingToDo) => (Outcome::Unchanged, Vec::new()),
        Ok(Sent::Conflict(conflict)) => return Err(remote::conflict(&conflict)),
        // The package itself was refused, by a rule that this program does not know.
        Err(ClientError::Refused(problem)) if problem.status == StatusCode::UNPROCESSABLE_ENTITY => {
            return Verdict::refused(&package, &problem).tell(directory, output);
        }
        Err(error) => return Err(error.into()),
    };
    let manifest = package.manifest();
    let published = Published {
        outcome,
        dry_run: args.dry_run,
        role_id: manifest.id.as_str(),
        version: manifest.version.to_string(),
        sha256: package.sha256().to_string(),
        size_bytes: package.zip().len(),
        url: format!("{}/roles/{}", client.origin(), manifest.id),
        warnings: if warnings.is_empty() { Issues::Local(&package.report().issues) } else { Issues::Remote(&warnings) },
    };
    tell(&published, directory, output)
}

/// What came of sending.
enum Sent {
    /// The catalog took the package, or said what it would do with it.
    Published(Publication),
    /// It has exactly this already.
    NothingToDo,
    /// It has something else under this version.
    Conflict(Conflict),
}

async fn send(
    client: &Client,
    package: &ValidatedPackage,
    options: PublishOptions,
    token: &TokenSecret,
    output: &Output,
) -> Result<Sent, ClientError> {
    match client.compare(package).await? {
        Comparison::Unchanged => return Ok(Sent::NothingToDo),
        Comparison::Conflict(conflict) => return Ok(Sent::Conflict(conflict)),
        Comparison::Create => {}
    }
    let bar = output.upload_bar(package.zip().len() as u64);
    let progress = bar.clone();
    let publication = client.publish(package, options, token, move |sent| progress.set_position(sent)).await;
    bar.finish_and_clear();
    publication.map(Sent::Published)
}

/// A package is published from what is committed, so that its source can be found again.
fn refuse_uncommitted(args: &PublishArgs) -> Result<(), CliError> {
    const SHOWN: usize = 10;
    match git::subtree(&args.package)? {
        Subtree::Clean => Ok(()),
        Subtree::Unversioned => {
            output::note(&format!("note: {} is not in a git work tree", args.package.display()));
            Ok(())
        }
        Subtree::Dirty(lines) => {
            let more = lines.len().saturating_sub(SHOWN);
            let mut listed: Vec<_> = lines.into_iter().take(SHOWN).collect();
            if more > 0 {
                listed.push(format!("and {more} more"));
            }
            Err(CliError::refused(Code::RolePublishDirtyTree, "Role package subtree has uncommitted changes")
                .hint(format!("commit these first: {}", listed.join(", "))))
        }
    }
}

fn tell(published: &Published<'_>, directory: Option<&Path>, output: &Output) -> Result<Exit, CliError> {
    let exit = if published.outcome == Outcome::Conflict { Exit::Refused } else { Exit::Done };
    if output.is_json() {
        output::json(published)?;
        return Ok(exit);
    }
    published.warnings.tell(directory, output)?;
    let name = format!("{} {}", published.role_id, published.version);
    output::note(&match (published.outcome, published.dry_run) {
        (Outcome::Create, false) => format!("published {name}"),
        (Outcome::Create, true) => format!("{name} would be published"),
        (outcome, _) => format!("{name}: {outcome}"),
    });
    output::data(&published.url)?;
    Ok(exit)
}
