//! The website pictures of a version, by the names that stand in URLs.

use std::fmt;
use std::str::FromStr;

/// The most screenshots a package has (rule P01).
pub const MAX_SCREENSHOTS: u8 = 3;

/// A website picture: `avatar.webp`, `avatar-64.webp`, `cover.webp`, `cover-640.webp`, `screenshots/0.webp`,
/// `screenshots/0-640.webp`.
///
/// There is exactly one spelling for each, so a name that parses is safe in a URL and in an object key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssetName {
    /// The avatar, in full size or scaled down.
    Avatar(AvatarSize),
    /// The cover; `small` is the 640 pixel variant.
    Cover {
        /// Whether this is the smaller variant.
        small: bool,
    },
    /// The screenshot at this place of the manifest's list; `small` is the 640 pixel variant.
    Screenshot {
        /// 0 to 2.
        index: u8,
        /// Whether this is the smaller variant.
        small: bool,
    },
}

/// The sizes of an avatar, in pixels of its longer side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AvatarSize {
    /// At most 512.
    Full,
    /// 256.
    Px256,
    /// 128.
    Px128,
    /// 64.
    Px64,
}

/// Why a text is not an [`AssetName`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no such website picture")]
pub struct InvalidAssetName;

impl AssetName {
    /// Every name there is.
    pub fn all() -> impl Iterator<Item = Self> {
        let avatars = [AvatarSize::Full, AvatarSize::Px256, AvatarSize::Px128, AvatarSize::Px64].map(Self::Avatar);
        let covers = [false, true].map(|small| Self::Cover { small });
        let screenshots =
            (0..MAX_SCREENSHOTS).flat_map(|index| [false, true].map(|small| Self::Screenshot { index, small }));
        avatars.into_iter().chain(covers).chain(screenshots)
    }

    /// The picture this one is a smaller variant of; itself for a picture in full size.
    #[must_use]
    pub const fn full(self) -> Self {
        match self {
            Self::Avatar(_) => Self::Avatar(AvatarSize::Full),
            Self::Cover { .. } => Self::Cover { small: false },
            Self::Screenshot { index, .. } => Self::Screenshot { index, small: false },
        }
    }

    /// The box in pixels (width, height) that the picture is scaled down to fit.
    #[must_use]
    pub const fn bounding_box(self) -> (u32, u32) {
        match self {
            Self::Avatar(AvatarSize::Full) => (512, 512),
            Self::Avatar(AvatarSize::Px256) => (256, 256),
            Self::Avatar(AvatarSize::Px128) => (128, 128),
            Self::Avatar(AvatarSize::Px64) => (64, 64),
            Self::Cover { small: false } | Self::Screenshot { small: false, .. } => (1280, 720),
            Self::Cover { small: true } | Self::Screenshot { small: true, .. } => (640, 360),
        }
    }
}

impl fmt::Display for AssetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Avatar(AvatarSize::Full) => f.write_str("avatar.webp"),
            Self::Avatar(AvatarSize::Px256) => f.write_str("avatar-256.webp"),
            Self::Avatar(AvatarSize::Px128) => f.write_str("avatar-128.webp"),
            Self::Avatar(AvatarSize::Px64) => f.write_str("avatar-64.webp"),
            Self::Cover { small: false } => f.write_str("cover.webp"),
            Self::Cover { small: true } => f.write_str("cover-640.webp"),
            Self::Screenshot { index, small: false } => write!(f, "screenshots/{index}.webp"),
            Self::Screenshot { index, small: true } => write!(f, "screenshots/{index}-640.webp"),
        }
    }
}

impl FromStr for AssetName {
    type Err = InvalidAssetName;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::all().find(|name| name.to_string() == text).ok_or(InvalidAssetName)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_spelling() {
        for name in AssetName::all() {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert_eq!(AssetName::all().count(), 12);
        for bad in [
            "",
            "AVATAR.WEBP",
            "avatar.png",
            "avatar-65.webp",
            "screenshots/3.webp",
            "screenshots/01.webp",
            "screenshots/../avatar.webp",
            "avatar.webp/",
        ] {
            assert_eq!(bad.parse::<AssetName>(), Err(InvalidAssetName), "{bad}");
        }
    }
}
