//! `check`: every problem of a package, and nothing else happens.

use super::args::{CheckArgs, Purpose};
use super::error::{CliError, Exit};
use super::output::Output;
use super::source;
use super::verdict::Verdict;
use crate::domain::{Limits, Rule};
use crate::package::Report;

pub(super) fn run(args: &CheckArgs, output: &Output) -> Result<Exit, CliError> {
    let checked = source::check(&args.package, &Limits::default(), args.min_app_version.min_app_version)?;
    match (&checked.verdict, args.purpose) {
        (Ok(package), _) => Verdict::valid(package).tell(checked.directory, output),
        (Err(report), Purpose::Publish) => Verdict::of(report).tell(checked.directory, output),
        (Err(report), Purpose::Import) => {
            Verdict::of(&as_the_app_imports(report.clone())).tell(checked.directory, output)
        }
    }
}

/// The app imports a package without a manifest or minimum version (the guide's Path A), and shows the guide's codes.
fn as_the_app_imports(mut report: Report) -> Report {
    report.issues.retain(|issue| !matches!(issue.rule, Rule::M01 | Rule::M13));
    for issue in &mut report.issues {
        if let Some(guide_code) = issue.guide_code.take() {
            issue.guide_code = Some(issue.code);
            issue.code = guide_code;
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Code, Issue};

    #[test]
    fn importing_needs_no_manifest_and_speaks_the_guides_codes() {
        let report = Report {
            issues: vec![
                Issue::error(Rule::M01, Code::RolePackageManifestMissing, "no manifest"),
                Issue::error(Rule::M05, Code::RolePackageIdMismatch, "ids differ").guide(Code::RoleIdDirMismatch),
                Issue::error(Rule::M13, Code::RolePublishMinAppVersionMissing, "no version"),
            ],
            ..Report::default()
        };
        let report = as_the_app_imports(report);
        assert_eq!(report.code(), Some(Code::RoleIdDirMismatch));
        assert_eq!(report.issues.len(), 1);
    }
}
