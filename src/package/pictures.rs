//! The pictures that a package shows: avatar, cover, screenshots (rules P04, P05, W04 to W06).

use std::collections::BTreeMap;

use image::ImageFormat;

use super::archive::{Archive, Node};
use super::issues::Issues;
use super::picture::{Header, SourcePicture};
use super::png_chunks;
use super::validated::Pictures;
use crate::domain::{Code, Issue, Limits, PackagePath, Preview, Rule};

const AVATAR: &str = "avatar.png";
const AVATAR_SIZE: (u32, u32) = (512, 512);
const PREVIEW_SIZE: (u32, u32) = (1280, 720);
/// All pictures together, encoded: they stay in memory until they are projected.
const MAX_HELD_BYTES: u64 = 64 * 1024 * 1024;
/// All PNG pictures together, encoded, before their blocks are counted: fewer bytes cannot keep a decoder busy.
const MAX_UNCOUNTED_BYTES: usize = 5 * 512 * 1024;
/// All WebP pictures together, encoded: decoding them takes ten times as long for a byte as any other format.
const MAX_WEBP_BYTES: usize = 8 * 1024 * 1024;

/// Decodes every picture once and reports what is wrong with them.
pub(super) fn check(archive: &Archive, preview: Option<&Preview>, limits: &Limits, issues: &mut Issues) -> Pictures {
    let mut checker = Checker {
        archive,
        limits,
        issues,
        pixels_left: limits.pictures_pixels,
        bytes_left: MAX_HELD_BYTES,
        uncounted_left: MAX_UNCOUNTED_BYTES,
        webp_left: MAX_WEBP_BYTES,
        checked: BTreeMap::new(),
    };
    let avatar = match archive.node(AVATAR) {
        None => None,
        Some(Node::File(_)) => {
            PackagePath::parse(AVATAR).ok().and_then(|path| checker.picture(&path, "avatar.png", AVATAR_SIZE))
        }
        Some(Node::Directory | Node::Other) => {
            checker.issues.push(fault("avatar.png", "it must be a regular file").in_file(AVATAR));
            None
        }
    };
    let Some(preview) = preview else { return Pictures { avatar, ..Pictures::default() } };
    let cover =
        preview.cover_image.as_ref().and_then(|path| checker.picture(path, "preview.cover_image", PREVIEW_SIZE));
    let screenshots = preview.screenshots.iter();
    let screenshots =
        screenshots.filter_map(|path| checker.picture(path, "preview.screenshots", PREVIEW_SIZE)).collect();
    Pictures { avatar, cover, screenshots }
}

/// An error about the picture that this field names.
fn fault(field: &str, reason: &str) -> Issue {
    let message = format!("{field} is not a usable picture: {reason}");
    if field == AVATAR {
        Issue::error(Rule::P05, Code::RolePackageAvatarInvalid, message)
    } else {
        Issue::error(Rule::P04, Code::RolePreviewInvalid, message).guide(Code::RolePreviewInvalid).about(field)
    }
}

struct Checker<'a> {
    archive: &'a Archive,
    limits: &'a Limits,
    issues: &'a mut Issues,
    pixels_left: u64,
    /// Encoded bytes that may still be held.
    bytes_left: u64,
    /// Encoded bytes of PNG pixels whose blocks need not be counted.
    uncounted_left: usize,
    /// Encoded bytes of WebP that may still be decoded.
    webp_left: usize,
    /// By path; nothing for a picture that was refused.
    checked: BTreeMap<PackagePath, Option<SourcePicture>>,
}

impl Checker<'_> {
    /// The picture at `path`; a file that is named again is not looked at again.
    fn picture(&mut self, path: &PackagePath, field: &str, recommended: (u32, u32)) -> Option<SourcePicture> {
        if let Some(known) = self.checked.get(path) {
            return known.clone();
        }
        let picture = match self.read(path, recommended) {
            Ok(picture) => picture,
            Err(reason) => {
                let hint = "give it as a PNG file";
                self.issues.push(fault(field, &reason).in_file(path.as_str()).hint(hint));
                None
            }
        };
        self.checked.insert(path.clone(), picture.clone());
        picture
    }

    /// Reads and decodes a picture; nothing when its entry is faulty, which is reported already.
    fn read(&mut self, path: &PackagePath, recommended: (u32, u32)) -> Result<Option<SourcePicture>, String> {
        let Some(file) = self.archive.file(path.as_str()) else { return Ok(None) };
        let bytes_left = self.bytes_left.checked_sub(file.size);
        self.bytes_left =
            bytes_left.ok_or_else(|| format!("the pictures have more than {MAX_HELD_BYTES} bytes together"))?;
        let Some(bytes) = self.archive.content(file) else { return Ok(None) };
        let header = Header::read(&bytes, self.limits).map_err(|fault| fault.to_string())?;
        let max = self.limits.pictures_pixels;
        self.pixels_left = self
            .pixels_left
            .checked_sub(header.pixels())
            .ok_or_else(|| format!("the pictures of a package have at most {max} pixels together"))?;
        self.bound_work(header.format, &bytes)?;
        let (format, dimensions) = (header.format, header.upright_dimensions());
        header.decode().map_err(|fault| fault.to_string())?;
        self.advise(path, format, dimensions, recommended, bytes.len());
        Ok(Some(SourcePicture { path: path.clone(), bytes }))
    }

    /// Refuses what would keep the decoder busy for seconds.
    fn bound_work(&mut self, format: ImageFormat, bytes: &[u8]) -> Result<(), String> {
        match format {
            ImageFormat::Png => match self.uncounted_left.checked_sub(png_chunks::packed_pixels(bytes)) {
                Some(left) => self.uncounted_left = left,
                None if png_chunks::are_cut_into_blocks(bytes) => {
                    return Err("its pixels are compressed in too many blocks".to_owned());
                }
                None => {}
            },
            ImageFormat::WebP => {
                let left = self.webp_left.checked_sub(bytes.len());
                self.webp_left =
                    left.ok_or_else(|| format!("the WebP pictures have more than {MAX_WEBP_BYTES} bytes together"))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Rules W04 to W06.
    fn advise(
        &mut self,
        path: &PackagePath,
        format: ImageFormat,
        (width, height): (u32, u32),
        recommended: (u32, u32),
        bytes: usize,
    ) {
        const LARGE: usize = 1_000_000;
        let mut warn = |rule, code, message: String, hint: &str| {
            self.issues.push(Issue::warning(rule, code, message).in_file(path.as_str()).hint(hint));
        };
        if (width, height) != recommended {
            let (right_width, right_height) = recommended;
            let message = format!("the picture has {width}×{height} pixels");
            let hint = format!("make it {right_width}×{right_height}");
            warn(Rule::W04, Code::RoleWarnImageSize, message, &hint);
        }
        if format != ImageFormat::Png {
            let name = format.extensions_str().first().copied().unwrap_or_default().to_uppercase();
            let message = format!("the picture is a {name} file");
            warn(Rule::W05, Code::RoleWarnImageFormat, message, "save it as PNG");
        }
        if bytes > LARGE {
            let message = format!("the picture has {bytes} bytes, more than 1 MB");
            warn(Rule::W06, Code::RoleWarnLargeImage, message, "make it smaller");
        }
    }
}
