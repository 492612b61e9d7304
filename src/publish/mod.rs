//! Publishing (layer 5): the one writer of packages.
//!
//! The order is a promise of the HTTP interface, and the functions follow it:
//!
//! 1. [`Pipeline::authorize`]: authenticate, then scope and ownership; before a byte of the body is read.
//! 2. [`Spool`]: the body, bounded, to an unnamed temporary file, with its digest.
//! 3. [`Pipeline::publish`]: the same digest already published under this id and version? then `unchanged`, nothing
//!    is validated anew → validate → path against manifest → immutability → project pictures → store → one transaction.
//!
//! Validation and projection run on blocking threads behind permits, which also bound how many packages are in memory;
//! the task that holds a permit is not dropped with the request. Objects are stored before the transaction lists
//! them, so a crash leaves at worst an object that nobody can reach.

mod authorize;
mod error;
mod report;
mod spool;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::catalog::{AssetRecord, Catalog, Document, PublishConflict, Published, Publisher, RoleRecord};
use crate::config::ServerLimits;
use crate::domain::{AppVersion, Clock, Code, Issue, Limits, RoleId, RoleVersion, Rule, Sha256Digest};
use crate::package::{self, ValidatedPackage};
use crate::projection::{self, Projection};
use crate::storage::{self, BlobStore};

pub use error::{PublishError, Refusal};
pub use report::{PublishedReport, SetupCheck};
pub use spool::{Spool, SpoolError, Upload};

/// What it takes to publish; one for the process.
#[derive(Debug)]
pub struct Pipeline {
    catalog: Arc<Catalog>,
    store: Arc<dyn BlobStore>,
    limits: Limits,
    clock: Clock,
    validating: Arc<Semaphore>,
    projecting: Arc<Semaphore>,
}

/// One upload, addressed and authorized.
#[derive(Debug)]
pub struct Submission {
    /// The role that the address names.
    pub role_id: RoleId,
    /// The version that the address names.
    pub version: RoleVersion,
    /// Who publishes; from [`Pipeline::authorize`].
    pub publisher: Publisher,
    /// The minimum app version given with the upload.
    pub min_app_version: Option<AppVersion>,
    /// What the publisher's tool says of `setup-check`.
    pub setup_check: Option<SetupCheck>,
    /// Do everything but store and list.
    pub dry_run: bool,
}

/// What became of an upload.
#[derive(Debug, Clone)]
pub struct Publication {
    /// Whether the version is new.
    pub outcome: Published,
    /// The version as the catalog shows it, or would show it after a dry run.
    pub role: RoleRecord,
    /// Advice; for an unchanged version the advice of its publication.
    pub warnings: Vec<Issue>,
}

impl Pipeline {
    /// How long an upload waits for its turn before it is told to come again.
    pub const MAX_WAIT: Duration = Duration::from_secs(20);

    /// A pipeline into this catalog and store. Packages are held to `limits`; `server` says how many are validated and
    /// projected at once.
    #[must_use]
    pub fn new(
        catalog: Arc<Catalog>,
        store: Arc<dyn BlobStore>,
        limits: Limits,
        server: &ServerLimits,
        clock: Clock,
    ) -> Self {
        Self {
            catalog,
            store,
            limits,
            clock,
            validating: Arc::new(Semaphore::new(server.validations)),
            projecting: Arc::new(Semaphore::new(server.projections)),
        }
    }

    /// The limits that packages are held to.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Publishes an upload, or says why not. Dropping the future does not stop a publication that has begun.
    pub async fn publish(
        self: &Arc<Self>,
        submission: Submission,
        upload: Upload,
    ) -> Result<Publication, PublishError> {
        let pipeline = Arc::clone(self);
        tokio::spawn(async move { pipeline.run(submission, upload).await }).await.map_err(PublishError::panicked)?
    }

    async fn run(&self, submission: Submission, upload: Upload) -> Result<Publication, PublishError> {
        if let Some(unchanged) = self.unchanged(&submission, upload.sha256()).await? {
            return Ok(unchanged);
        }
        // Held to the end: it bounds how many packages are in memory.
        let _permit = turn(&self.validating).await?;
        // Another upload of these bytes may have been listed while this one waited.
        if let Some(unchanged) = self.unchanged(&submission, upload.sha256()).await? {
            return Ok(unchanged);
        }
        let zip = upload.into_bytes().await?;
        let package = self.validate(zip, submission.min_app_version).await?;
        check_address(&submission, &package)?;
        self.check_immutability(&submission, &package).await?;
        let (package, projection) = self.project(package).await?;

        let warnings = report::warnings(&package, submission.setup_check.as_ref());
        let now = self.clock.now();
        if submission.dry_run {
            let role = RoleRecord::of(&package, &assets(&projection), &submission.publisher, now);
            return Ok(Publication { outcome: Published::Created, role, warnings });
        }
        let report = PublishedReport::new(warnings.clone(), submission.setup_check);
        let stored = storage::store(&*self.store, package, projection).await?;
        let listed = self.catalog.publish(&stored, &submission.publisher, &report.to_json(), now).await?;
        let outcome = listed.map_err(|conflict| conflict_error(&conflict, stored.package().sha256()))?;
        let role = self.published_role(&submission.role_id, &submission.version).await?;
        tracing::info!(
            role = %submission.role_id, version = %submission.version, publisher = submission.publisher.name,
            ?outcome, "published"
        );
        Ok(Publication { outcome, role, warnings })
    }

    /// The standing version, when it has these bytes; the conflict, when it has them with other metadata (rule B01).
    async fn unchanged(
        &self,
        submission: &Submission,
        sha256: Sha256Digest,
    ) -> Result<Option<Publication>, PublishError> {
        let (role_id, version) = (&submission.role_id, &submission.version);
        let Some((published, min_app_version)) = self.catalog.fingerprint(role_id, version).await? else {
            return Ok(None);
        };
        if published != sha256 {
            return Ok(None);
        }
        let role = self.published_role(role_id, version).await?;
        if let Some(explicit) = submission.min_app_version.filter(|explicit| *explicit != min_app_version) {
            return Err(self.metadata_conflict(&role, explicit, min_app_version).await?);
        }
        let report = self.catalog.document(role_id, version, Document::Report).await?;
        let warnings = report.map(|report| PublishedReport::from_json(&report).warnings).unwrap_or_default();
        Ok(Some(Publication { outcome: Published::Unchanged, role, warnings }))
    }

    /// An explicit minimum app version that differs from the manifest's is B04, from an earlier explicit one B01.
    async fn metadata_conflict(
        &self,
        role: &RoleRecord,
        explicit: AppVersion,
        published: AppVersion,
    ) -> Result<PublishError, PublishError> {
        let manifest = self.catalog.document(&role.role_id, &role.version, Document::Manifest).await?;
        let manifest: Option<serde_json::Value> = manifest.and_then(|text| serde_json::from_str(&text).ok());
        Ok(if manifest.is_some_and(|manifest| manifest.get("min_app_version").is_some()) {
            explicit_differs(explicit, published)
        } else {
            conflict_error(&PublishConflict::OtherMinAppVersion { published }, role.sha256)
        })
    }

    async fn validate(
        &self,
        zip: Bytes,
        min_app_version: Option<AppVersion>,
    ) -> Result<ValidatedPackage, PublishError> {
        let limits = self.limits.clone();
        let verdict = tokio::task::spawn_blocking(move || package::validate(zip, &limits, min_app_version));
        verdict.await.map_err(PublishError::panicked)?.map_err(PublishError::invalid)
    }

    async fn check_immutability(
        &self,
        submission: &Submission,
        package: &ValidatedPackage,
    ) -> Result<(), PublishError> {
        match self.catalog.conflict(package, &submission.publisher).await? {
            Some(conflict) => Err(conflict_error(&conflict, package.sha256())),
            None => Ok(()),
        }
    }

    async fn project(&self, package: ValidatedPackage) -> Result<(ValidatedPackage, Projection), PublishError> {
        let _permit = turn(&self.projecting).await?;
        let limits = self.limits.clone();
        let projected = tokio::task::spawn_blocking(move || {
            projection::project(&package, &limits).map(|projection| (package, projection))
        });
        Ok(projected.await.map_err(PublishError::panicked)??)
    }

    async fn published_role(&self, role_id: &RoleId, version: &RoleVersion) -> Result<RoleRecord, PublishError> {
        self.catalog.role_at(role_id, version).await?.ok_or(PublishError::Vanished)
    }
}

async fn turn(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, PublishError> {
    match tokio::time::timeout(Pipeline::MAX_WAIT, Arc::clone(permits).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(PublishError::Busy),
    }
}

/// Path and manifest name the same id, version and minimum app version (rule B04).
fn check_address(submission: &Submission, package: &ValidatedPackage) -> Result<(), PublishError> {
    let manifest = package.manifest();
    if manifest.id != submission.role_id {
        let message = format!("the address names {}, the manifest id {}", submission.role_id, manifest.id);
        let issue = Issue::error(Rule::B04, Code::RolePackageIdMismatch, message)
            .guide(Code::RoleIdDirMismatch)
            .in_file("agotalk.role.toml")
            .about("id")
            .hint(format!("upload it to /api/v1/roles/{}/versions/{}", manifest.id, manifest.version.to_url_segment()));
        return Err(PublishError::Refused(Refusal::Invalid, vec![issue]));
    }
    if manifest.version != submission.version {
        let message = format!("the address names version {}, the manifest {}", submission.version, manifest.version);
        let issue = Issue::error(Rule::B04, Code::RolePublishCatalogConflict, message)
            .in_file("agotalk.role.toml")
            .about("version")
            .hint(format!("upload it to /api/v1/roles/{}/versions/{}", manifest.id, manifest.version.to_url_segment()));
        return Err(PublishError::Refused(Refusal::Conflict, vec![issue]));
    }
    match (submission.min_app_version, manifest.min_app_version) {
        (Some(explicit), Some(declared)) if explicit != declared => Err(explicit_differs(explicit, declared)),
        _ => Ok(()),
    }
}

fn explicit_differs(explicit: AppVersion, declared: AppVersion) -> PublishError {
    let message = format!("the upload names the minimum app version {explicit}, the manifest {declared}");
    let issue = Issue::error(Rule::B04, Code::RolePublishCatalogConflict, message)
        .in_file("agotalk.role.toml")
        .about("min_app_version")
        .hint("leave minAppVersion out of the upload, or make it equal to the manifest's min_app_version");
    PublishError::Refused(Refusal::Conflict, vec![issue])
}

fn conflict_error(conflict: &PublishConflict, uploaded: Sha256Digest) -> PublishError {
    let immutable = |message: String| Issue::error(Rule::B01, Code::RoleVersionImmutableConflict, message);
    let issue = match conflict {
        PublishConflict::OtherOwner => return authorize::other_owner(),
        PublishConflict::OtherBytes { published } => immutable(format!(
            "this version is published with other bytes: sha256 {published}, uploaded sha256 {uploaded}"
        ))
        .about("version")
        .hint("published bytes never change: raise the version in agotalk.role.toml and publish that"),
        PublishConflict::OtherMinAppVersion { published } => {
            immutable(format!("this version is published with the minimum app version {published} (sha256 {uploaded})"))
                .about("min_app_version")
                .hint(format!("give minAppVersion={published}, or publish a new version"))
        }
        PublishConflict::SamePrecedence { published } => Issue::error(
            Rule::B05,
            Code::RolePublishCatalogConflict,
            format!("version {published} is published and differs only in build metadata"),
        )
        .about("version")
        .hint("SemVer ignores what follows the +: raise the version itself"),
    };
    PublishError::Refused(Refusal::Conflict, vec![issue])
}

fn assets(projection: &Projection) -> Vec<AssetRecord> {
    projection.pictures().iter().map(AssetRecord::from).collect()
}
