//! The one list of codes: every error and warning that the outside world can meet.

use serde::Serialize;
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

/// A stable, public code. Its name is a promise: codes are added, never renamed.
///
/// The groups follow rules.md (package, publishing, warnings) and the HTTP interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "each code has its own page under /docs/errors")]
pub enum Code {
    // Archive
    RolePackageArchiveInvalid,
    RolePackageLimitExceeded,
    RoleImportZipTopLevelInvalid,
    RoleImportZipEntryInvalid,
    RolePackagePathOutsideRoot,
    RolePackageSkillsNotMarkdown,
    // Manifest
    RolePackageManifestMissing,
    RoleContractMissing,
    RoleContractInvalid,
    RoleContractFieldMissing,
    RoleContractFieldInvalid,
    RolePackageIdMismatch,
    RoleIdDirMismatch,
    RolePackageKindInvalid,
    RoleStateRemembersProgressInvalid,
    RoleEnvironmentInvalid,
    RolePublishMinAppVersionMissing,
    // Entry
    RolePackageEntryForbidden,
    RolePackageEntryRequired,
    RoleEntryKindUnsupported,
    RoleEntryAddressBarInvalid,
    RoleEntryTargetOutsidePackage,
    RoleEntryTargetNotFound,
    RoleEntryTargetNotFile,
    // Preview and avatar
    RolePreviewInvalid,
    RolePreviewOutsidePackage,
    RolePreviewNotFound,
    RolePreviewNotFile,
    RolePackageAvatarInvalid,
    // role.md
    RoleBehaviorFileMissing,
    RoleImportRoleMdMissing,
    RolePackageLegacyAvatarField,
    RolePackageRoleMdInvalid,
    // Locked packages
    RolePackageLockfileMissing,
    RolePackageLockfileUnsupported,
    RolePackageLockfileMalformed,
    RolePackagePyprojectInvalid,
    RolePackageLockfileHashInvalid,
    RolePackageLockfileSourceMissing,
    RolePackageLockfileStale,
    RolePackagePythonIncompatible,
    RolePackageSetupCheckMissing,
    RolePackageSetupCheckNotExecutable,
    RolePackageSetupCheckFailed,
    // Publishing
    RoleVersionImmutableConflict,
    RolePublishAuthMissing,
    RolePublishAuthInvalid,
    RolePublishAuthExpired,
    RolePublishAuthRevoked,
    RolePublishForbidden,
    RolePublishCatalogConflict,
    RoleIdReserved,
    RoleIdLookalike,
    RolePublishDirtyTree,
    // The app's alone: documented, produced by nothing here
    RoleImportDuplicate,
    RoleKindNotLaunchable,
    // Warnings
    RoleWarnInstallCommand,
    RoleWarnHomePath,
    RoleWarnSecret,
    RoleWarnImageSize,
    RoleWarnImageFormat,
    RoleWarnLargeImage,
    RoleWarnUnusedLockfile,
    RoleWarnUnknownField,
    #[strum(serialize = "ROLE_WARN_TOML_1_1")]
    RoleWarnToml11,
    RoleWarnUntranslated,
    RoleWarnRemoteResource,
    RoleWarnIntroScript,
    RoleWarnSetupCheckUnreported,
    RoleWarnLookalikeId,
    // HTTP
    RequestInvalid,
    CursorInvalid,
    UploadDigestMismatch,
    NotFound,
    MethodNotAllowed,
    RoleVersionWithdrawn,
    SyncReset,
    PayloadTooLarge,
    UnsupportedMediaType,
    RangeNotSatisfiable,
    RateLimited,
    Internal,
    Unavailable,
    StorageFull,
}

impl Code {
    /// The code as it is written everywhere.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The page that explains the code, relative to the site root.
    #[must_use]
    pub fn docs_url(self) -> String {
        format!("/docs/errors/{self}")
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| serde::de::Error::custom(format!("unknown code {text:?}")))
    }
}
