//! The demo catalog: packages from a folder, through the same pipeline as everybody's.

use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::Opened;
use crate::catalog::{CatalogError, Published};
use crate::domain::{Clock, InvalidPublisherName, Issue, Limits};
use crate::folder::{self, FolderError};
use crate::package::ValidatedPackage;
use crate::publish::{PublishError, Spool, Submission};

/// Who publishes the demo roles.
const PUBLISHER: &str = "agotalk";

/// What became of the demo roles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DemoReport {
    /// Published now.
    pub created: usize,
    /// There already.
    pub unchanged: usize,
    /// Not published; the log says why.
    pub refused: usize,
}

/// Why the demo could not run at all.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The folder cannot be read.
    #[error("cannot read the demo roles in {path}: {source}")]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A role cannot be read.
    #[error(transparent)]
    Role(#[from] FolderError),
    /// The database.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The publisher's name.
    #[error(transparent)]
    Publisher(#[from] InvalidPublisherName),
    /// A task stopped without an answer.
    #[error("reading a demo role failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// Publishes every role below `dir` that is not published yet. A role that is refused is logged and passed over.
pub async fn publish_demo(opened: &Opened, dir: &Path, clock: &Clock) -> Result<DemoReport, DemoError> {
    let publisher = opened.catalog.publisher(&PUBLISHER.parse()?, clock.now()).await?;
    let mut report = DemoReport::default();
    for role_dir in role_dirs(dir)? {
        let limits = opened.pipeline.limits().clone();
        let path = role_dir.clone();
        let packed = tokio::task::spawn_blocking(move || pack(&path, &limits)).await??;
        let package = match packed {
            Ok(package) => package,
            Err(issues) => {
                log_refusal(&role_dir, &issues);
                report.refused += 1;
                continue;
            }
        };
        let submission = Submission {
            role_id: package.manifest().id.clone(),
            version: package.manifest().version.clone(),
            publisher: publisher.clone(),
            min_app_version: None,
            setup_check: None,
            dry_run: false,
        };
        match submit(opened, submission, package.zip()).await {
            Ok(Published::Created) => report.created += 1,
            Ok(Published::Unchanged) => report.unchanged += 1,
            Err(error) => {
                match error {
                    PublishError::Refused(_, issues) => log_refusal(&role_dir, &issues),
                    error => tracing::error!(role = %role_dir.display(), %error, "a demo role was not published"),
                }
                report.refused += 1;
            }
        }
    }
    Ok(report)
}

fn role_dirs(dir: &Path) -> Result<Vec<PathBuf>, DemoError> {
    let fault = |source| DemoError::Folder { path: dir.to_owned(), source };
    let mut dirs = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        if entry.file_type().map_err(fault)?.is_dir() {
            dirs.push(entry.path());
        }
    }
    dirs.sort();
    Ok(dirs)
}

fn pack(dir: &Path, limits: &Limits) -> Result<Result<ValidatedPackage, Vec<Issue>>, FolderError> {
    Ok(folder::read(dir, limits)?.validate(limits, None).map_err(|report| report.issues))
}

async fn submit(opened: &Opened, submission: Submission, zip: &Bytes) -> Result<Published, PublishError> {
    let limit = opened.pipeline.limits().zip_bytes;
    let mut spool = Spool::create(&opened.spool_dir, limit).await?;
    spool.write(zip).await?;
    let upload = spool.finish().await?;
    Ok(opened.pipeline.publish(submission, upload).await?.outcome)
}

fn log_refusal(dir: &Path, issues: &[Issue]) {
    for issue in issues {
        tracing::warn!(role = %dir.display(), code = %issue.code, "a demo role was refused: {}", issue.message);
    }
}
