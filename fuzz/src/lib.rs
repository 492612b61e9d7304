//! What each fuzz target does with its input; the ordinary tests replay the corpora through the same functions.
//!
//! Everything goes through the crate's public boundary: a member is put into an otherwise valid package. Besides not
//! panicking, an accepted package must read the same through an independent zip reader ([`agreement`]), and each of its
//! pictures must be projected.

pub mod agreement;
mod zip;

use bytes::Bytes;
use role_catalog::domain::Limits;
use role_catalog::package::{check_import, validate};
use role_catalog::projection::project;

use self::zip::Entry;

/// A target's name, which is also that of its corpus, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 6] = [
    ("archive", archive),
    ("package", package),
    ("manifest", manifest),
    ("front_matter", front_matter),
    ("lockfile", lockfile),
    ("picture", picture),
];

const MANIFEST: &str = "schema_version = 1\nid = \"role\"\nversion = \"1.0.0\"\ntitle = \"T\"\nsummary = \"S\"\n\
    kind = \"role\"\nlicense = \"free\"\nmin_app_version = \"0.1.57\"\n[state]\nremembers_progress = false\n\
    [environment]\nmanager = \"agotalk\"\ndependency_mode = \"none\"\n";

/// Between the entries that the input of [`package`] is made of.
const SEPARATOR: &[u8] = b"\xF8\xF9\xFA\xFB";

/// The input is a zip.
pub fn archive(input: &[u8]) {
    judge(Bytes::copy_from_slice(input));
}

/// The input is a list of entries: a name, which `*` makes executable, a newline, the content.
pub fn package(input: &[u8]) {
    let mut entries = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        let end = rest.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
        let (entry, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.get(SEPARATOR.len()..).unwrap_or_default();
        let line = entry.iter().position(|byte| *byte == b'\n').unwrap_or(entry.len());
        let (name, content) = (&entry[..line], entry.get(line + 1..).unwrap_or_default());
        let plain = name.strip_suffix(b"*");
        entries.push(Entry { name: plain.unwrap_or(name), executable: plain.is_some(), content });
    }
    judge(zip::of(&entries));
}

/// The input is `agotalk.role.toml`.
pub fn manifest(input: &[u8]) {
    judge(zip::of(&[
        Entry::file(b"role/agotalk.role.toml", input),
        Entry::file(b"role/role.md", b"Hello.\n"),
        Entry::file(b"role/index.html", b"<!doctype html>"),
        Entry::file(b"role/a/cover.png", PIXEL),
    ]));
}

/// The input is `role.md`.
pub fn front_matter(input: &[u8]) {
    judge(zip::of(&[Entry::file(b"role/agotalk.role.toml", MANIFEST.as_bytes()), Entry::file(b"role/role.md", input)]));
}

/// The input is `uv.lock`, of a project called `demo`.
pub fn lockfile(input: &[u8]) {
    const PROJECT: &[u8] =
        b"[project]\nname = \"demo\"\nversion = \"0.1.0\"\nrequires-python = \">=3.11\"\ndependencies = [\"idna\"]\n";
    let manifest = MANIFEST.replace("\"none\"", "\"locked\"");
    judge(zip::of(&[
        Entry::file(b"role/agotalk.role.toml", manifest.as_bytes()),
        Entry::file(b"role/role.md", b"Hello.\n"),
        Entry::file(b"role/contents/pyproject.toml", PROJECT),
        Entry::file(b"role/contents/uv.lock", input),
        Entry { executable: true, ..Entry::file(b"role/contents/bin/setup-check", b"#!/bin/sh\n") },
    ]));
}

/// The input is `avatar.png`.
pub fn picture(input: &[u8]) {
    judge(zip::of(&[
        Entry::file(b"role/agotalk.role.toml", MANIFEST.as_bytes()),
        Entry::file(b"role/role.md", b"Hello.\n"),
        Entry::file(b"role/avatar.png", input),
    ]));
}

fn judge(zip: Bytes) {
    // Pictures of the full size would make a run slow and find nothing more.
    let limits = Limits { picture_pixels: 300_000, pictures_pixels: 600_000, ..Limits::default() };
    let result = validate(zip.clone(), &limits, None);
    agreement::check(&zip, &result);
    if let Ok(package) = &result {
        let projection = project(package, &limits).expect("a picture that validation accepts can be projected");
        let wants_pictures = package.pictures().avatar.is_some() || package.pictures().cover.is_some();
        assert!(!wants_pictures || !projection.pictures().is_empty());
    }
    let import = check_import(zip, &limits);
    assert!(result.is_err() || import.is_valid(), "what may be published may be imported");
}

/// A PNG of one pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55\
    \0\0\0\nIDATx\x9cc`\0\0\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82";
