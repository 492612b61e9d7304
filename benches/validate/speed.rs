//! Validation beside `unzip -t`, and beside unpacking and decoding alone by the same crates.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use flate2::{Decompress, FlushDecompress};
use role_catalog::domain::Limits;
use role_catalog::package::validate;

use crate::packages::package;
use crate::{median, milliseconds};

pub(crate) fn run() {
    println!("\n## Validation (medians, milliseconds)\n");
    println!(
        "| package | files | validate, no pictures | unzip -t | ratio | validate, with pictures | inflate and decode | ratio |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, size, runs) in
        [("100 KB", 100_000, 101), ("1 MB", 1_000_000, 31), ("10 MB", 10_000_000, 15), ("60 MB", 60_000_000, 9)]
    {
        let (plain, shown) = (package(size, false), package(size, true));
        let limits = Limits::default();
        let (no_pictures, files) = median(runs, || validate(plain.clone(), &limits, None).unwrap().files().len());
        let unzip = unzip_time(&plain, runs);
        let (with_pictures, _) = median(runs, || validate(shown.clone(), &limits, None).unwrap());
        let (alone, _) = median(runs, || inflate_and_decode(&shown));
        let ratio = |time: Duration, other: Duration| format!("{:.2}", time.as_secs_f64() / other.as_secs_f64());
        println!(
            "| {name} ({:.1} MB) | {files} | {:.2} | {} | {} | {:.2} | {:.2} | {} |",
            shown.len() as f64 / 1e6,
            milliseconds(no_pictures),
            unzip.map_or("absent".to_owned(), |time| format!("{:.2}", milliseconds(time))),
            unzip.map_or(String::new(), |time| ratio(no_pictures, time)),
            milliseconds(with_pictures),
            milliseconds(alone),
            ratio(with_pictures, alone)
        );
    }
}

fn unzip_time(zip: &[u8], runs: usize) -> Option<Duration> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(zip).unwrap();
    let test = || Command::new("unzip").arg("-tqq").arg(file.path()).stdout(Stdio::null()).status();
    test().ok()?;
    Some(median(runs, || assert!(test().unwrap().success())).0)
}

/// What cannot be left out: each entry is unpacked and its checksum verified, each shown picture decoded.
fn inflate_and_decode(zip: &[u8]) -> usize {
    let archive = rawzip::ZipArchive::from_slice(zip).unwrap();
    let mut entries = archive.entries();
    let mut pixels = 0;
    while let Some(entry) = entries.next_entry().unwrap() {
        let packed = archive.get_entry(entry.wayfinder()).unwrap();
        let size = usize::try_from(entry.uncompressed_size_hint()).unwrap();
        let is_picture = entry.file_path().as_ref().ends_with(b".png");
        let mut content = Vec::new();
        if entry.compression_method() == rawzip::CompressionMethod::DEFLATE {
            content.reserve_exact(size);
            Decompress::new(false).decompress_vec(packed.data(), &mut content, FlushDecompress::Finish).unwrap();
        } else {
            content.extend_from_slice(packed.data());
        }
        assert_eq!(crc32fast::hash(&content), entry.crc32());
        if is_picture {
            let picture = image::load_from_memory_with_format(&content, image::ImageFormat::Png).unwrap();
            pixels += picture.as_bytes().len();
        }
    }
    pixels
}

/// An entry: name, method, packed data, content.
pub(crate) type RawEntry = (String, u16, Vec<u8>, Vec<u8>);

/// A zip of entries that may be called and packed in any way.
pub(crate) fn zip_of(entries: &[RawEntry]) -> bytes::Bytes {
    let number = |count: usize| u32::try_from(count).unwrap().to_le_bytes();
    let short = |count: usize| u16::try_from(count).unwrap().to_le_bytes();
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, method, packed, content) in entries {
        let offset = number(zip.len());
        let fields = [
            &[20, 0, 0, 8][..],
            &method.to_le_bytes(),
            &[0; 4],
            &crc32fast::hash(content).to_le_bytes(),
            &number(packed.len()),
            &number(content.len()),
            &short(name.len()),
            &[0; 2],
        ]
        .concat();
        zip.extend([b"PK\x03\x04", fields.as_slice(), name.as_bytes(), packed].concat());
        let mode = (0o100_644_u32 << 16).to_le_bytes();
        directory.extend([b"PK\x01\x02\x14\x03", fields.as_slice(), &[0; 6], &mode, &offset, name.as_bytes()].concat());
    }
    let (count, size, offset) = (short(entries.len()), number(directory.len()), number(zip.len()));
    zip.extend([&directory, b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &size, &offset, b"\0\0"].concat());
    zip.into()
}
