//! The vocabulary of the catalog (layer 0): values that are valid by construction.
//!
//! Every type here is made by one parser and carries its guarantee from then on: a [`RoleId`] can stand in a URL, a
//! file name and an object key; a [`PackagePath`] cannot leave its package; a [`RoleVersion`] sorts as SemVer says.
//! Nothing here does I/O.

mod asset;
mod clock;
mod code;
mod digest;
mod issue;
mod limits;
mod locale;
mod manifest;
mod path;
mod publisher;
mod role_id;
mod token;
mod version;

pub use asset::{AssetName, AvatarSize, InvalidAssetName, MAX_SCREENSHOTS};
pub use clock::{Clock, Timestamp};
pub use code::Code;
pub use digest::{InvalidDigest, Sha256Digest};
pub use issue::{Issue, Rule, Severity};
pub use limits::Limits;
pub use locale::{InvalidLocaleTag, LocaleTag};
pub use manifest::{
    AddressBar, DependencyMode, DisplayText, Entry, InvalidDisplayText, Kind, LocalizedText, Manifest, Preview,
};
pub use path::{InvalidPath, PackagePath};
pub use publisher::{InvalidPublisherName, PublisherName};
pub use role_id::{InvalidRoleId, RoleId, RolePattern};
pub use token::{MalformedToken, TokenHash, TokenSecret};
pub use version::{AppVersion, InvalidVersion, RoleVersion};
