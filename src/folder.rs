//! A package as a directory on disk (layer 2): read, packed, judged.
//!
//! ```text
//! directory ─► read ─► Folder ─┬─► validate ─► ValidatedPackage    or every problem, the reader's and the validator's
//!                              └─► into_zip ─► the bytes to publish
//! ```
//!
//! Only regular files become part of a package. What cannot is an [`Issue`] that names it: nothing is skipped silently.
//! (An empty directory holds nothing that could be missed; like git, a package does not know it.)

use std::fs::{self, FileType, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::domain::{AppVersion, Code, Issue, Limits, PackagePath, RoleId, Rule};
use crate::package::{self, PackFile, Report, ValidatedPackage};

/// A directory, read into memory within the limits.
#[derive(Debug)]
pub struct Folder {
    /// The role that the directory's name says it is.
    role_id: Option<RoleId>,
    files: Vec<PackFile>,
    issues: Vec<Issue>,
}

/// The disk did not give what it should; no fault of the package.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", path.display())]
pub struct FolderError {
    /// What was being read.
    pub path: PathBuf,
    /// Why it failed.
    pub source: io::Error,
}

/// Reads the package in `dir`, whose name is the role id.
///
/// # Errors
/// [`FolderError`] when a directory or file cannot be read. Faults of the package become issues of the [`Folder`].
pub fn read(dir: &Path, limits: &Limits) -> Result<Folder, FolderError> {
    // `.` and `roles/x/..` have names too.
    let root = fs::canonicalize(dir).map_err(|source| FolderError { path: dir.to_owned(), source })?;
    let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut walk = Walk { limits, total_bytes: 0, files: Vec::new(), issues: Vec::new(), full: false };
    let role_id = RoleId::parse(&name).ok();
    if role_id.is_none() {
        walk.issues.push(
            Issue::error(
                Rule::M05,
                Code::RolePackageIdMismatch,
                format!("the directory name {name:?} is not a role id: lowercase words joined by single hyphens"),
            )
            .guide(Code::RoleIdDirMismatch)
            .hint("rename the directory to the id in agotalk.role.toml"),
        );
    }
    walk.directory(&root, "")?;
    Ok(Folder { role_id, files: walk.files, issues: walk.issues })
}

impl Folder {
    /// What stands in the way of packing this directory.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// The deterministic zip of this directory.
    ///
    /// # Errors
    /// A [`Report`] when something in the directory cannot be part of a package.
    pub fn into_zip(self) -> Result<Bytes, Report> {
        let Self { role_id, files, issues } = self;
        match role_id {
            Some(role_id) if issues.is_empty() => pack(&role_id, files),
            _ => Err(report(issues)),
        }
    }

    /// Packs and validates the directory, and reports the problems of both at once.
    ///
    /// # Errors
    /// A [`Report`] with every problem, errors first, in rule order.
    pub fn validate(
        self,
        limits: &Limits,
        explicit_min_app_version: Option<AppVersion>,
    ) -> Result<ValidatedPackage, Report> {
        let (zip, issues) = self.into_checkable_zip()?;
        match package::validate(zip, limits, explicit_min_app_version) {
            Ok(package) if issues.is_empty() => Ok(package),
            Ok(package) => Err(merged(issues, package.report().clone(), limits)),
            Err(report) => Err(merged(issues, report, limits)),
        }
    }

    /// Packs the directory and judges it as the app's import does: see [`package::check_import`].
    #[must_use]
    pub fn check_import(self, limits: &Limits) -> Report {
        match self.into_checkable_zip() {
            Ok((zip, issues)) => merged(issues, package::check_import(zip, limits), limits),
            Err(report) => report,
        }
    }

    /// A zip of what can be packed, beside the issues of what cannot.
    fn into_checkable_zip(self) -> Result<(Bytes, Vec<Issue>), Report> {
        let Self { role_id, files, issues } = self;
        // Without a name there is no zip; beyond the limits there is only a part of one.
        let is_whole = !issues.iter().any(|issue| issue.rule == Rule::A02);
        match role_id {
            Some(role_id) if is_whole => Ok((pack(&role_id, files)?, issues)),
            _ => Err(report(issues)),
        }
    }
}

fn pack(role_id: &RoleId, files: Vec<PackFile>) -> Result<Bytes, Report> {
    package::pack(role_id, files)
        .map_err(|error| report(vec![Issue::error(Rule::A01, Code::RolePackageArchiveInvalid, error.to_string())]))
}

fn report(mut issues: Vec<Issue>) -> Report {
    issues.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    Report { issues, ..Report::default() }
}

fn merged(issues: Vec<Issue>, mut report: Report, limits: &Limits) -> Report {
    report.issues.extend(issues);
    report.issues.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    report.omitted += report.issues.len().saturating_sub(limits.issues);
    report.issues.truncate(limits.issues);
    report
}

/// The state of one reading.
struct Walk<'a> {
    limits: &'a Limits,
    total_bytes: u64,
    files: Vec<PackFile>,
    issues: Vec<Issue>,
    /// A limit was met; nothing more is read.
    full: bool,
}

impl Walk<'_> {
    /// Reads `dir`, which lies at `prefix` (empty, or ending in `/`) of the package.
    fn directory(&mut self, dir: &Path, prefix: &str) -> Result<(), FolderError> {
        let at = |source| FolderError { path: dir.to_owned(), source };
        let mut entries = fs::read_dir(dir).map_err(at)?.collect::<Result<Vec<_>, _>>().map_err(at)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if self.full {
                break;
            }
            let os_name = entry.file_name();
            let written = format!("{prefix}{}", os_name.to_string_lossy());
            let file_type = entry.file_type().map_err(at)?;
            match os_name.to_str() {
                None => self.refuse(
                    Rule::A06,
                    &written,
                    "the name is not UTF-8 text",
                    "rename it; names in a package are UTF-8",
                ),
                Some(name) if package::is_junk(name) && (name != "node_modules" || file_type.is_dir()) => self.refuse(
                    Rule::A08,
                    &written,
                    &format!("{name} does not belong in a package"),
                    "delete it, or move it out of the package directory",
                ),
                Some(_) if file_type.is_dir() => self.directory(&entry.path(), &format!("{written}/"))?,
                Some(_) if file_type.is_file() => self.file(&entry.path(), &written)?,
                Some(_) => self.refuse(
                    Rule::A04,
                    &written,
                    &format!("{} is not a regular file", describe(file_type)),
                    "replace it by a regular file with the content it should have",
                ),
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, written: &str) -> Result<(), FolderError> {
        let parsed = match PackagePath::parse(written) {
            Ok(parsed) => parsed,
            Err(fault) => {
                self.refuse(Rule::A06, written, &fault.to_string(), "rename it");
                return Ok(());
            }
        };
        if self.files.len() as u64 >= self.limits.entries {
            self.exceeded(written, &format!("a package has at most {} files", self.limits.entries));
            return Ok(());
        }
        let at = |source| FolderError { path: path.to_owned(), source };
        let file = fs::File::open(path).map_err(at)?;
        let metadata = file.metadata().map_err(at)?;
        // One byte more than allowed tells "too large" from "just right", also when the file grows meanwhile.
        let mut bytes = Vec::new();
        file.take(self.limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(at)?;
        let size = bytes.len() as u64;
        self.total_bytes = self.total_bytes.saturating_add(size);
        if size > self.limits.file_bytes {
            self.exceeded(written, &format!("a file has at most {} bytes", self.limits.file_bytes));
        } else if self.total_bytes > self.limits.unpacked_bytes {
            self.exceeded(written, &format!("all files together have at most {} bytes", self.limits.unpacked_bytes));
        } else {
            self.files.push(PackFile { path: parsed, bytes: bytes.into(), executable: is_executable(&metadata) });
        }
        Ok(())
    }

    fn refuse(&mut self, rule: Rule, written: &str, message: &str, hint: &str) {
        if self.issues.len() >= self.limits.issues {
            self.full = true;
            return;
        }
        self.issues.push(
            Issue::error(rule, Code::RoleImportZipEntryInvalid, message)
                .guide(Code::RoleImportZipEntryInvalid)
                .in_file(written)
                .hint(hint),
        );
    }

    fn exceeded(&mut self, written: &str, message: &str) {
        self.full = true;
        self.issues.push(Issue::error(Rule::A02, Code::RolePackageLimitExceeded, message).in_file(written));
    }
}

fn describe(file_type: FileType) -> &'static str {
    if file_type.is_symlink() { "a symbolic link" } else { "a device, pipe or socket" }
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    const OWNER_MAY_EXECUTE: u32 = 0o100;
    metadata.permissions().mode() & OWNER_MAY_EXECUTE != 0
}

/// File systems without modes have no executable files.
#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package directory of two files to spoil.
    fn package(parent: &Path) -> PathBuf {
        let dir = parent.join("words-john");
        fs::create_dir_all(dir.join("skills")).unwrap();
        fs::write(dir.join("role.md"), "# John\n").unwrap();
        fs::write(dir.join("skills/teach.md"), "Teach.\n").unwrap();
        dir
    }

    fn faults(dir: &Path) -> Vec<(Rule, String)> {
        faults_within(dir, &Limits::default())
    }

    fn faults_within(dir: &Path, limits: &Limits) -> Vec<(Rule, String)> {
        let folder = read(dir, limits).unwrap();
        let faults = folder.issues().iter().map(|issue| (issue.rule, issue.path.clone().unwrap_or_default())).collect();
        assert!(folder.issues().is_empty() || folder.into_zip().is_err(), "a faulty folder is never packed");
        faults
    }

    #[test]
    fn regular_files_are_read_in_path_order() {
        let temp = tempfile::tempdir().unwrap();
        let folder = read(&package(temp.path()), &Limits::default()).unwrap();
        let paths: Vec<_> = folder.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["role.md", "skills/teach.md"]);
        assert_eq!(folder.role_id.unwrap().as_str(), "words-john");
        assert_eq!(folder.issues, []);
    }

    #[test]
    fn a_directory_whose_name_is_no_role_id_is_told_so() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("Words_John");
        fs::create_dir(&dir).unwrap();
        assert_eq!(faults(&dir), [(Rule::M05, String::new())]);
    }

    #[test]
    fn forbidden_names_are_refused_once_and_not_entered() {
        let temp = tempfile::tempdir().unwrap();
        let dir = package(temp.path());
        fs::create_dir_all(dir.join("node_modules/a/b")).unwrap();
        for name in
            ["skills/.DS_Store", ".env", "._role.md", "node_modules/a/b/.DS_Store", ".env.example", ".gitignore"]
        {
            fs::write(dir.join(name), "").unwrap();
        }
        let named = |name: &str| (Rule::A08, name.to_owned());
        assert_eq!(faults(&dir), ["._role.md", ".env", "node_modules", "skills/.DS_Store"].map(named));
    }

    #[test]
    fn reading_stops_at_a_limit_and_says_which() {
        let temp = tempfile::tempdir().unwrap();
        let dir = package(temp.path());
        let named = |name: &str| vec![(Rule::A02, name.to_owned())];
        let limits = Limits { file_bytes: 6, ..Limits::default() };
        assert_eq!(faults_within(&dir, &limits), named("role.md"));
        let limits = Limits { unpacked_bytes: 10, ..Limits::default() };
        assert_eq!(faults_within(&dir, &limits), named("skills/teach.md"));
        let limits = Limits { entries: 1, ..Limits::default() };
        assert_eq!(faults_within(&dir, &limits), named("skills/teach.md"));
    }

    #[test]
    fn a_missing_directory_is_no_fault_of_a_package() {
        let error = read(Path::new("no/such/directory"), &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "cannot read no/such/directory");
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;
        use std::os::unix::ffi::OsStrExt as _;
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        use std::os::unix::net::UnixListener;

        #[test]
        fn links_and_special_files_are_refused_and_never_opened() {
            let temp = tempfile::tempdir().unwrap();
            let dir = package(temp.path());
            symlink("/etc/passwd", dir.join("avatar.png")).unwrap();
            symlink("skills", dir.join("contents")).unwrap();
            let _socket = UnixListener::bind(dir.join("socket")).unwrap();
            // Opening a pipe that nobody writes to would wait for ever.
            assert!(std::process::Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap().success());
            let named = |name: &str| (Rule::A04, name.to_owned());
            assert_eq!(faults(&dir), ["avatar.png", "contents", "pipe", "socket"].map(named));
        }

        #[test]
        fn names_that_are_not_text_or_not_portable_are_refused() {
            let temp = tempfile::tempdir().unwrap();
            let dir = package(temp.path());
            fs::write(dir.join(std::ffi::OsStr::from_bytes(b"caf\xe9.md")), "").unwrap();
            for name in ["a:b.md", "nul.txt", "e\u{301}.md", "dot."] {
                fs::write(dir.join(name), "").unwrap();
            }
            let mut rules: Vec<_> = faults(&dir).into_iter().map(|(rule, _)| rule).collect();
            rules.dedup();
            assert_eq!(rules, [Rule::A06]);
            assert_eq!(faults(&dir).len(), 5);
        }

        #[test]
        fn the_owner_s_executable_bit_is_kept() {
            let temp = tempfile::tempdir().unwrap();
            let dir = package(temp.path());
            fs::create_dir_all(dir.join("contents/bin")).unwrap();
            let script = dir.join("contents/bin/setup-check");
            fs::write(&script, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&script, fs::Permissions::from_mode(0o744)).unwrap();
            let folder = read(&dir, &Limits::default()).unwrap();
            let executable: Vec<_> =
                folder.files.iter().filter(|file| file.executable).map(|file| file.path.as_str()).collect();
            assert_eq!(executable, ["contents/bin/setup-check"]);
        }
    }
}
