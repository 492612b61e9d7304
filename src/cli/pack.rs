//! `pack`: check, then the zip that publishing would upload, and what publishing would come to.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::PackArgs;
use super::error::{CliError, Exit};
use super::output::{self, Output};
use super::source::{self, Source};
use super::verdict::{Issues, Verdict};
use super::{block_on, remote};
use crate::client::{Comparison, Outcome};
use crate::config::Environment;
use crate::domain::Limits;
use crate::package::ValidatedPackage;

/// What `pack` answers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Packed<'a> {
    role_id: &'a str,
    version: String,
    sha256: String,
    size_bytes: usize,
    dependency_mode: &'static str,
    lockfiles: Vec<&'a str>,
    /// Null when the catalog was not asked.
    outcome: Option<Outcome>,
    warnings: Issues<'a>,
}

pub(super) fn run(args: &PackArgs, environment: &Environment, output: &Output) -> Result<Exit, CliError> {
    if !args.package.is_dir() {
        return Err(CliError::fault(format!("{} is not a directory", args.package.display()))
            .hint("pack takes a package directory; check takes a zip as well"));
    }
    let min_app_version = args.min_app_version.min_app_version;
    let limits = Limits::default();
    let package = match Source::read(&args.package, &limits)?.validate(&limits, min_app_version) {
        Ok(package) => package,
        Err(report) => return Verdict::of(&report).tell(Some(&args.package), output),
    };
    source::refuse_two_min_app_versions(&package, min_app_version)?;
    let file = destination(&package, args)?;
    write(&package, &file)?;

    let comparison = if args.skip_remote {
        None
    } else {
        let client = remote::client(environment)?;
        let compared = block_on(client.compare(&package))?.map_err(|error| {
            CliError::from(error).hint(format!("{} is written; --skip-remote does not compare", file.display()))
        })?;
        Some(compared)
    };
    tell(&package, &file, comparison.as_ref(), args, output)?;
    match comparison {
        Some(Comparison::Conflict(conflict)) => {
            output.complain(&remote::conflict(&conflict));
            Ok(Exit::Refused)
        }
        _ => Ok(Exit::Done),
    }
}

/// The file to write: never inside the package, where it would be part of the next one.
fn destination(package: &ValidatedPackage, args: &PackArgs) -> Result<PathBuf, CliError> {
    let manifest = package.manifest();
    let file =
        args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-{}.zip", manifest.id, manifest.version)));
    let unusable = |error| CliError::fault(format!("cannot write {}: {error}", file.display()));
    let parent = fs::canonicalize(parent(&file)).map_err(unusable)?;
    if parent.starts_with(fs::canonicalize(&args.package).map_err(unusable)?) {
        return Err(CliError::fault(format!("{} would lie inside the package", file.display()))
            .hint("name another place with --output"));
    }
    Ok(file)
}

/// Writes the whole file or none.
fn write(package: &ValidatedPackage, file: &Path) -> Result<(), CliError> {
    let unusable = |error: std::io::Error| CliError::fault(format!("cannot write {}: {error}", file.display()));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file; the default of temporary ones is for their owner alone.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.prefix(".role-catalog-").tempfile_in(parent(file)).map_err(unusable)?;
    temporary.write_all(package.zip()).map_err(unusable)?;
    temporary.persist(file).map_err(|error| unusable(error.error))?;
    Ok(())
}

fn parent(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn tell(
    package: &ValidatedPackage,
    file: &Path,
    comparison: Option<&Comparison>,
    args: &PackArgs,
    output: &Output,
) -> Result<(), CliError> {
    let manifest = package.manifest();
    let packed = Packed {
        role_id: manifest.id.as_str(),
        version: manifest.version.to_string(),
        sha256: package.sha256().to_string(),
        size_bytes: package.zip().len(),
        dependency_mode: manifest.dependency_mode.as_str(),
        lockfiles: package.files().iter().map(|file| file.path.as_str()).filter(|path| *path == "uv.lock").collect(),
        outcome: comparison.map(Comparison::outcome),
        warnings: Issues::Local(&package.report().issues),
    };
    if output.is_json() {
        return output::json(&packed);
    }
    packed.warnings.tell(Some(&args.package), output)?;
    output::data(&format!("{} ({} bytes, sha256 {})", file.display(), packed.size_bytes, packed.sha256))?;
    match packed.outcome {
        Some(outcome) => output::data(&format!("outcome: {outcome}")),
        None => Ok(()),
    }
}
