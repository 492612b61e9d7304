//! Every case of `tests/cases`: a package file and what publishing it must say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use role_catalog::domain::{Code, Limits};
use role_catalog::package::{Report, ValidatedPackage, validate};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    file: PathBuf,
    expect: Expect,
    code: Option<Code>,
    guide_code: Option<Code>,
    alt_codes: Vec<Code>,
    warnings: BTreeSet<Code>,
    warnings_optional: BTreeSet<Code>,
    message: Option<String>,
    core: bool,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Expect {
    Accept,
    Reject,
}

impl Case {
    fn name(&self) -> &str {
        self.file.file_stem().unwrap().to_str().unwrap()
    }

    /// How the validator's answer differs from the case; nothing when it does not.
    fn difference(&self, result: &Result<ValidatedPackage, Report>) -> Option<String> {
        let report = match result {
            Ok(package) => package.report(),
            Err(report) => report,
        };
        let said = || {
            let lines =
                report.issues.iter().map(|issue| format!("\n    {} {} {:?}", issue.rule, issue.code, issue.message));
            lines.collect::<String>()
        };
        if (self.expect == Expect::Accept) != result.is_ok() {
            return Some(format!("other verdict; said{}", said()));
        }
        let codes: Vec<Code> = self.code.into_iter().chain(self.alt_codes.iter().copied()).collect();
        let first = report.errors().next();
        if let Some(first) = first {
            if !codes.contains(&first.code) {
                return Some(format!("code is not {codes:?}; said{}", said()));
            }
            // Another code than the expected one has its own guide code.
            if Some(first.code) == self.code && first.guide_code != self.guide_code {
                return Some(format!("guide code is {:?}, not {:?}", first.guide_code, self.guide_code));
            }
            if self.message.as_ref().is_some_and(|message| !first.message.contains(message)) {
                return Some(format!("message lacks {:?}; said{}", self.message, said()));
            }
        }
        let warnings: BTreeSet<Code> = report.warnings().map(|issue| issue.code).collect();
        let missing: Vec<_> = self.warnings.difference(&warnings).collect();
        let surplus: Vec<_> = warnings
            .iter()
            .filter(|code| !self.warnings.contains(code) && !self.warnings_optional.contains(code))
            .collect();
        (!missing.is_empty() || !surplus.is_empty())
            .then(|| format!("warnings missing {missing:?}, surplus {surplus:?}; said{}", said()))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn cases() -> Vec<Case> {
    serde_json::from_slice(&std::fs::read(folder().join("cases.json")).unwrap()).unwrap()
}

/// Cases outside the core that wait for the validator to be complete. The list can only shrink: a case that agrees
/// must leave it.
fn known_to_differ() -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder().join("known-to-differ.txt")).unwrap();
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn every_case_gets_its_verdict_code_and_warnings() {
    let known = known_to_differ();
    let mut complaints = Vec::new();
    for case in cases() {
        let zip = Bytes::from(std::fs::read(folder().join(&case.file)).unwrap());
        let difference = case.difference(&validate(zip, &Limits::default(), None));
        match (difference, known.contains(case.name())) {
            (Some(difference), false) => complaints.push(format!("{}: {difference}", case.name())),
            (Some(_), true) if case.core => complaints.push(format!("{}: a core case may not differ", case.name())),
            (None, true) => complaints.push(format!("{}: agrees now; take it off the list", case.name())),
            _ => {}
        }
    }
    assert!(complaints.is_empty(), "{} of the cases:\n{}", complaints.len(), complaints.join("\n"));
}
