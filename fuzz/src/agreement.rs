//! Whether an independent zip reader sees in a package what the validator saw.

use std::io::Read as _;

use bytes::Bytes;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};
use role_catalog::domain::Sha256Digest;
use role_catalog::package::{Report, ValidatedPackage};

/// A file: its name in the zip, its size, the digest of its content.
type Seen = (String, u64, Sha256Digest);

/// Panics when the validator finds no fault in the archive (rules A01 to A09) and the other reader does, or when both
/// see other files.
pub fn check(zip: &Bytes, result: &Result<ValidatedPackage, Report>) {
    let is_archive_fault = |report: &Report| report.errors().any(|issue| issue.rule.to_string().starts_with('A'));
    if result.as_ref().err().is_some_and(is_archive_fault) {
        return;
    }
    let seen = read(zip).unwrap_or_else(|fault| panic!("the other reader refuses the archive: {fault}"));
    if let Ok(package) = result {
        let root = &package.manifest().id;
        let files = package.files().iter();
        let known: Vec<Seen> =
            files.map(|file| (format!("{root}/{}", file.path), file.size_bytes, file.sha256)).collect();
        assert_eq!(known, seen);
    }
}

/// The regular files, by name; directories must be empty.
fn read(zip: &[u8]) -> Result<Vec<Seen>, String> {
    let text = |error: rawzip::Error| error.to_string();
    let archive = ZipArchive::from_slice(zip).map_err(text)?;
    if archive.end_offset() != zip.len() as u64 {
        return Err("bytes follow the archive".to_owned());
    }
    let mut files = Vec::new();
    let mut count = 0;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(text)? {
        count += 1;
        let name = entry.file_path();
        let packed = archive.get_entry(entry.wayfinder()).map_err(text)?;
        let local = packed.local_header();
        if local.file_path().as_ref() != name.as_ref() || local.compression_method() != entry.compression_method() {
            return Err("the local header names another entry".to_owned());
        }
        let size = entry.uncompressed_size_hint();
        let mut content = Vec::new();
        match entry.compression_method() {
            CompressionMethod::STORE => packed.verifying_reader(packed.data()).read_to_end(&mut content),
            CompressionMethod::DEFLATE => {
                packed.verifying_reader(DeflateDecoder::new(packed.data())).read_to_end(&mut content)
            }
            method => return Err(format!("method {method}")),
        }
        .map_err(|error| error.to_string())?;
        if content.len() as u64 != size {
            return Err(format!("{} bytes where {size} are declared", content.len()));
        }
        // Without zip64 in the central header this reader expects narrow sizes, whatever the local header announces.
        if has_zip64(local.extra_fields()) == has_zip64(entry.extra_fields())
            && let Some(descriptor) = packed.data_descriptor().map_err(text)?
            && (descriptor.crc32(), descriptor.compressed_size(), descriptor.uncompressed_size())
                != (entry.crc32(), packed.data().len() as u64, size)
        {
            return Err("the data descriptor tells something else".to_owned());
        }
        let name = String::from_utf8(name.as_ref().to_vec()).map_err(|error| error.to_string())?;
        if !entry.is_dir() {
            files.push((name, size, Sha256Digest::of(&content)));
        } else if !content.is_empty() {
            return Err("a directory has content".to_owned());
        }
    }
    if count != archive.entries_hint() {
        return Err(format!("{count} entries where {} are announced", archive.entries_hint()));
    }
    files.sort();
    Ok(files)
}

fn has_zip64(mut fields: rawzip::extra_fields::ExtraFields<'_>) -> bool {
    fields.any(|(id, _)| id.as_u16() == 1)
}
