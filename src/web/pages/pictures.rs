//! The pictures of a version as a page shows them.

use super::assets::static_links;
use super::links::Href;
use crate::catalog::{AssetRecord, RoleRecord};
use crate::domain::{AssetName, AvatarSize, MAX_SCREENSHOTS};

/// A cover or screenshot with its smaller variant.
pub(super) struct Picture {
    pub(super) full: Href,
    pub(super) small: Option<Variant>,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) is_cover: bool,
}

pub(super) struct Variant {
    pub(super) href: Href,
    pub(super) width: u32,
}

/// An avatar: `src` for ordinary screens, `sharp` for dense ones.
pub(super) struct Avatar {
    pub(super) src: Href,
    pub(super) sharp: Option<Href>,
}

/// The cover, then the screenshots; a screenshot that is the cover again is left out.
pub(super) fn gallery(role: &RoleRecord) -> Vec<Picture> {
    let screenshots = (0..MAX_SCREENSHOTS).map(|index| AssetName::Screenshot { index, small: false });
    let mut seen = Vec::new();
    let mut pictures = Vec::new();
    for name in std::iter::once(AssetName::Cover { small: false }).chain(screenshots) {
        if let Some(asset) = role.asset(name).filter(|asset| !seen.contains(&asset.sha256)) {
            seen.push(asset.sha256);
            pictures.push(picture(role, asset));
        }
    }
    pictures
}

/// The cover alone.
pub(super) fn cover(role: &RoleRecord) -> Option<Picture> {
    role.asset(AssetName::Cover { small: false }).map(|asset| picture(role, asset))
}

fn picture(role: &RoleRecord, asset: &AssetRecord) -> Picture {
    let (is_cover, small) = match asset.name {
        AssetName::Screenshot { index, .. } => (false, AssetName::Screenshot { index, small: true }),
        _ => (true, AssetName::Cover { small: true }),
    };
    let small = role
        .asset(small)
        .filter(|small| small.width < asset.width)
        .map(|small| Variant { href: href(role, small.name), width: small.width });
    Picture { full: href(role, asset.name), small, width: asset.width, height: asset.height, is_cover }
}

/// The avatar at about `size`, which is half of what a dense screen needs; the site's own figure without one.
pub(super) fn avatar(role: &RoleRecord, size: AvatarSize) -> Avatar {
    let sharper = match size {
        AvatarSize::Px64 => AvatarSize::Px128,
        AvatarSize::Px128 => AvatarSize::Px256,
        AvatarSize::Px256 | AvatarSize::Full => AvatarSize::Full,
    };
    let find = |size| role.asset(AssetName::Avatar(size)).map(|asset| href(role, asset.name));
    match find(size).or_else(|| find(AvatarSize::Full)) {
        Some(src) => Avatar { sharp: find(sharper).filter(|sharp| *sharp != src), src },
        None => Avatar { src: static_links().avatar, sharp: None },
    }
}

fn href(role: &RoleRecord, name: AssetName) -> Href {
    Href::asset(&role.role_id, &role.version, name)
}
