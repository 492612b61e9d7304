//! A package as it is named on the command line: a directory or a zip.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use bytes::Bytes;

use super::error::CliError;
use crate::domain::{AppVersion, Code, Issue, Limits, Rule};
use crate::folder::{self, Folder};
use crate::package::{self, Report, ValidatedPackage};

/// A package that was read and not judged yet.
pub(super) enum Source<'a> {
    /// The directory at this path.
    Directory(&'a Path, Folder),
    Zip(Bytes),
    /// A zip beyond the limit, which was not read whole.
    TooLarge(Issue),
}

impl<'a> Source<'a> {
    /// Reads the package at `path`.
    ///
    /// # Errors
    /// [`CliError`] when it cannot be read. What is wrong with the package itself shows when it is judged.
    pub(super) fn read(path: &'a Path, limits: &Limits) -> Result<Self, CliError> {
        let unreadable = |error: std::io::Error| CliError::fault(format!("cannot read {}: {error}", path.display()));
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Ok(Self::Directory(path, folder::read(path, limits)?));
        }
        if !metadata.is_file() {
            return Err(CliError::fault(format!("{} is neither a directory nor a file", path.display())));
        }
        let mut zip = Vec::new();
        let file = fs::File::open(path).map_err(unreadable)?;
        // One byte more than allowed tells "too large" from "just right".
        file.take(limits.zip_bytes.saturating_add(1)).read_to_end(&mut zip).map_err(unreadable)?;
        if zip.len() as u64 > limits.zip_bytes {
            let message = format!("the zip is larger than {} bytes", limits.zip_bytes);
            return Ok(Self::TooLarge(Issue::error(Rule::A02, Code::RolePackageLimitExceeded, message)));
        }
        Ok(Self::Zip(zip.into()))
    }

    /// Where the files are, for a directory.
    pub(super) fn directory(&self) -> Option<&'a Path> {
        match self {
            Self::Directory(path, _) => Some(path),
            Self::Zip(_) | Self::TooLarge(_) => None,
        }
    }

    /// Judges it as the catalog does.
    pub(super) fn validate(
        self,
        limits: &Limits,
        min_app_version: Option<AppVersion>,
    ) -> Result<ValidatedPackage, Report> {
        match self {
            Self::Directory(_, folder) => folder.validate(limits, min_app_version),
            Self::Zip(zip) => package::validate(zip, limits, min_app_version),
            Self::TooLarge(issue) => Err(Report { issues: vec![issue], ..Report::default() }),
        }
    }

    /// Judges it as the app's import does.
    pub(super) fn check_import(self, limits: &Limits) -> Report {
        match self {
            Self::Directory(_, folder) => folder.check_import(limits),
            Self::Zip(zip) => package::check_import(zip, limits),
            Self::TooLarge(issue) => Report { issues: vec![issue], ..Report::default() },
        }
    }
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
