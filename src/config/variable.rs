//! Every environment variable that this program reads, in one list.

use strum::{Display, EnumIter, IntoStaticStr};

/// An environment variable. Server flags `--x-y` are also `ROLE_CATALOG_X_Y`; the contract fixes the other names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, EnumIter, IntoStaticStr)]
pub enum Variable {
    /// Where to listen.
    #[strum(serialize = "ROLE_CATALOG_BIND")]
    Bind,
    /// The folder of the catalog.
    #[strum(serialize = "ROLE_CATALOG_DATA_DIR")]
    DataDir,
    /// Which log lines to write (`info`, `role_catalog=debug,warn`).
    #[strum(serialize = "ROLE_CATALOG_LOG")]
    Log,
    /// `human` or `json`.
    #[strum(serialize = "ROLE_CATALOG_LOG_FORMAT")]
    LogFormat,
    /// Whom to write to.
    #[strum(serialize = "ROLE_CATALOG_CONTACT")]
    Contact,

    /// The origin of the public site: what a server says it is, what a client talks to.
    #[strum(serialize = "AGOTALK_ROLE_PUBLIC_ORIGIN")]
    PublicOrigin,
    /// How "Open in Agotalk" links are made.
    #[strum(serialize = "AGOTALK_APP_LINK_TEMPLATE")]
    AppLinkTemplate,
    /// Where a visitor gets the app.
    #[strum(serialize = "AGOTALK_GET_APP_URL")]
    GetAppUrl,
    /// The publisher's token.
    #[strum(serialize = "AGOTALK_ROLE_PUBLISH_TOKEN")]
    PublishToken,

    /// The account whose R2 service keeps the objects.
    #[strum(serialize = "CLOUDFLARE_ACCOUNT_ID")]
    AccountId,
    /// The object store's access key id.
    #[strum(serialize = "CLOUDFLARE_R2_ACCESS_KEY_ID")]
    AccessKeyId,
    /// The object store's secret access key.
    #[strum(serialize = "CLOUDFLARE_R2_SECRET_ACCESS_KEY")]
    SecretAccessKey,
    /// The bucket.
    #[strum(serialize = "AGOTALK_ROLE_R2_BUCKET")]
    Bucket,
    /// The endpoint of another S3 service; it stands instead of the account id.
    #[strum(serialize = "AGOTALK_ROLE_S3_ENDPOINT")]
    S3Endpoint,

    /// Bytes of a zip.
    #[strum(serialize = "ROLE_CATALOG_MAX_ZIP_BYTES")]
    MaxZipBytes,
    /// Bytes of all files of a package.
    #[strum(serialize = "ROLE_CATALOG_MAX_UNPACKED_BYTES")]
    MaxUnpackedBytes,
    /// Bytes of one file.
    #[strum(serialize = "ROLE_CATALOG_MAX_FILE_BYTES")]
    MaxFileBytes,
    /// Entries of a zip.
    #[strum(serialize = "ROLE_CATALOG_MAX_ENTRIES")]
    MaxEntries,
    /// Unpacked bytes for each packed byte.
    #[strum(serialize = "ROLE_CATALOG_MAX_RATIO")]
    MaxRatio,
    /// Pixels of one picture.
    #[strum(serialize = "ROLE_CATALOG_MAX_PICTURE_PIXELS")]
    MaxPicturePixels,
    /// Pixels of all pictures of a package.
    #[strum(serialize = "ROLE_CATALOG_MAX_PICTURES_PIXELS")]
    MaxPicturesPixels,
    /// Bytes of the manifest.
    #[strum(serialize = "ROLE_CATALOG_MAX_MANIFEST_BYTES")]
    MaxManifestBytes,
    /// Bytes of `role.md`.
    #[strum(serialize = "ROLE_CATALOG_MAX_ROLE_MD_BYTES")]
    MaxRoleMdBytes,
    /// Bytes of `uv.lock`.
    #[strum(serialize = "ROLE_CATALOG_MAX_LOCKFILE_BYTES")]
    MaxLockfileBytes,
    /// Uploads validated at once.
    #[strum(serialize = "ROLE_CATALOG_MAX_VALIDATIONS")]
    MaxValidations,
    /// Uploads whose pictures are projected at once.
    #[strum(serialize = "ROLE_CATALOG_MAX_PROJECTIONS")]
    MaxProjections,
    /// Time for a request's head.
    #[strum(serialize = "ROLE_CATALOG_HEAD_TIMEOUT")]
    HeadTimeout,
    /// Time for an upload.
    #[strum(serialize = "ROLE_CATALOG_UPLOAD_TIMEOUT")]
    UploadTimeout,
    /// Bytes a second that an upload must keep up.
    #[strum(serialize = "ROLE_CATALOG_UPLOAD_MIN_RATE")]
    UploadMinRate,

    /// Anything in it turns colours off.
    #[strum(serialize = "NO_COLOR")]
    NoColor,
}

impl Variable {
    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}
