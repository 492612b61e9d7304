//! Packing a role's files, the same way on every machine.

use std::io::Cursor;

use bytes::Bytes;
use zip::write::{PreparedZipFile, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use crate::domain::{Limits, PackagePath, RoleId};

/// A file to pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFile {
    /// Where it lies in the package.
    pub path: PackagePath,
    /// Its content.
    pub bytes: Bytes,
    /// Whether the owner may execute it.
    pub executable: bool,
}

/// Why files could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackFault {
    /// Two files claim one path.
    #[error("{0} is there twice")]
    Duplicate(PackagePath),
    /// The archive could not be written.
    #[error("the archive could not be written: {0}")]
    Zip(#[from] zip::result::ZipError),
}

/// Packs the files under the top-level directory `role_id`.
///
/// Equal files give equal bytes, whatever their order, the machine and the time: entries are sorted by path, dated
/// 1980-01-01, have the modes 0644 or 0755, are deflated at one level by one compressor (stored where that does not
/// help, or where it helps so much that it would look like a bomb), and directories have no entries. Nothing is
/// validated here.
///
/// # Errors
/// [`PackFault`].
pub fn pack(role_id: &RoleId, mut files: Vec<PackFile>) -> Result<Bytes, PackFault> {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some((_, second)) = files.iter().zip(files.iter().skip(1)).find(|(first, second)| first.path == second.path)
    {
        return Err(PackFault::Duplicate(second.path.clone()));
    }
    let limits = Limits::default();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in &files {
        let name = format!("{role_id}/{}", file.path);
        let deflated = PreparedZipFile::from_data(&name, options(file, CompressionMethod::Deflated), &file.bytes)?;
        let is_smaller = deflated.compressed_size() < deflated.uncompressed_size();
        let is_allowed = deflated.uncompressed_size() <= limits.unpacked_allowance(deflated.compressed_size());
        let entry = if is_smaller && is_allowed {
            deflated
        } else {
            PreparedZipFile::from_data(&name, options(file, CompressionMethod::Stored), &file.bytes)?
        };
        writer.add_prepared_file(entry)?;
    }
    Ok(writer.finish()?.into_inner().into())
}

fn options(file: &PackFile, method: CompressionMethod) -> SimpleFileOptions {
    const LEVEL: i64 = 6;
    let level = (method == CompressionMethod::Deflated).then_some(LEVEL);
    SimpleFileOptions::default()
        .system(System::Unix)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(if file.executable { 0o755 } else { 0o644 })
        .compression_method(method)
        .compression_level(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Sha256Digest;

    fn files() -> Vec<PackFile> {
        let file = |path: &str, bytes: &[u8], executable| PackFile {
            path: PackagePath::parse(path).unwrap(),
            bytes: Bytes::copy_from_slice(bytes),
            executable,
        };
        vec![
            file("role.md", "Speak slowly. ".repeat(500).as_bytes(), false),
            file("contents/bin/setup-check", b"#!/bin/sh\nexit 0\n", true),
            file("contents/café-老师.txt", b"", false),
        ]
    }

    #[test]
    fn equal_files_give_equal_bytes_in_any_order_on_any_machine() {
        let id = RoleId::parse("packed-role").unwrap();
        let packed = pack(&id, files()).unwrap();
        assert_eq!(packed, pack(&id, files().into_iter().rev().collect()).unwrap());
        // Changing this digest changes every package that is packed from now on.
        let golden = "a7a0cb590c39aa4e7974b5ef977dcacc75d755edf1cec7a79f7dbe79b62d1195";
        assert_eq!(Sha256Digest::of(&packed).to_string(), golden);
    }

    #[test]
    fn a_file_that_deflates_like_a_bomb_is_stored() {
        const MIB: usize = 1024 * 1024;
        let packed = |len| {
            let path = PackagePath::parse("contents/blank.bin").unwrap();
            let file = PackFile { path, bytes: vec![0; len].into(), executable: false };
            pack(&RoleId::parse("packed-role").unwrap(), vec![file]).unwrap().len()
        };
        assert!(packed(MIB) < 10_000);
        assert!(packed(2 * MIB) > 2 * MIB);
    }

    #[test]
    fn a_path_is_packed_once() {
        let twice = [files(), files()].concat();
        let id = RoleId::parse("packed-role").unwrap();
        assert!(
            matches!(pack(&id, twice), Err(PackFault::Duplicate(path)) if path.as_str() == "contents/bin/setup-check")
        );
    }
}
