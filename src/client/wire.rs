//! The JSON of the interface, as far as a publisher reads it.
//!
//! Codes and rules are plain text here: a newer catalog may know some that this program does not.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What publishing would do, or did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Outcome {
    /// A new version.
    Create,
    /// The catalog has exactly this already.
    Unchanged,
    /// The catalog has something else under this version.
    Conflict,
}

/// The answer to an upload.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Publication {
    /// What happened.
    pub outcome: Outcome,
    /// Advice, also of rules that only the catalog checks.
    #[serde(default)]
    pub warnings: Vec<RemoteIssue>,
}

/// A published version, as far as comparing needs it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteRole {
    /// The effective minimum app version.
    pub min_app_version: String,
    /// The zip.
    pub package: RemotePackage,
}

/// The zip of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RemotePackage {
    /// Its digest.
    pub sha256: String,
}

/// An `application/problem+json` body.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The HTTP status.
    #[serde(default)]
    pub status: u16,
    /// The stable code.
    pub code: String,
    /// What it is about.
    #[serde(default)]
    pub title: String,
    /// What happened this time.
    #[serde(default)]
    pub detail: Option<String>,
    /// What to name when asking the operator.
    #[serde(default)]
    pub request_id: Option<String>,
    /// Every problem found.
    #[serde(default)]
    pub issues: Vec<RemoteIssue>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.detail.as_deref().unwrap_or(&self.title))
    }
}

/// An issue, as another program reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteIssue {
    /// The stable code.
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    /// The file in the package.
    #[serde(default)]
    pub path: Option<String>,
    /// The manifest field or parameter.
    #[serde(default)]
    pub field: Option<String>,
    /// 1-based.
    #[serde(default)]
    pub line: Option<u32>,
    /// 1-based, in characters.
    #[serde(default)]
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    #[serde(default)]
    pub hint: Option<String>,
    /// The offending line.
    #[serde(default)]
    pub excerpt: Option<String>,
    /// Whatever else it says, to be passed on.
    #[serde(flatten)]
    pub more: serde_json::Map<String, serde_json::Value>,
}
