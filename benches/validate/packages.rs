//! The packages that are measured.

use bytes::Bytes;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use role_catalog::domain::{PackagePath, RoleId};
use role_catalog::package::{PackFile, pack};

pub(crate) const MANIFEST: &str = "schema_version = 1\nid = \"role\"\nversion = \"1.0.0\"\ntitle = \"T\"\nsummary = \"S\"\n\
    kind = \"role\"\nlicense = \"free\"\nmin_app_version = \"0.1.57\"\n[state]\nremembers_progress = false\n\
    [environment]\nmanager = \"agotalk\"\ndependency_mode = \"none\"\n";

pub(crate) fn file(path: &str, bytes: impl Into<Bytes>) -> PackFile {
    PackFile { path: PackagePath::parse(path).unwrap(), bytes: bytes.into(), executable: false }
}

pub(crate) fn packed(files: Vec<PackFile>) -> Bytes {
    pack(&RoleId::parse("role").unwrap(), files).unwrap()
}

/// Numbers that look random and are the same each time.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..count.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).collect();
        bytes.truncate(count);
        bytes
    }

    /// Text that deflate makes about four times smaller.
    fn text(&mut self, count: usize) -> Vec<u8> {
        const WORDS: [&str; 16] = [
            "role", "speaks", "slowly", "const", "return", "picture", "<div>", "value", "and", "the", "of", "=>",
            "example", "package", "\n", "  ",
        ];
        let mut text = Vec::with_capacity(count + 16);
        while text.len() < count {
            let number = self.next();
            for part in 0..8 {
                text.extend_from_slice(WORDS[(number >> (part * 8) & 15) as usize].as_bytes());
                text.push(b' ');
            }
            text.extend_from_slice(number.to_string().as_bytes());
        }
        text.truncate(count);
        text
    }
}

/// A screenshot with areas, lines and a noisy part.
fn screenshot(width: u32, height: u32, seed: u64) -> Bytes {
    let mut noise = Noise(seed);
    let image = RgbImage::from_fn(width, height, |x, y| match (x / 40 + y / 30) % 5 {
        0 => Rgb([noise.next() as u8, noise.next() as u8, 90]),
        1 if y % 14 < 8 && (x * 7 + y) % 11 < 4 => Rgb([30, 30, 40]),
        _ => Rgb([250, (x * 255 / width) as u8, (y * 255 / height) as u8]),
    });
    let mut png = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner().into()
}

/// A package of about `size` bytes: half of what fills it is text, half cannot be compressed. Its pictures are shown, or
/// lie there under other names.
pub(crate) fn package(size: usize, shown: bool) -> Bytes {
    let mut noise = Noise(0x5DEE_CE66);
    let small = size <= 200_000;
    let mut files = vec![file("role.md", "Hello.\n")];
    let avatar = if small { screenshot(256, 256, 3) } else { screenshot(512, 512, 3) };
    files.push(file(if shown { "avatar.png" } else { "contents/avatar.png" }, avatar));
    let mut manifest = MANIFEST.to_owned();
    if !small {
        for name in ["cover", "1", "2"] {
            files.push(file(&format!("assets/{name}.png"), screenshot(1280, 720, 7)));
        }
        if shown {
            manifest +=
                "[preview]\ncover_image = \"assets/cover.png\"\nscreenshots = [\"assets/1.png\", \"assets/2.png\"]\n";
        }
    }
    files.push(file("agotalk.role.toml", manifest));
    let mut left = size.saturating_sub(files.iter().map(|file| file.bytes.len()).sum());
    let mut index = 0;
    while left > 0 {
        // From short scripts to media files.
        let part = [4_000, 40_000, 400_000, 3_000_000][index % 4].min(left);
        files.push(if index % 8 < 4 {
            file(&format!("contents/text/{index}.txt"), noise.text(part * 4))
        } else {
            file(&format!("contents/media/{index}.bin"), noise.bytes(part))
        });
        left -= part;
        index += 1;
    }
    packed(files)
}
