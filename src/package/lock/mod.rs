//! What a locked package ships so that Agotalk can install it (rules L01 to L09), and lockfiles that nothing installs
//! (W07).
//!
//! [`document`] reads the two TOML files within limits, [`uv_lock`] what uv wrote, with [`artifact`]s and sources;
//! [`project`] reads what the author wrote, [`requirement`] and [`marker`] compare both, [`python`] knows which Python
//! Agotalk has. The server never runs uv: everything is decided from the package's bytes.

mod artifact;
mod document;
mod freshness;
mod marker;
mod project;
mod python;
mod requirement;
mod uv_lock;

use self::document::{Document, Reporter};
use self::project::Project;
use self::uv_lock::Lock;
use super::archive::{Archive, Node};
use super::issues::Issues;
use crate::domain::{Code, Issue, Limits, Rule};

const PYPROJECT: &str = "pyproject.toml";
const UV_LOCK: &str = "uv.lock";
const SETUP_CHECK: &str = "contents/bin/setup-check";
const OTHER_LOCKFILES: [&str; 9] = [
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "poetry.lock",
    "requirements.txt",
    "npm-shrinkwrap.json",
    "bun.lock",
    "pdm.lock",
    "Pipfile.lock",
];

/// Checks the files of a package with `dependency_mode = "locked"`.
pub(super) fn check(archive: &Archive, limits: &Limits, issues: &mut Issues) {
    check_presence(archive, issues);
    check_setup_check(archive, issues);

    let project_file = Document::read(archive, PYPROJECT, limits.manifest_bytes, project_fault, issues);
    let project_toml = project_file.as_ref().and_then(|file| file.parse(project_fault, issues));
    let project = project_file.as_ref().zip(project_toml.as_ref()).and_then(|(file, toml)| {
        let mut reporter = Reporter::new(file, issues);
        Project::read(toml.get_ref(), &mut |message, offset| reporter.report(project_fault(message), offset))
    });

    let lock_file = Document::read(archive, UV_LOCK, limits.lockfile_bytes, uv_lock::fault, issues);
    let lock_toml = lock_file.as_ref().and_then(|file| file.parse(uv_lock::fault, issues));
    let lock = lock_file.as_ref().zip(lock_toml.as_ref()).map(|(file, toml)| {
        let mut reporter = Reporter::new(file, issues);
        Lock::read(toml.get_ref(), archive, &mut reporter)
    });

    let project = project_file.as_ref().zip(project.as_ref());
    let lock = lock_file.as_ref().zip(lock.as_ref());
    python::check(project, lock, issues);
    if let (Some(project), Some(lock)) = (project, lock) {
        freshness::check(archive, project, lock, limits, issues);
    }
}

/// Warns about lockfiles of a package that asks for no installation (rule W07).
pub(super) fn check_unused(archive: &Archive, issues: &mut Issues) {
    for path in [UV_LOCK].into_iter().chain(OTHER_LOCKFILES) {
        if archive.file(path).is_some() {
            let message = format!("{path} is there, but dependency_mode = \"none\" installs nothing from it");
            let issue = Issue::warning(Rule::W07, Code::RoleWarnUnusedLockfile, message).in_file(path);
            issues.push(issue.hint(if path == UV_LOCK {
                "write dependency_mode = \"locked\" in [environment], or remove the file"
            } else {
                "remove the file; only uv.lock with dependency_mode = \"locked\" is installed from"
            }));
        }
    }
}

/// Rules L01 and L02.
fn check_presence(archive: &Archive, issues: &mut Issues) {
    let has = |path: &str| archive.file(path).is_some();
    let other = OTHER_LOCKFILES.into_iter().find(|path| has(path));
    let issue = match (has(PYPROJECT), has(UV_LOCK), other) {
        (true, true, _) => None,
        (_, false, Some(other)) => {
            let message = format!("{other} is no lockfile that Agotalk installs from; only uv.lock is");
            Some(Issue::error(Rule::L02, Code::RolePackageLockfileUnsupported, message).in_file(other))
        }
        (false, true, _) => Some(missing("uv.lock requires pyproject.toml in the same directory").in_file(UV_LOCK)),
        (true, false, None) => Some(missing("a locked package requires uv.lock at its root").in_file(PYPROJECT)),
        (false, false, None) => Some(missing("a locked package requires pyproject.toml and uv.lock at its root")),
    };
    if let Some(issue) = issue {
        issues.push(issue.hint("npm run role:env-init -- --package roles/<role-id> --add <library>"));
    }
}

/// Rules L08 and L09.
fn check_setup_check(archive: &Archive, issues: &mut Issues) {
    match archive.node(SETUP_CHECK) {
        Some(Node::File(file)) if file.executable => {}
        Some(Node::File(_)) => {
            let message = "setup-check exists but is not executable";
            let issue = Issue::error(Rule::L09, Code::RolePackageSetupCheckNotExecutable, message);
            issues.push(issue.in_file(SETUP_CHECK).hint("chmod +x contents/bin/setup-check"));
        }
        _ => {
            let message = "a locked package requires an executable contents/bin/setup-check";
            let issue = Issue::error(Rule::L08, Code::RolePackageSetupCheckMissing, message);
            issues.push(issue.hint("add a script that exits 0 when the package can do its job"));
        }
    }
}

fn missing(message: &str) -> Issue {
    Issue::error(Rule::L01, Code::RolePackageLockfileMissing, message)
}

/// A fault of rule L03b.
fn project_fault(message: String) -> Issue {
    Issue::error(Rule::L03b, Code::RolePackagePyprojectInvalid, message)
}
