//! Hostile packages that cost as much time or memory as possible within the limits.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bytes::Bytes;
use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder as _, RgbImage};
use role_catalog::domain::Limits;
use role_catalog::package::{PackFile, validate};

use crate::milliseconds;
use crate::packages::{MANIFEST, Noise, file, packed};
use crate::speed::zip_of;

const MIB: usize = 1024 * 1024;

type Input = (&'static str, fn() -> Bytes);

const INPUTS: [Input; 30] = [
    ("zeros, 200:1, 256 MiB", || role((0..4).map(|index| file(&format!("{index}.bin"), zeros(63 * MIB))).collect())),
    ("stored noise, 63 MiB", || role(vec![file("noise.bin", noise(63 * MIB))])),
    ("blocks of one byte each, 60 MiB", || with_raw("a.bin", &tiny_blocks(60 * MIB, 1))),
    ("blocks of 300 bytes each, 60 MiB", || with_raw("a.bin", &tiny_blocks(10 * MIB, 300))),
    ("10,000 files of long names", || role(many_names(|index| format!("{}/{index}", "é".repeat(120))))),
    ("10,000 files that collide", || {
        raw_names((0..9_990).map(|index| format!("role/{}{}", "É".repeat(400), index / 2)))
    }),
    ("10,000 directories at the top", || raw_names((0..9_990).map(|index| format!("role{index}/role.md")))),
    ("names of 65 kB", || raw_names((0..480).map(|index| format!("role/{}{index}", "a\\".repeat(32_000))))),
    ("PNG, deep, 16 and 8 megapixels", || pictures(&png(4000, 4000, 16, false), &png(4000, 2000, 16, false))),
    ("PNG, deep, interlaced", || pictures(&png(4000, 4000, 16, true), &png(4000, 2000, 16, true))),
    ("PNG of noise", || pictures(&noise_png(4000, 3000), b"")),
    ("PNG with millions of texts", || pictures(&png_with_texts(), b"")),
    ("PNG of blocks of one byte each", || pictures(&png_of_tiny_blocks(), b"")),
    ("PNG of empty chunks", || pictures(&png_of_empty_chunks(), b"")),
    ("PNG of a bit a pixel", || pictures(&png(4000, 4000, 1, true), &png(4000, 2000, 1, true))),
    ("JPEG of noise", || pictures(&jpeg(4000, 4000), &jpeg(4000, 2000))),
    ("JPEG, progressive, many scans", || pictures(&progressive(4000, 4000, 90), &progressive(4000, 2000, 90))),
    ("JPEG of one pixel's data", || pictures(&short_scan(), b"")),
    ("GIF of noise", || pictures(&gif(4000, 4000), &gif(4000, 2000))),
    ("WebP of noise, lossless", || pictures(&webp_lossless(4000, 4000), b"")),
    ("WebP of code tables, lossless", || pictures(&webp_of_tables(640 * 1024 - 64), b"")),
    ("WebP of noise, lossy", || pictures(&webp_lossy(4000, 4000, 30.0, false), &webp_lossy(4000, 2000, 10.0, false))),
    ("WebP of noise, finest", || pictures(&webp_lossy(2000, 1700, 98.0, false), &webp_lossy(2000, 1700, 98.0, false))),
    ("WebP of noise, too large", || pictures(&webp_lossy(4000, 4000, 60.0, false), b"")),
    ("WebP of noise, lossy and alpha", || pictures(&webp_lossy(800, 800, 60.0, true), b"")),
    ("manifest of as many values as may be", || {
        manifest(&(0..10_000).map(|index| format!("k{index} = {{ a = 1 }}")).collect::<Vec<_>>().join("\n"))
    }),
    ("role.md of nested lists", || {
        let text = format!("---\ntitle: x\ntags: [{}]\n---\n", "[a, b], ".repeat(80));
        packed(vec![file("role.md", text), file("agotalk.role.toml", MANIFEST)])
    }),
    ("texts of almost keys and paths, 256 MiB", || {
        role(texts("md", "sk-proj-A1b2 AKIAIOSFODNN7 $HOME /home/x sudo pip "))
    }),
    ("HTML of almost links, 256 MiB", || role(texts("html", "<a src=//x <link <script src='a' @import url(x fetch( "))),
    ("uv.lock of as many values as may be", lock_of_packages),
];

pub(crate) fn run() {
    println!("\n## The worst inputs (one run each)\n");
    println!("| input | zip, MiB | verdict | ms | MiB above the input |");
    println!("| --- | ---: | --- | ---: | ---: |");
    let folder = tempfile::tempdir().unwrap();
    for (name, build) in INPUTS {
        let path = folder.path().join("worst.zip");
        std::fs::write(&path, build()).unwrap();
        let child = std::env::current_exe().unwrap();
        let status = Command::new(child).arg("worst-child").arg(&path).env("WORST_NAME", name).status().unwrap();
        assert!(status.success(), "{name}");
    }
}

/// Judges the file in a process of its own, whose peak of memory is then that of validation.
pub(crate) fn child(path: &str) {
    let zip = Bytes::from(std::fs::read(Path::new(path)).unwrap());
    let size = zip.len();
    std::fs::write("/proc/self/clear_refs", "5").ok();
    let before = status("VmRSS:");
    let start = Instant::now();
    let result = validate(zip, &Limits::default(), None);
    let time = milliseconds(start.elapsed());
    let peak = status("VmHWM:").saturating_sub(before);
    let verdict =
        result.map_or_else(|report| report.issues[0].message.chars().take(60).collect(), |_| "accepted".to_owned());
    // The name comes by the environment of the measuring process.
    let name = std::env::vars().find(|(key, _)| key == "WORST_NAME").map_or(String::new(), |(_, name)| name);
    println!("| {name} | {:.1} | {verdict} | {time:.0} | {} |", size as f64 / MIB as f64, peak / 1024);
}

/// A line of the process's status, in kilobytes.
fn status(line: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = text.lines().find_map(|text| text.strip_prefix(line)).unwrap_or_default();
    value.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

fn role(mut files: Vec<PackFile>) -> Bytes {
    files.extend([file("role.md", "Hello.\n"), file("agotalk.role.toml", MANIFEST)]);
    packed(files)
}

fn manifest(extra: &str) -> Bytes {
    packed(vec![file("role.md", "Hello.\n"), file("agotalk.role.toml", format!("{extra}\n{MANIFEST}"))])
}

fn pictures(avatar: &[u8], cover: &[u8]) -> Bytes {
    let mut files = vec![file("role.md", "Hello.\n"), file("avatar.png", avatar.to_vec())];
    let mut manifest = MANIFEST.to_owned();
    if !cover.is_empty() {
        manifest += "[preview]\ncover_image = \"cover.png\"\n";
        files.push(file("cover.png", cover.to_vec()));
    }
    files.push(file("agotalk.role.toml", manifest));
    packed(files)
}

fn many_names(name: impl Fn(usize) -> String) -> Vec<PackFile> {
    (0..9_990).map(|index| file(&name(index), "")).collect()
}

fn zeros(count: usize) -> Vec<u8> {
    // A run with a byte of noise now and then stays just below the ratio that is refused.
    let mut noise = Noise(9);
    let mut bytes = vec![0; count];
    for at in (0..count).step_by(700) {
        bytes[at] = noise.next() as u8;
    }
    bytes
}

fn noise(count: usize) -> Vec<u8> {
    let mut noise = Noise(7);
    (0..count / 8).flat_map(|_| noise.next().to_le_bytes()).collect()
}

fn raw_names(names: impl Iterator<Item = String>) -> Bytes {
    let mut entries: Vec<_> = names.map(|name| (name, 0, Vec::new(), Vec::new())).collect();
    for (name, content) in [("role/role.md", "Hello.\n"), ("role/agotalk.role.toml", MANIFEST)] {
        entries.push((name.to_owned(), 0, content.into(), content.into()));
    }
    zip_of(&entries)
}

/// A package with one entry whose packed form is given.
fn with_raw(name: &str, (packed, content): &(Vec<u8>, Vec<u8>)) -> Bytes {
    let mut entries = vec![(format!("role/{name}"), 8, packed.clone(), content.clone())];
    for (name, content) in [("role/role.md", "Hello.\n"), ("role/agotalk.role.toml", MANIFEST)] {
        entries.push((name.to_owned(), 0, content.into(), content.into()));
    }
    zip_of(&entries)
}

/// Bits as deflate packs them.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u64, count: u32) {
        self.held |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }
}

/// A deflate stream of dynamic blocks that each describe their codes anew for a few bytes.
fn tiny_blocks(packed_len: usize, bytes_each: usize) -> (Vec<u8>, Vec<u8>) {
    let mut bits = Bits::default();
    let mut content = 0;
    while bits.bytes.len() < packed_len {
        block(&mut bits, false, bytes_each);
        content += bytes_each;
    }
    block(&mut bits, true, bytes_each);
    bits.put(0, 7);
    (bits.bytes, vec![0; content + bytes_each])
}

fn block(bits: &mut Bits, last: bool, zeros: usize) {
    bits.put(u64::from(last), 1);
    bits.put(2, 2);
    // 257 literal codes, one distance code, 18 code lengths: those of 18 and of 1 are 1, the rest 0.
    bits.put(0, 5);
    bits.put(0, 5);
    bits.put(14, 4);
    for index in 0..18 {
        bits.put(u64::from(index == 2 || index == 17), 3);
    }
    // Codes of the lengths: 1 is "0", 18 is "1". Lengths: 1, 138 zeros, 117 zeros, 1, and 1 for the distance.
    bits.put(0, 1);
    for run in [138, 117] {
        bits.put(1, 1);
        bits.put(run - 11, 7);
    }
    bits.put(0, 2);
    for _ in 0..zeros {
        bits.put(0, 1);
    }
    bits.put(1, 1);
}

fn chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend_from_slice(data);
    let checksum = crc32fast::hash(&png[start..]);
    png.extend(checksum.to_be_bytes());
}

/// A PNG of 16 bits and four channels, or of grey with fewer bits, filtered by Paeth in every row.
fn png(width: u32, height: u32, depth: u8, interlaced: bool) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let color = if depth == 16 { 6 } else { 0 };
    let header =
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, u8::from(interlaced)]].concat();
    chunk(&mut png, *b"IHDR", &header);
    let bits_each = if depth == 16 { 64 } else { u32::from(depth) };
    let mut rows = Vec::new();
    let mut noise = Noise(5);
    let passes: &[(u32, u32, u32, u32)] = if interlaced {
        &[(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)]
    } else {
        &[(0, 1, 0, 1)]
    };
    for (left, step_x, top, step_y) in passes {
        let (columns, lines) = ((width - left).div_ceil(*step_x), (height - top).div_ceil(*step_y));
        for _ in 0..lines {
            rows.push(4);
            let length = (columns * bits_each).div_ceil(8) as usize;
            // Some rows of noise keep the packed size within what a package may have.
            let is_noise = noise.next().is_multiple_of(8);
            rows.extend((0..length).map(|_| if is_noise { noise.next() as u8 } else { 0 }));
        }
    }
    let mut packed = Vec::new();
    let mut encoder = flate2::read::ZlibEncoder::new(rows.as_slice(), flate2::Compression::fast());
    std::io::Read::read_to_end(&mut encoder, &mut packed).unwrap();
    chunk(&mut png, *b"IDAT", &packed);
    chunk(&mut png, *b"IEND", b"");
    png
}

/// Pixels that are cut into chunks of nothing.
fn png_of_empty_chunks() -> Vec<u8> {
    let small = png(1, 1, 16, false);
    let (head, tail) = small.split_at(33);
    let mut png = head.to_vec();
    while png.len() < 62 * MIB {
        chunk(&mut png, *b"IDAT", b"");
    }
    [png.as_slice(), tail].concat()
}

/// Grey without a filter, whose stream describes its codes anew for each pixel.
fn png_of_tiny_blocks() -> Vec<u8> {
    const WIDTH: usize = 3999;
    let (deflated, content) = tiny_blocks(40 * MIB, 1);
    let height = u32::try_from(content.len() / (WIDTH + 1)).unwrap();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = [&(WIDTH as u32).to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    chunk(&mut png, *b"IHDR", &header);
    chunk(&mut png, *b"IDAT", &[b"\x78\x01", deflated.as_slice(), &[0; 4]].concat());
    chunk(&mut png, *b"IEND", b"");
    png
}

fn png_with_texts() -> Vec<u8> {
    let small = png(1, 1, 16, false);
    let (head, tail) = small.split_at(33);
    let mut png = head.to_vec();
    while png.len() < 62 * MIB {
        chunk(&mut png, *b"tEXt", b"a\0b");
    }
    [png.as_slice(), tail].concat()
}

fn noise_image(width: u32, height: u32) -> RgbImage {
    RgbImage::from_raw(width, height, noise((width * height * 3) as usize)).unwrap()
}

fn noise_png(width: u32, height: u32) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    noise_image(width, height).write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut jpeg = Vec::new();
    noise_image(width, height).write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, 92)).unwrap();
    jpeg
}

fn gif(width: u32, height: u32) -> Vec<u8> {
    let mut gif = Vec::new();
    let gray = noise((width * height) as usize);
    let mut rgba = Vec::with_capacity(gray.len() * 4);
    for value in gray {
        rgba.extend([value, value, value, 255]);
    }
    GifEncoder::new_with_speed(&mut gif, 30).encode(&rgba, width, height, ExtendedColorType::Rgba8).unwrap();
    gif
}

fn webp_lossless(width: u32, height: u32) -> Vec<u8> {
    let mut webp = Vec::new();
    WebPEncoder::new_lossless(&mut webp)
        .write_image(&noise_image(width, height), width, height, ExtendedColorType::Rgb8)
        .unwrap();
    webp
}

/// 16 megapixels whose tiles may use any of 65,536 groups of codes; each code is described in few bits and needs a table
/// of a thousand entries.
fn webp_of_tables(len: usize) -> Vec<u8> {
    const SIDE: u64 = 4000 - 1;
    let mut bits = Bits::default();
    bits.put(0x2F, 8);
    bits.put(SIDE, 14);
    bits.put(SIDE, 14);
    // No alpha, version 0, no transform, no colour cache.
    bits.put(0, 1 + 3 + 1 + 1);
    // Groups by tile, of 512×512 pixels each. The tiles' picture: no colour cache, and each code a single symbol.
    bits.put(1, 1);
    bits.put(7, 3);
    bits.put(0, 1);
    for symbol in [255, 255, 0, 0] {
        simple_code(&mut bits, symbol);
    }
    simple_code(&mut bits, 0);
    while bits.bytes.len() < len {
        deep_code(&mut bits);
    }
    bits.put(0, 7);
    riff(*b"VP8L", &bits.bytes)
}

/// A code of one symbol, which costs nothing.
fn simple_code(bits: &mut Bits, symbol: u64) {
    // Simple, one symbol, of eight bits.
    bits.put(0b101, 3);
    bits.put(symbol, 8);
}

/// A code whose longest word has ten bits: the lengths 1 to 9, and 10 twice.
fn deep_code(bits: &mut Bits) {
    // In which order the format tells the lengths of the words for code lengths.
    const ORDER: [usize; 14] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10];
    bits.put(0, 1);
    let length = |value: usize| match value {
        1..=6 => 3,
        7..=10 => 4,
        _ => 0,
    };
    bits.put(14 - 4, 4);
    for value in ORDER {
        bits.put(length(value), 3);
    }
    // The symbols that follow have no code.
    bits.put(1, 1);
    bits.put(1, 3);
    bits.put(11 - 2, 4);
    for value in (1..=10).chain([10]) {
        let (word, count): (u64, u32) = if value <= 6 { (value - 1, 3) } else { (value - 7 + 12, 4) };
        // Words go first bit first.
        bits.put(word.reverse_bits() >> (64 - count), count);
    }
}

/// A WebP file of one chunk.
fn riff(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let fill = data.len() % 2;
    let size = |len: usize| u32::try_from(len).unwrap().to_le_bytes();
    let chunk = [kind.as_slice(), &size(data.len()), data, &vec![0; fill]].concat();
    [b"RIFF".as_slice(), &size(chunk.len() + 4), b"WEBP", &chunk].concat()
}

/// As many and as large texts as fit, of words that nearly mean something.
fn texts(extension: &str, words: &str) -> Vec<PackFile> {
    let text = |index: usize| format!("{index}\n").into_bytes();
    let texts = (0..9_000).map(|index| {
        let body = words.repeat(28_000 / words.len());
        file(&format!("skills/{index}.{extension}"), [text(index), body.into_bytes()].concat())
    });
    if extension == "md" { texts.collect() } else { texts.map(beside_skills).collect() }
}

fn beside_skills(text: PackFile) -> PackFile {
    let path = text.path.as_str().replace("skills/", "agapps/");
    file(&path, text.bytes)
}

/// A project that wants everything of a long lock.
fn lock_of_packages() -> Bytes {
    let mut lock = "version = 1\nrevision = 3\nrequires-python = \">=3.11\"\n".to_owned();
    let mut index = 0;
    while lock.len() < 8_300_000 && index < 14_000 {
        let _ = write!(
            lock,
            "\n[[package]]\nname = \"p{index}\"\nversion = \"1.0\"\nsource = {{ registry = \"https://e.org/simple\" }}\n\
             wheels = [{{ url = \"https://e.org/p{index}-1.0-py3-none-any.whl\", hash = \"sha256:{:064}\" }}]\n\
             dependencies = [{{ name = \"p{}\", marker = \"python_version >= '3.11' and os_name == 'x'\" }}]\n",
            0,
            index + 1
        );
        index += 1;
    }
    let manifest = MANIFEST.replace("\"none\"", "\"locked\"");
    let project = "[project]\nname = \"role\"\nversion = \"1.0\"\nrequires-python = \">=3.11\"\n";
    packed(vec![
        file("role.md", "Hello.\n"),
        file("agotalk.role.toml", manifest),
        file("pyproject.toml", project),
        file("uv.lock", lock),
    ])
}

fn webp_lossy(width: u32, height: u32, quality: f32, alpha: bool) -> Vec<u8> {
    let mut image = DynamicImage::ImageRgb8(noise_image(width, height)).into_rgba8();
    if alpha {
        let mut noise = Noise(3);
        image.pixels_mut().for_each(|pixel| pixel.0[3] = noise.next() as u8);
    }
    let config = webp::WebPConfig { method: 0, quality, ..webp::WebPConfig::new().unwrap() };
    let encoder = webp::Encoder::from_rgba(&image, width, height);
    encoder.encode_advanced(&config).unwrap().to_vec()
}

fn segment(jpeg: &mut Vec<u8>, marker: u8, data: &[u8]) {
    jpeg.extend([0xFF, marker]);
    jpeg.extend(u16::try_from(data.len() + 2).unwrap().to_be_bytes());
    jpeg.extend_from_slice(data);
}

/// A JPEG's beginning: one table for each purpose, and the frame.
fn jpeg_head(frame: u8, width: u16, height: u16) -> Vec<u8> {
    let mut jpeg = vec![0xFF, 0xD8];
    segment(&mut jpeg, 0xDB, &[&[0_u8][..], &[1; 64]].concat());
    let size = [height.to_be_bytes(), width.to_be_bytes()].concat();
    segment(&mut jpeg, frame, &[&[8][..], &size, &[3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]].concat());
    // Codes of one bit: the difference 0, and a run of 2^14 blocks without coefficients (or the end of a block).
    let lengths = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    segment(&mut jpeg, 0xC4, &[&[0x00][..], &lengths, &[0, 1]].concat());
    segment(&mut jpeg, 0xC4, &[&[0x10][..], &lengths, &[0xE0, 0x00]].concat());
    jpeg
}

/// Scan upon scan over coefficients that stay zero.
fn progressive(width: u16, height: u16, scans: usize) -> Vec<u8> {
    let mut jpeg = jpeg_head(0xC2, width, height);
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8);
    segment(&mut jpeg, 0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 0, 0]);
    jpeg.extend(vec![0; (blocks * 3).div_ceil(8)]);
    for scan in 0..scans {
        let component = (scan % 3 + 1) as u8;
        let refined = if scan < 3 { 0x01 } else { 0x10 };
        segment(&mut jpeg, 0xDA, &[1, component, 0x00, 1, 63, refined]);
        // Each run: the code "0" and 14 bits.
        let mut runs = String::new();
        let mut left = blocks;
        while left > 0 {
            let run = left.clamp(1, (1 << 15) - 1);
            if run >= 1 << 14 {
                let _ = write!(runs, "0{:014b}", run - (1 << 14));
                left -= run;
            } else {
                runs += "10";
                left -= 1;
            }
        }
        while !runs.len().is_multiple_of(8) {
            runs.push('1');
        }
        for byte in runs.as_bytes().chunks(8) {
            let byte = u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap();
            jpeg.push(byte);
            if byte == 0xFF {
                jpeg.push(0);
            }
        }
    }
    jpeg.extend([0xFF, 0xD9]);
    jpeg
}

/// 16 megapixels announced, a few bytes of data.
fn short_scan() -> Vec<u8> {
    let mut jpeg = jpeg_head(0xC0, 4000, 4000);
    segment(&mut jpeg, 0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
    jpeg.extend([0; 16]);
    jpeg.extend([0xFF, 0xD9]);
    jpeg
}
