//! A package as it is named on the command line: a directory or a zip.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::error::CliError;
use crate::domain::{AppVersion, Code, Issue, Limits, Rule};
use crate::folder;
use crate::package::{self, Report, ValidatedPackage};

/// What a package turned out to be.
pub(super) struct Checked<'a> {
    pub(super) verdict: Result<ValidatedPackage, Report>,
    /// Where its files are, for a directory.
    pub(super) directory: Option<&'a Path>,
}

/// Reads and validates the package at `path`.
///
/// # Errors
/// [`CliError`] when it cannot be read; what is wrong with the package itself is in the verdict.
pub(super) fn check<'a>(
    path: &'a Path,
    limits: &Limits,
    min_app_version: Option<AppVersion>,
) -> Result<Checked<'a>, CliError> {
    let unreadable = |error: std::io::Error| CliError::fault(format!("cannot read {}: {error}", path.display()));
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        let verdict = folder::read(path, limits)?.validate(limits, min_app_version);
        return Ok(Checked { verdict, directory: Some(path) });
    }
    if !metadata.is_file() {
        return Err(CliError::fault(format!("{} is neither a directory nor a file", path.display())));
    }
    let mut zip = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    // One byte more than allowed tells "too large" from "just right".
    file.take(limits.zip_bytes.saturating_add(1)).read_to_end(&mut zip).map_err(unreadable)?;
    let verdict = if zip.len() as u64 > limits.zip_bytes {
        let message = format!("the zip is larger than {} bytes", limits.zip_bytes);
        let issue = Issue::error(Rule::A02, Code::RolePackageLimitExceeded, message);
        Err(Report { issues: vec![issue], ..Report::default() })
    } else {
        package::validate(zip.into(), limits, min_app_version)
    };
    Ok(Checked { verdict, directory: None })
}

/// Refuses a minimum app version on the command line that contradicts the manifest's (rule B04).
pub(super) fn refuse_two_min_app_versions(
    package: &ValidatedPackage,
    explicit: Option<AppVersion>,
) -> Result<(), CliError> {
    match (package.manifest().min_app_version, explicit) {
        (Some(manifest), Some(explicit)) if manifest != explicit => Err(CliError::refused(
            Code::RolePublishCatalogConflict,
            format!("the manifest says min_app_version {manifest}, --min-app-version says {explicit}"),
        )
        .hint("leave --min-app-version out: the manifest decides")),
        _ => Ok(()),
    }
}
