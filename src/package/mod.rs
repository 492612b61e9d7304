//! The validator (layer 1): hostile bytes in, a proof or a report out.
//!
//! [`validate`] is pure and total: no I/O, no clock, no panic, bounded memory and time on any bytes. What it returns,
//! [`ValidatedPackage`], has no other producer, so a function that takes one cannot be given an unchecked package.
//!
//! The flow follows the groups of rules: `archive` (A) turns bytes into files, `manifest` (M, E, P01 to P03) and
//! `role_md` (R) read the two texts, `pictures` (P04, P05, W04 to W06) decodes what is shown, `lock` (L) looks at a
//! locked package's files, `warnings` (W01 to W03, W11, W12) reads every text. Each reports into one collector and goes
//! on as far as it can.

mod archive;

mod colour;
mod inflate;
mod issues;
mod lock;
mod manifest;
mod pack;
mod paths;
mod picture;
mod picture_end;
mod pictures;
mod png_chunks;
mod report;
mod role_md;
mod texts;
mod toml_cost;
mod validated;
mod warnings;
mod webp_chunks;

use bytes::Bytes;

pub(crate) use self::archive::is_junk;
use self::archive::{Archive, limit_issue};
use self::issues::Issues;
use self::manifest::{Draft, MANIFEST};
use crate::domain::{AppVersion, Code, DependencyMode, Issue, Limits, Rule};

pub use pack::{PackFault, PackFile, pack};
pub use picture::{PictureFault, SourcePicture};
pub use report::Report;
pub use validated::{PackageFile, Pictures, RoleMd, ValidatedPackage};

/// Decides whether these bytes may be published.
///
/// `explicit_min_app_version` is the one given with the upload, for a manifest that names none (rule M13).
///
/// # Errors
/// A [`Report`] with every problem found, errors first, in rule order.
pub fn validate(
    zip: Bytes,
    limits: &Limits,
    explicit_min_app_version: Option<AppVersion>,
) -> Result<ValidatedPackage, Report> {
    let Findings { mut issues, archive, draft, role_md, pictures } = examine(zip.clone(), limits, Purpose::Publish);
    let (role_id, version) = draft.as_ref().map_or((None, None), |draft| (draft.id.clone(), draft.version.clone()));
    if explicit_min_app_version.is_none() && draft.as_ref().is_some_and(|draft| draft.lacks_min_app_version) {
        let message = "publishing needs a minimum app version, from the manifest or given with the upload";
        let issue = Issue::error(Rule::M13, Code::RolePublishMinAppVersionMissing, message);
        issues.push(issue.in_file(MANIFEST).about("min_app_version").hint("min_app_version = \"0.1.57\""));
    }
    let has_errors = issues.has_errors();
    let report = issues.into_report(role_id, version, limits);
    if has_errors {
        return Err(report);
    }
    let package = (|| {
        let Draft { manifest, json, .. } = draft?;
        let manifest = manifest?;
        let archive = archive?;
        let files = files(&archive)?;
        Some(ValidatedPackage {
            sha256: archive.sha256(),
            unpacked_bytes: files.iter().map(|file| file.size_bytes).sum(),
            min_app_version: manifest.min_app_version.or(explicit_min_app_version)?,
            manifest,
            manifest_json: json,
            role_md: role_md?,
            files,
            pictures,
            report: report.clone(),
            zip,
        })
    })();
    package.ok_or(report)
}

/// Judges a package as the Agotalk app's import does: without a manifest it is for local use and valid (Path A), no
/// minimum app version is asked for, and each issue has the code that the app shows, with the contract's code beside it.
#[must_use]
pub fn check_import(zip: Bytes, limits: &Limits) -> Report {
    let Findings { issues, draft, .. } = examine(zip, limits, Purpose::Import);
    let (role_id, version) = draft.map_or((None, None), |draft| (draft.id, draft.version));
    let mut report = issues.into_report(role_id, version, limits);
    for issue in &mut report.issues {
        if let Some(code) = issue.guide_code {
            issue.guide_code = Some(issue.code);
            issue.docs = code.docs_url();
            issue.code = code;
        }
    }
    report
}

/// What a package is judged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Publish,
    Import,
}

/// Everything that could be read, and what is wrong with it.
#[derive(Default)]
struct Findings {
    issues: Issues,
    archive: Option<Archive>,
    draft: Option<Draft>,
    role_md: Option<RoleMd>,
    pictures: Pictures,
}

/// Applies the rules that do not depend on how the package came.
fn examine(zip: Bytes, limits: &Limits, purpose: Purpose) -> Findings {
    let mut issues = Issues::default();
    let Some(archive) = Archive::read(zip, limits, &mut issues) else {
        return Findings { issues, ..Findings::default() };
    };
    let draft = read_manifest(&archive, limits, purpose, &mut issues);
    let is_role = draft.as_ref().is_some_and(|draft| draft.is_role);
    let role_md = role_md::read(&archive, is_role, archive.root(), limits, &mut issues);
    let preview = draft.as_ref().map(|draft| &draft.preview);
    let manifest = draft.as_ref().and_then(|draft| draft.manifest.as_ref());
    let mut advice = Issues::default();
    let (pictures, ()) = rayon::join(
        || pictures::check(&archive, preview, limits, &mut issues),
        || warnings::check(&archive, manifest, preview, &mut advice),
    );
    match draft.as_ref().and_then(|draft| draft.dependency_mode) {
        Some(DependencyMode::Locked) => lock::check(&archive, limits, &mut issues),
        Some(DependencyMode::None) => lock::check_unused(&archive, &mut issues),
        None => {}
    }
    issues.append(advice);
    Findings { issues, archive: Some(archive), draft, role_md, pictures }
}

fn read_manifest(archive: &Archive, limits: &Limits, purpose: Purpose, issues: &mut Issues) -> Option<Draft> {
    let Some(file) = archive.file(MANIFEST) else {
        if purpose == Purpose::Publish {
            let message = "agotalk.role.toml is missing at the package root; publishing requires it";
            let issue = Issue::error(Rule::M01, Code::RolePackageManifestMissing, message);
            issues.push(issue.guide(Code::RoleContractMissing).in_file(MANIFEST));
        }
        return None;
    };
    if file.size > limits.manifest_bytes {
        let issue = limit_issue(format!("the manifest has more than {} bytes", limits.manifest_bytes));
        issues.push(issue.in_file(MANIFEST));
        return None;
    }
    // Content that cannot be unpacked is reported already.
    manifest::read(&archive.content(file)?, archive, issues)
}

/// Every regular file; nothing when one could not be read, which is an error already.
fn files(archive: &Archive) -> Option<Vec<PackageFile>> {
    let file = |(path, file): (&crate::domain::PackagePath, &archive::File)| {
        let (path, size_bytes, executable) = (path.clone(), file.size, file.executable);
        Some(PackageFile { path, size_bytes, sha256: file.digest?, executable })
    };
    archive.files().map(file).collect()
}
