//! The validator (layer 1): hostile bytes in, a proof or a report out.
//!
//! [`validate`] is pure and total: no I/O, no clock, no panic, bounded memory and time on any bytes. What it returns,
//! [`ValidatedPackage`], has no other producer, so a function that takes one cannot be given an unchecked package.

mod pack;
mod picture;
mod report;
mod validated;

use bytes::Bytes;

use crate::domain::{AppVersion, Limits};

pub use pack::{PackFile, pack};
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
    let _ = (zip, limits, explicit_min_app_version);
    Err(Report::default())
}
