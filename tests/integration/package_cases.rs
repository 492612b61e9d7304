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
        // What a refused package is warned about besides is not listed, such as the key `role_id` beside a missing id.
        let surplus: Vec<_> = warnings
            .iter()
            .filter(|code| !self.warnings.contains(code) && !self.warnings_optional.contains(code))
            .filter(|_| self.expect == Expect::Accept)
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

#[test]
fn every_case_gets_its_verdict_code_and_warnings() {
    let differences: Vec<String> = cases()
        .iter()
        .filter_map(|case| {
            let zip = Bytes::from(std::fs::read(folder().join(&case.file)).unwrap());
            let difference = case.difference(&validate(zip, &Limits::default(), None))?;
            Some(format!("{}: {difference}", case.name()))
        })
        .collect();
    assert!(differences.is_empty(), "{} cases differ:\n{}", differences.len(), differences.join("\n"));
}
