//! What a locked package ships besides its manifest (rules L01, L02, L08, L09).

use super::archive::{Archive, Node};
use super::issues::Issues;
use crate::domain::{Code, Issue, Rule};

const PYPROJECT: &str = "pyproject.toml";
const UV_LOCK: &str = "uv.lock";
const SETUP_CHECK: &str = "contents/bin/setup-check";
const OTHER_LOCKFILES: [&str; 5] =
    ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "poetry.lock", "requirements.txt"];

/// Checks the files of a package with `dependency_mode = "locked"`.
pub(super) fn check(archive: &Archive, issues: &mut Issues) {
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
