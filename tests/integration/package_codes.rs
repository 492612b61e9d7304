//! Every public code: the input that produces it, or why none does here.

use std::path::Path;

use bytes::Bytes;
use role_catalog::domain::{Code, Limits};
use role_catalog::package::{Report, check_import, validate};
use strum::IntoEnumIterator as _;

use crate::support::package_builder::PackageBuilder;

/// What makes the program say a code.
enum Cause {
    /// Publishing this case; the code is an issue's own or the guide's beside it.
    Publishing(&'static str),
    /// Importing this case.
    Importing(&'static str),
    /// Publishing this package.
    Built(Bytes),
    /// Another layer, whose tests show it.
    Elsewhere(&'static str),
    /// Nothing here.
    Nothing(&'static str),
}

fn cause(code: Code) -> Cause {
    use Cause::{Built, Elsewhere, Importing, Nothing, Publishing};
    match code {
        Code::RolePackageArchiveInvalid => Publishing("archive-zip-truncated-half"),
        Code::RolePackageLimitExceeded => Publishing("archive-bomb-ratio"),
        Code::RoleImportZipTopLevelInvalid => Publishing("archive-top-two-dirs"),
        Code::RoleImportZipEntryInvalid => Publishing("archive-type-symlink"),
        Code::RolePackagePathOutsideRoot => Publishing("entry-target-parent"),
        Code::RolePackageSkillsNotMarkdown => Publishing("archive-skills-python"),
        Code::RolePackageManifestMissing | Code::RoleContractMissing => Publishing("manifest-missing-full-package"),
        Code::RoleContractInvalid => Publishing("manifest-toml-unquoted"),
        Code::RoleContractFieldMissing => Publishing("manifest-id-missing"),
        Code::RoleContractFieldInvalid => Publishing("manifest-license-mit"),
        Code::RolePackageIdMismatch => Publishing("archive-top-name-mismatch"),
        Code::RoleIdDirMismatch => Importing("archive-top-name-mismatch"),
        Code::RolePackageKindInvalid => Publishing("manifest-kind-agent"),
        Code::RoleStateRemembersProgressInvalid => Publishing("manifest-state-string"),
        Code::RoleEnvironmentInvalid => Publishing("manifest-env-manager-uv"),
        Code::RolePublishMinAppVersionMissing => {
            let manifest = "schema_version = 1\nid = \"tutor\"\nversion = \"1.0.0\"\n";
            Built(PackageBuilder::role("tutor").manifest(manifest).build())
        }
        Code::RolePackageEntryForbidden => Publishing("entry-role-with-entry"),
        Code::RolePackageEntryRequired => Publishing("entry-application-without-entry"),
        Code::RoleEntryKindUnsupported => Publishing("entry-kind-dev-server"),
        Code::RoleEntryAddressBarInvalid => Publishing("entry-bar-none"),
        Code::RoleEntryTargetOutsidePackage => Importing("entry-target-parent"),
        Code::RoleEntryTargetNotFound => Publishing("entry-target-not-found"),
        Code::RoleEntryTargetNotFile => Publishing("entry-target-directory"),
        Code::RolePreviewInvalid => Publishing("preview-shots-numbers"),
        Code::RolePreviewOutsidePackage => Importing("preview-cover-outside"),
        Code::RolePreviewNotFound => Publishing("preview-cover-not-found"),
        Code::RolePreviewNotFile => Publishing("preview-cover-directory"),
        Code::RolePackageAvatarInvalid => Publishing("preview-avatar-text"),
        Code::RoleBehaviorFileMissing => Publishing("role-md-missing-role"),
        Code::RoleImportRoleMdMissing => Publishing("role-md-missing-application"),
        Code::RolePackageLegacyAvatarField => Publishing("role-md-avatar-plain"),
        Code::RolePackageRoleMdInvalid => Publishing("role-md-unclosed"),
        Code::RolePackageLockfileMissing => Publishing("locked-no-lock"),
        Code::RolePackageLockfileUnsupported => Publishing("locked-pnpm-lock"),
        Code::RolePackageLockfileMalformed => Publishing("locked-lock-from-memory"),
        Code::RolePackagePyprojectInvalid => Publishing("locked-pyproject-broken"),
        Code::RolePackageLockfileHashInvalid => Publishing("locked-hash-long"),
        Code::RolePackageLockfileSourceMissing => Publishing("locked-source-path-absent"),
        Code::RolePackageLockfileStale => Publishing("locked-drift-name"),
        Code::RolePackagePythonIncompatible => Publishing("locked-python-lt-311"),
        Code::RolePackageSetupCheckMissing => Publishing("locked-check-missing"),
        Code::RolePackageSetupCheckNotExecutable => Publishing("locked-check-dos-host"),
        Code::RoleWarnInstallCommand => Publishing("warnings-pip-role-md"),
        Code::RoleWarnHomePath => Publishing("warnings-claude-script"),
        Code::RoleWarnSecret => Publishing("warnings-secret-github"),
        Code::RoleWarnImageSize => Publishing("preview-cover-square"),
        Code::RoleWarnImageFormat => Publishing("preview-shots-gif"),
        Code::RoleWarnLargeImage => Publishing("preview-cover-large"),
        Code::RoleWarnUnusedLockfile => Publishing("locked-none-with-lockfile"),
        Code::RoleWarnUnknownField => Publishing("manifest-id-role-id-key"),
        Code::RoleWarnToml11 => Built(PackageBuilder::role("tutor").manifest_extra("x = { a = 1, }\n").build()),
        Code::RoleWarnUntranslated => {
            let texts = "title = \"Patient Tutor\"\nsummary = \"Explains slowly.\"\n";
            let languages = format!("[i18n.de]\n{texts}[i18n.fr]\n{texts}");
            Built(PackageBuilder::role("tutor").manifest_extra(&languages).build())
        }
        Code::RoleWarnRemoteResource => {
            let page = "<script src=\"https://cdn.example.com/x.js\"></script>";
            Built(PackageBuilder::application("game").file("agapps/game/index.html", page).build())
        }
        Code::RoleWarnIntroScript => Built(PackageBuilder::role("tutor").file("intro.html", "<form>").build()),
        Code::RolePackageSetupCheckFailed | Code::RolePublishDirtyTree => {
            Elsewhere("the publisher's tool: it runs setup-check and asks git")
        }
        Code::RoleVersionImmutableConflict
        | Code::RolePublishAuthMissing
        | Code::RolePublishAuthInvalid
        | Code::RolePublishAuthExpired
        | Code::RolePublishAuthRevoked
        | Code::RolePublishForbidden
        | Code::RolePublishCatalogConflict
        | Code::RoleIdReserved
        | Code::RoleIdLookalike
        | Code::RoleWarnSetupCheckUnreported
        | Code::RoleWarnLookalikeId => Elsewhere("publishing: it takes a token, a catalog or an upload's report"),
        Code::RequestInvalid
        | Code::CursorInvalid
        | Code::UploadDigestMismatch
        | Code::NotFound
        | Code::MethodNotAllowed
        | Code::RoleVersionWithdrawn
        | Code::SyncReset
        | Code::PayloadTooLarge
        | Code::UnsupportedMediaType
        | Code::RangeNotSatisfiable
        | Code::RateLimited
        | Code::Internal
        | Code::Unavailable
        | Code::StorageFull => Elsewhere("the HTTP interface"),
        Code::RoleImportDuplicate => Nothing("the app's alone: it knows what is installed"),
        Code::RoleKindNotLaunchable => Nothing("the app's alone: it launches"),
    }
}

fn says(report: &Report, code: Code) -> bool {
    report.issues.iter().any(|issue| issue.code == code || issue.guide_code == Some(code))
}

fn published(zip: Bytes) -> Report {
    validate(zip, &Limits::default(), None).map_or_else(|report| report, |package| package.report().clone())
}

fn case(name: &str) -> Bytes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files").join(name).with_extension("zip");
    std::fs::read(path).unwrap().into()
}

#[test]
fn every_code_is_said_about_the_input_that_causes_it() {
    for code in Code::iter() {
        match cause(code) {
            Cause::Publishing(name) => assert!(says(&published(case(name)), code), "{code}: {name}"),
            Cause::Built(zip) => assert!(says(&published(zip), code), "{code}"),
            Cause::Importing(name) => {
                let report = check_import(case(name), &Limits::default());
                assert_eq!(report.code(), Some(code), "{code}: {name}");
            }
            Cause::Elsewhere(why) | Cause::Nothing(why) => assert!(!why.is_empty()),
        }
    }
}

/// The codes that the two Agotalk documents list, and the app's two; the others are this project's own.
#[test]
fn every_code_of_the_agotalk_documents_is_known() {
    let contract = "ROLE_PACKAGE_MANIFEST_MISSING ROLE_PACKAGE_ID_MISMATCH ROLE_PACKAGE_KIND_INVALID \
                    ROLE_PACKAGE_ENTRY_REQUIRED ROLE_PACKAGE_ENTRY_FORBIDDEN ROLE_PACKAGE_PATH_OUTSIDE_ROOT \
                    ROLE_PACKAGE_LEGACY_AVATAR_FIELD ROLE_PUBLISH_MIN_APP_VERSION_MISSING \
                    ROLE_VERSION_IMMUTABLE_CONFLICT ROLE_PUBLISH_AUTH_MISSING ROLE_PUBLISH_CATALOG_CONFLICT \
                    ROLE_PACKAGE_LOCKFILE_MALFORMED ROLE_PACKAGE_LOCKFILE_HASH_INVALID";
    let guide = "ROLE_IMPORT_ROLE_MD_MISSING ROLE_IMPORT_DUPLICATE ROLE_PACKAGE_LEGACY_AVATAR_FIELD \
                 ROLE_CONTRACT_MISSING ROLE_CONTRACT_INVALID ROLE_CONTRACT_FIELD_MISSING ROLE_CONTRACT_FIELD_INVALID \
                 ROLE_BEHAVIOR_FILE_MISSING ROLE_ID_DIR_MISMATCH ROLE_ENTRY_KIND_UNSUPPORTED \
                 ROLE_ENTRY_ADDRESS_BAR_INVALID ROLE_ENTRY_TARGET_NOT_FOUND ROLE_ENTRY_TARGET_NOT_FILE \
                 ROLE_ENTRY_TARGET_OUTSIDE_PACKAGE ROLE_ENVIRONMENT_INVALID ROLE_PREVIEW_INVALID ROLE_PREVIEW_NOT_FOUND \
                 ROLE_PREVIEW_NOT_FILE ROLE_PREVIEW_OUTSIDE_PACKAGE ROLE_STATE_REMEMBERS_PROGRESS_INVALID \
                 ROLE_IMPORT_ZIP_ENTRY_INVALID ROLE_IMPORT_ZIP_TOP_LEVEL_INVALID ROLE_KIND_NOT_LAUNCHABLE";
    for name in contract.split_whitespace().chain(guide.split_whitespace()) {
        let code: Code = name.parse().unwrap_or_else(|_| panic!("{name}"));
        assert_eq!(code.as_str(), name);
    }
}
