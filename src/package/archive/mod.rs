//! The archive layer: bytes in, the package's files out (rules A01 to A09).
//!
//! [`layout`] accounts for every byte, [`names`] decides what the entries are called and what they are, [`plan`]
//! holds them to the limits, [`unpack`] verifies their data. Nothing is written anywhere; only digests are kept, and the
//! content of what the rules will most likely ask for, so that it is not unpacked twice.

mod cursor;
mod layout;
mod names;
mod plan;
mod records;
mod unpack;

use std::collections::BTreeMap;
use std::ops::{Bound, Range};

use bytes::Bytes;

pub(crate) use self::names::is_junk;

use self::layout::LayoutFault;
use self::names::{EntryKind, NamedEntry};
use self::unpack::{Packed, UnpackFault, Unpacked};
use super::inflate::Blocks;
use super::issues::Issues;
use super::texts;
use crate::domain::{Code, Issue, Limits, PackagePath, Rule, Sha256Digest};

const ROLE_MD: &str = "role.md";
const MANIFEST: &str = "agotalk.role.toml";

/// The files of a package, by their path inside the top-level directory.
#[derive(Debug)]
pub(super) struct Archive {
    zip: Bytes,
    sha256: Sha256Digest,
    root: String,
    /// By entry; directories that are only parents have none.
    nodes: BTreeMap<PackagePath, Node>,
}

/// What a path of the package is.
#[derive(Debug)]
pub(super) enum Node {
    /// A regular file.
    File(File),
    /// A directory, with an entry of its own or as a parent of one.
    Directory,
    /// A link, pipe or device; the package is refused for it already.
    Other,
}

/// A regular file of the package.
#[derive(Debug)]
pub(super) struct File {
    data: Range<usize>,
    deflated: bool,
    crc32: u32,
    /// The unpacked size in bytes.
    pub(super) size: u64,
    /// Whether the owner may execute it.
    pub(super) executable: bool,
    /// The content's digest; nothing when the entry is faulty, which is reported already.
    pub(super) digest: Option<Sha256Digest>,
    /// The content, where it was kept.
    content: Option<Bytes>,
    /// Whether it looks like a text.
    is_text: bool,
}

/// How many blocks of deflate all files together may have. Compressors make one for some thousand bytes; these are as
/// many as there can be in half a second's work.
const MAX_BLOCKS: u32 = 200_000;

impl Archive {
    /// Reads a zip and reports every fault of rules A01 to A09; nothing when there is no package to go on with.
    pub(super) fn read(zip: Bytes, limits: &Limits, issues: &mut Issues) -> Option<Self> {
        if zip.len() as u64 > limits.zip_bytes {
            issues.push(limit_issue(format!("the zip has more than {} bytes", limits.zip_bytes)));
            return None;
        }
        let entries = match layout::read(&zip, limits.entries) {
            Ok(entries) => entries,
            Err(LayoutFault::TooManyEntries(max)) => {
                issues.push(limit_issue(format!("the zip has more than {max} entries")));
                return None;
            }
            Err(LayoutFault::Invalid(reason)) => {
                let message = format!("the file is not one whole zip archive: {reason}");
                let issue = Issue::error(Rule::A01, Code::RolePackageArchiveInvalid, message);
                issues.push(issue.hint("pack the folder again with an ordinary zip tool"));
                return None;
            }
        };
        for entry in &entries {
            for fault in &entry.faults {
                issues.push(names::entry_issue(Rule::A05, fault).in_file(names::shown_name(entry.name)));
            }
        }
        let named = names::read(&entries, issues);
        let root = names::top_level(&entries, &named, issues);
        names::check_collisions(&named, issues);
        names::check_forbidden(&named, issues);

        let tasks = plan::tasks(&entries, &named, root.as_deref(), limits, issues);
        let work: Vec<_> = named.iter().map(|entry| entry.raw).zip(tasks).collect();
        let blocks = Blocks::new(MAX_BLOCKS);
        let (unpacked, sha256) = rayon::join(|| unpack::all(&work, &blocks), || Sha256Digest::of(&zip));
        // Which of the entries took the last block depends on chance, so none is named.
        if unpacked.iter().any(|unpacked| matches!(unpacked, Some(Err(UnpackFault::TooManyBlocks)))) {
            let issue = limit_issue("the compressed data is cut into too many blocks".to_owned());
            issues.push(issue.hint("pack the folder again with an ordinary zip tool"));
            return None;
        }
        let mut nodes = BTreeMap::new();
        for (entry, unpacked) in named.iter().zip(unpacked) {
            let node = node(entry, unpacked, issues);
            let is_inside = root.is_some() && entry.top() == root.as_deref();
            if let Some(path) = entry.inner_path.clone().filter(|_| is_inside) {
                nodes.entry(path).or_insert(node);
            }
        }
        drop(work);
        drop(named);
        drop(entries);
        root.map(|root| Self { zip, sha256, root, nodes })
    }

    /// The digest of the whole zip.
    pub(super) fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// The top-level directory's name.
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// What is at this path, spelt exactly so.
    pub(super) fn node(&self, path: &str) -> Option<&Node> {
        let inside = format!("{path}/");
        let is_parent = || {
            let mut below = self.nodes.range::<str, _>((Bound::Excluded(inside.as_str()), Bound::Unbounded));
            below.next().is_some_and(|(first, _)| first.as_str().starts_with(&inside))
        };
        self.nodes.get(path).or_else(|| is_parent().then_some(&Node::Directory))
    }

    /// The regular file at this path.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        match self.node(path) {
            Some(Node::File(file)) => Some(file),
            _ => None,
        }
    }

    /// Every regular file, by path.
    pub(super) fn files(&self) -> impl Iterator<Item = (&PackagePath, &File)> {
        self.nodes.iter().filter_map(|(path, node)| match node {
            Node::File(file) => Some((path, file)),
            Node::Directory | Node::Other => None,
        })
    }

    /// The path that differs from this one only in case or normalisation.
    pub(super) fn similar(&self, path: &str) -> Option<&PackagePath> {
        let key = names::collision_key(path);
        self.nodes.keys().find(|existing| names::collision_key(existing.as_str()) == key)
    }

    /// The content of a sound file; a stored one is not copied.
    pub(super) fn content(&self, file: &File) -> Option<Bytes> {
        file.digest?;
        if let Some(content) = &file.content {
            return Some(content.clone());
        }
        let bytes = self.zip.get(file.data.clone())?;
        if !file.deflated {
            return Some(self.zip.slice(file.data.clone()));
        }
        let packed = Packed { bytes, deflated: true, size: file.size, crc32: file.crc32 };
        packed.content(&Blocks::new(MAX_BLOCKS)).ok().map(Bytes::from)
    }

    /// The sound files that look like texts, with their content, by path; not more than `max_bytes` of them.
    pub(super) fn texts(&self, max_bytes: u64) -> impl Iterator<Item = (&PackagePath, Bytes)> {
        let mut bytes_left = max_bytes;
        let texts = self.files().filter(|(path, file)| file.is_text && texts::may_be_text(path, file.size));
        texts.filter_map(move |(path, file)| {
            bytes_left = bytes_left.checked_sub(file.size)?;
            Some((path, self.content(file)?))
        })
    }
}

/// What an entry is in the package. Reports what is wrong with its data (rule A05).
fn node(entry: &NamedEntry<'_, '_>, unpacked: Option<Result<Unpacked, UnpackFault>>, issues: &mut Issues) -> Node {
    let raw = entry.raw;
    let executable = match entry.kind {
        EntryKind::File { executable } => executable,
        EntryKind::Directory => {
            if raw.faults.is_empty() && (raw.size > 0 || matches!(unpacked, Some(Err(_)))) {
                let issue = names::entry_issue(Rule::A05, "it is a directory, yet it has content");
                issues.push(issue.in_file(entry.shown()));
            }
            return Node::Directory;
        }
        EntryKind::Other => return Node::Other,
    };
    let unpacked = match unpacked {
        Some(Ok(unpacked)) => Some(unpacked),
        Some(Err(fault)) => {
            issues.push(names::entry_issue(Rule::A05, fault.to_string()).in_file(entry.shown()));
            None
        }
        None => None,
    };
    Node::File(File {
        data: raw.data_offset..raw.data_offset.saturating_add(raw.packed.len()),
        deflated: raw.is_deflated(),
        crc32: raw.crc32,
        size: raw.size,
        executable,
        digest: unpacked.as_ref().map(|unpacked| unpacked.digest),
        is_text: unpacked.as_ref().is_some_and(|unpacked| unpacked.is_text),
        content: unpacked.and_then(|unpacked| unpacked.content),
    })
}

/// An issue of rule A02.
pub(super) fn limit_issue(message: String) -> Issue {
    Issue::error(Rule::A02, Code::RolePackageLimitExceeded, message)
}
