//! The server's flags. Each is optional here: what is not given comes from the environment or is the default.

use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::{ByteSize, Span};

/// The flags of `serve`.
#[derive(Debug, Clone, Default, Args)]
pub struct ServerFlags {
    /// Where to listen [env: `ROLE_CATALOG_BIND`] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub bind: Option<SocketAddr>,

    /// The folder of the catalog [env: `ROLE_CATALOG_DATA_DIR`] [default: data]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Whom visitors may write to, an e-mail address or a URL [env: `ROLE_CATALOG_CONTACT`]
    #[arg(long, value_name = "TEXT")]
    pub contact: Option<String>,

    /// The limits.
    #[command(flatten)]
    pub limits: LimitFlags,
}

/// The limits that an operator may change.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Limits (each also as ROLE_CATALOG_…)")]
pub struct LimitFlags {
    /// Size of a zip [default: 64MiB]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub max_zip_bytes: Option<ByteSize>,

    /// Size of all files of a package together [default: 256MiB]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub max_unpacked_bytes: Option<ByteSize>,

    /// Size of one file [default: 64MiB]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub max_file_bytes: Option<ByteSize>,

    /// Entries in a zip [default: 10000]
    #[arg(long, value_name = "COUNT", hide_short_help = true)]
    pub max_entries: Option<NonZeroU64>,

    /// Unpacked bytes for each packed byte, beyond 1 MiB [default: 200]
    #[arg(long, value_name = "RATIO", hide_short_help = true)]
    pub max_ratio: Option<NonZeroU64>,

    /// Pixels of one picture [default: 16000000]
    #[arg(long, value_name = "COUNT", hide_short_help = true)]
    pub max_picture_pixels: Option<NonZeroU64>,

    /// Pixels of all pictures of a package together [default: 24000000]
    #[arg(long, value_name = "COUNT", hide_short_help = true)]
    pub max_pictures_pixels: Option<NonZeroU64>,

    /// Size of agotalk.role.toml [default: 1MiB]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub max_manifest_bytes: Option<ByteSize>,

    /// Size of role.md [default: 1MiB]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub max_role_md_bytes: Option<ByteSize>,

    /// Size of uv.lock [default: 8MiB]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub max_lockfile_bytes: Option<ByteSize>,

    /// Uploads validated at once [default: 4]
    #[arg(long, value_name = "COUNT", hide_short_help = true)]
    pub max_validations: Option<NonZeroU64>,

    /// Uploads whose pictures are projected at once [default: 2]
    #[arg(long, value_name = "COUNT", hide_short_help = true)]
    pub max_projections: Option<NonZeroU64>,

    /// Time for the head of a request [default: 15s]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub head_timeout: Option<Span>,

    /// Time for a whole upload [default: 5m]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub upload_timeout: Option<Span>,

    /// Bytes a second that an upload must keep up over any 30 seconds [default: 10000]
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub upload_min_rate: Option<ByteSize>,
}
