//! Where every object lies: one enum, one `match`.

use std::fmt;
use std::str::FromStr;

use crate::domain::{AssetName, RoleId, RoleVersion, Sha256Digest};

/// The name of an object. Its digest is that of the object's own bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// The zip of a version.
    Package {
        /// The role.
        role_id: RoleId,
        /// The version.
        version: RoleVersion,
        /// Of the zip.
        sha256: Sha256Digest,
    },
    /// A website picture of a version.
    Asset {
        /// The role.
        role_id: RoleId,
        /// The version.
        version: RoleVersion,
        /// Of the WebP file.
        sha256: Sha256Digest,
        /// Which picture.
        name: AssetName,
    },
}

/// The two kinds of object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// Zips.
    Package,
    /// Website pictures.
    Asset,
}

/// Why a text is not an [`ObjectKey`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the key of an object of this catalog")]
pub struct InvalidObjectKey;

impl ObjectKey {
    /// Which kind of object this names.
    #[must_use]
    pub const fn kind(&self) -> ObjectKind {
        match self {
            Self::Package { .. } => ObjectKind::Package,
            Self::Asset { .. } => ObjectKind::Asset,
        }
    }
}

impl ObjectKind {
    /// The first segment of every key of the kind, as the contract names it (contract v0.4 § Publishing).
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Package => "role-packages",
            Self::Asset => "role-assets",
        }
    }

    /// The media type of such objects.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Package => "application/zip",
            Self::Asset => "image/webp",
        }
    }

    /// How long such objects may be cached. A key holds the digest of its bytes, so what was read once stays right.
    #[must_use]
    pub const fn cache_control(self) -> &'static str {
        match self {
            Self::Package | Self::Asset => "public, max-age=31536000, immutable",
        }
    }
}

/// The path of the object below the store's root.
impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = self.kind().prefix();
        match self {
            Self::Package { role_id, version, sha256 } => write!(f, "{prefix}/{role_id}/{version}/{sha256}.zip"),
            Self::Asset { role_id, version, sha256, name } => write!(f, "{prefix}/{role_id}/{version}/{sha256}/{name}"),
        }
    }
}

impl FromStr for ObjectKey {
    type Err = InvalidObjectKey;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut segments = text.splitn(4, '/');
        let mut next = || segments.next().ok_or(InvalidObjectKey);
        let (prefix, role_id, version, rest) = (next()?, next()?, next()?, next()?);
        let role_id = RoleId::parse(role_id).map_err(|_| InvalidObjectKey)?;
        let version = RoleVersion::parse(version).map_err(|_| InvalidObjectKey)?;
        let digest = |text: &str| text.parse().map_err(|_| InvalidObjectKey);
        if prefix == ObjectKind::Package.prefix() {
            let sha256 = digest(rest.strip_suffix(".zip").ok_or(InvalidObjectKey)?)?;
            Ok(Self::Package { role_id, version, sha256 })
        } else if prefix == ObjectKind::Asset.prefix() {
            let (sha256, name) = rest.split_once('/').ok_or(InvalidObjectKey)?;
            let name = name.parse().map_err(|_| InvalidObjectKey)?;
            Ok(Self::Asset { role_id, version, sha256: digest(sha256)?, name })
        } else {
            Err(InvalidObjectKey)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_object_has_one_path_and_the_path_leads_back_to_it() {
        let digest = Sha256Digest::of(b"");
        let prefix = format!("words-john/1.0.0-rc.1+build.7/{digest}");
        let (role_id, version) =
            (RoleId::parse("words-john").unwrap(), RoleVersion::parse("1.0.0-rc.1+build.7").unwrap());
        let zip = ObjectKey::Package { role_id: role_id.clone(), version: version.clone(), sha256: digest };
        assert_eq!(zip.to_string(), format!("role-packages/{prefix}.zip"));
        assert_eq!(zip.to_string().parse(), Ok(zip));
        for name in AssetName::all() {
            let asset = ObjectKey::Asset { role_id: role_id.clone(), version: version.clone(), sha256: digest, name };
            assert_eq!(asset.to_string(), format!("role-assets/{prefix}/{name}"));
            assert_eq!(asset.to_string().parse(), Ok(asset));
        }
        for bad in [
            "",
            "role-packages/words-john/1.0.0",
            &format!("role-packages/words-john/1.0.0/{digest}.zip.part"),
            &format!("role-packages/../1.0.0/{digest}.zip"),
            &format!("role-assets/words-john/1.0.0/{digest}/../avatar.webp"),
            &format!("other/{prefix}.zip"),
        ] {
            assert_eq!(bad.parse::<ObjectKey>(), Err(InvalidObjectKey), "{bad}");
        }
    }
}
