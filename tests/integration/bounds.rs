//! Small inputs that would cost a reader much time or memory are refused before they do.

use std::io::Read as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::ZlibEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder as _};
use role_catalog::domain::{Code, Limits, Rule};
use role_catalog::package::{Report, validate};

use crate::support::package_builder::PackageBuilder;

fn refusal(zip: Bytes) -> Report {
    validate(zip, &Limits::default(), None).unwrap_err()
}

fn with_avatar(picture: Vec<u8>) -> Bytes {
    PackageBuilder::role("tutor").file("avatar.png", picture).stored().build()
}

#[track_caller]
fn assert_refused_picture(picture: Vec<u8>, reason: &str) {
    let report = refusal(with_avatar(picture));
    let issue = &report.issues[0];
    assert_eq!((issue.rule, issue.code), (Rule::P05, Code::RolePackageAvatarInvalid));
    assert!(issue.message.contains(reason), "{}", issue.message);
}

/// A deflate stream of nothing but blocks that hold nothing, of ten bits each.
fn empty_blocks(count: usize) -> Vec<u8> {
    [[0x02, 0x08, 0x20, 0x80, 0x00].repeat(count / 4).as_slice(), &[0x03, 0x00]].concat()
}

/// The zip with this entry's stored bytes declared to be deflated nothing.
fn as_deflated_nothing(zip: &[u8], name: &str) -> Bytes {
    let mut zip = zip.to_vec();
    // Where the method, the checksum, the unpacked size and the name are in each header.
    for (signature, method, name_at) in [(b"PK\x03\x04", 8, 30), (b"PK\x01\x02", 10, 46)] {
        let is_header =
            |at: &usize| zip[*at..].starts_with(signature) && zip[at + name_at..].starts_with(name.as_bytes());
        let at = (0..zip.len() - name_at).find(is_header).unwrap();
        zip[at + method] = 8;
        zip[at + method + 6..at + method + 10].fill(0);
        zip[at + method + 14..at + method + 18].fill(0);
    }
    zip.into()
}

#[test]
fn an_entry_that_is_cut_into_blocks_of_nothing_is_refused() {
    let package = |count| {
        let builder = PackageBuilder::role("tutor").file("contents/a.bin", empty_blocks(count)).stored();
        as_deflated_nothing(&builder.build(), "tutor/contents/a.bin")
    };
    validate(package(100_000), &Limits::default(), None).unwrap();
    let issue = &refusal(package(300_000)).issues[0];
    assert_eq!((issue.rule, issue.code), (Rule::A02, Code::RolePackageLimitExceeded));
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [kind.as_slice(), data].concat();
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [length.as_slice(), &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

/// A gray PNG of this many rows of 1000 pixels, with other chunks before its pixels.
fn png(rows: u32, beside: &[u8], pixels: &[u8]) -> Vec<u8> {
    let header = [1000_u32.to_be_bytes().as_slice(), &rows.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    [
        b"\x89PNG\r\n\x1a\n".as_slice(),
        &chunk(*b"IHDR", &header),
        beside,
        &chunk(*b"IDAT", pixels),
        &chunk(*b"IEND", b""),
    ]
    .concat()
}

fn zlib(content: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    ZlibEncoder::new(content, Compression::none()).read_to_end(&mut packed).unwrap();
    packed
}

#[test]
fn a_png_whose_pixels_are_cut_into_tiny_blocks_is_refused() {
    let rows = vec![0; 1001 * 3000];
    let sound = zlib(&rows);
    validate(with_avatar(png(3000, b"", &sound)), &Limits::default(), None).unwrap();
    // After the stream's header, blocks of nothing come before the stored ones.
    let blocks = [0x02, 0x08, 0x20, 0x80, 0x00].repeat(20_000);
    assert_refused_picture(png(3000, b"", &[&sound[..2], &blocks, &sound[2..]].concat()), "too many blocks");
}

#[test]
fn a_png_with_millions_of_chunks_or_megabytes_beside_its_pixels_is_refused() {
    let pixels = zlib(&[0; 1001]);
    let sound = png(1, &chunk(*b"tEXt", b"Comment\0hello"), &pixels);
    validate(with_avatar(sound), &Limits::default(), None).unwrap();
    for (kind, data, count) in [
        (*b"tEXt", b"a\0b".to_vec(), 300_000),
        (*b"IDAT", Vec::new(), 400_000),
        (*b"tEXt", [b"a\0".as_slice(), &vec![b'x'; 5_000_000]].concat(), 1),
    ] {
        assert_refused_picture(png(1, &chunk(kind, &data).repeat(count), &pixels), "beside its pixels");
    }
}

#[test]
fn a_lossless_webp_that_could_hold_thousands_of_code_tables_is_refused() {
    let webp = |side: u32| {
        // Numbers without a pattern, so that the file is as large as its pixels.
        let mut state = 7_u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[1]
        };
        let pixels: Vec<u8> = (0..side * side * 3).map(|_| next()).collect();
        let mut webp = Vec::new();
        WebPEncoder::new_lossless(&mut webp).write_image(&pixels, side, side, ExtendedColorType::Rgb8).unwrap();
        webp
    };
    validate(with_avatar(webp(300)), &Limits::default(), None).unwrap();
    assert_refused_picture(webp(1000), "lossless WebP");
}

#[test]
fn webp_pictures_beyond_eight_megabytes_together_are_refused() {
    let picture = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/picture/lossy.webp")).unwrap();
    // A chunk that no reader knows is skipped, yet it counts.
    let padded = |bytes: usize| {
        let body = [&picture[8..], b"JUNK", &u32::try_from(bytes).unwrap().to_le_bytes(), &vec![0; bytes]].concat();
        Bytes::from([b"RIFF".as_slice(), &u32::try_from(body.len()).unwrap().to_le_bytes(), &body].concat())
    };
    let package = |bytes| {
        let manifest = "\n[preview]\ncover_image = \"assets/cover.webp\"\n";
        let builder = PackageBuilder::role("tutor").manifest_extra(manifest).stored();
        builder.file("avatar.png", padded(bytes)).file("assets/cover.webp", padded(bytes)).build()
    };
    validate(package(3_000_000), &Limits::default(), None).unwrap();
    let issue = &refusal(package(5_000_000)).issues[0];
    assert_eq!((issue.rule, issue.path.as_deref()), (Rule::P04, Some("assets/cover.webp")));
}
