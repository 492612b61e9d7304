//! Where the rules put what they find.

use std::borrow::Cow;

use super::Report;
use super::warnings::secrets::masked;
use crate::domain::{Issue, Limits, Severity};

/// The problems found so far, in the order of finding.
#[derive(Debug, Default)]
pub(super) struct Issues {
    found: Vec<Issue>,
    /// Found after [`Issues::MAX`] others.
    unkept: usize,
}

impl Issues {
    /// A package of ten thousand faulty entries need not fill memory with them.
    const MAX: usize = 10_000;

    pub(super) fn push(&mut self, issue: Issue) {
        if self.found.len() < Self::MAX || (issue.severity == Severity::Error && !self.has_errors()) {
            self.found.push(issue);
        } else {
            self.unkept += 1;
        }
    }

    /// Adds what was found elsewhere.
    pub(super) fn append(&mut self, others: Self) {
        self.unkept += others.unkept;
        others.found.into_iter().for_each(|issue| self.push(issue));
    }

    /// Counts one more problem like those that are there already, without describing it.
    pub(super) fn leave_out(&mut self) {
        self.unkept += 1;
    }

    pub(super) fn has_errors(&self) -> bool {
        self.found.iter().any(|issue| issue.severity == Severity::Error)
    }

    /// The report: errors first, in rule order, one issue for one fault, no more of them than the limit.
    pub(super) fn into_report(mut self, role_id: Option<String>, version: Option<String>, limits: &Limits) -> Report {
        self.found.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.found.dedup();
        let omitted = self.found.len().saturating_sub(limits.issues) + self.unkept;
        self.found.truncate(limits.issues);
        // A report is shown, sent and kept: no key that an author forgot goes with it.
        for issue in &mut self.found {
            for text in issue.excerpt.iter_mut().chain(issue.hint.iter_mut()).chain([&mut issue.message]) {
                if let Cow::Owned(masked) = masked(text) {
                    *text = masked;
                }
            }
        }
        Report { role_id, version, issues: self.found, omitted }
    }
}
