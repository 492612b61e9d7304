//! How much of everything: the documented defaults, and what the operator sets instead.

use std::num::NonZeroU64;
use std::time::Duration;

use super::{ByteSize, LimitFlags, Reader, Span, Variable};
use crate::domain::Limits;

/// The limits on requests. [`ServerLimits::default`] holds the documented values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerLimits {
    /// Uploads validated at once; one more is asked to come back later.
    pub validations: usize,
    /// Uploads whose pictures are projected at once.
    pub projections: usize,
    /// Time for a request's head; a connection that is silent for as long is closed.
    pub head_timeout: Duration,
    /// Time for a whole upload.
    pub upload_timeout: Duration,
    /// Bytes a second that an upload must keep up over any 30 seconds.
    pub upload_min_rate: u64,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            validations: 4,
            projections: 2,
            head_timeout: Duration::from_secs(15),
            upload_timeout: Duration::from_mins(5),
            upload_min_rate: 10_000,
        }
    }
}

/// The limits on packages.
pub(super) fn package(flags: &LimitFlags, reader: &mut Reader<'_>) -> Limits {
    let default = Limits::default();
    let mut bytes = |flag, variable, default| reader.value(flag, variable).map_or(default, |ByteSize(bytes)| bytes);
    Limits {
        zip_bytes: bytes(flags.max_zip_bytes, Variable::MaxZipBytes, default.zip_bytes),
        unpacked_bytes: bytes(flags.max_unpacked_bytes, Variable::MaxUnpackedBytes, default.unpacked_bytes),
        file_bytes: bytes(flags.max_file_bytes, Variable::MaxFileBytes, default.file_bytes),
        manifest_bytes: bytes(flags.max_manifest_bytes, Variable::MaxManifestBytes, default.manifest_bytes),
        role_md_bytes: bytes(flags.max_role_md_bytes, Variable::MaxRoleMdBytes, default.role_md_bytes),
        lockfile_bytes: bytes(flags.max_lockfile_bytes, Variable::MaxLockfileBytes, default.lockfile_bytes),
        entries: count(reader, flags.max_entries, Variable::MaxEntries, default.entries),
        ratio: count(reader, flags.max_ratio, Variable::MaxRatio, default.ratio),
        picture_pixels: count(reader, flags.max_picture_pixels, Variable::MaxPicturePixels, default.picture_pixels),
        pictures_pixels: count(reader, flags.max_pictures_pixels, Variable::MaxPicturesPixels, default.pictures_pixels),
        ..default
    }
}

/// The limits on requests.
pub(super) fn server(flags: &LimitFlags, reader: &mut Reader<'_>) -> ServerLimits {
    let default = ServerLimits::default();
    let permits = |reader: &mut Reader<'_>, flag, variable, default: usize| {
        usize::try_from(count(reader, flag, variable, default as u64)).unwrap_or(default)
    };
    let validations = permits(reader, flags.max_validations, Variable::MaxValidations, default.validations);
    let projections = permits(reader, flags.max_projections, Variable::MaxProjections, default.projections);
    let mut time = |flag, variable, default| reader.value(flag, variable).map_or(default, |Span(time)| time);
    ServerLimits {
        validations,
        projections,
        head_timeout: time(flags.head_timeout, Variable::HeadTimeout, default.head_timeout),
        upload_timeout: time(flags.upload_timeout, Variable::UploadTimeout, default.upload_timeout),
        upload_min_rate: reader
            .value(flags.upload_min_rate, Variable::UploadMinRate)
            .map_or(default.upload_min_rate, |ByteSize(bytes)| bytes),
    }
}

fn count(reader: &mut Reader<'_>, flag: Option<NonZeroU64>, variable: Variable, default: u64) -> u64 {
    reader.value(flag, variable).map_or(default, NonZeroU64::get)
}
