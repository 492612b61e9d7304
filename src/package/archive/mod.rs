//! The archive layer: bytes in, the package's files out (rules A01 to A09).
//!
//! [`layout`] accounts for every byte, [`names`] decides what the entries are called and what they are, [`inflate`]
//! unpacks them within the limits. Nothing is written anywhere; only digests are kept, and the content of what the rules
//! will most likely ask for, so that it is not unpacked twice.

mod cursor;
mod inflate;
mod layout;
mod names;
mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

pub(crate) use self::names::is_junk;

use self::inflate::UnpackFault;
use self::layout::{LayoutFault, RawEntry};
use self::names::{EntryKind, NamedEntry};
use super::blocks::Blocks;
use super::issues::Issues;
use crate::domain::{Code, Issue, Limits, PackagePath, Rule, Sha256Digest};

const ROLE_MD: &str = "role.md";
const MANIFEST: &str = "agotalk.role.toml";

/// The files of a package, by their path inside the top-level directory.
#[derive(Debug)]
pub(super) struct Archive {
    zip: Bytes,
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
}

/// What may be kept of all files together, in bytes.
const MAX_KEPT: u64 = 64 * 1024 * 1024;

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
        let fits = fits_as_a_whole(&entries, limits, issues);
        let is_dense = is_dense_as_a_whole(&entries, limits);

        let mut nodes = BTreeMap::new();
        let wanted = named_in_manifest(&named, root.as_deref(), limits);
        let mut left_to_keep = MAX_KEPT;
        let mut blocks = Blocks(MAX_BLOCKS);
        for entry in &named {
            let inside = root.is_some() && entry.top() == root.as_deref();
            let file = match entry.kind {
                EntryKind::File { executable } => {
                    let RawEntry { method, crc32, size, .. } = *entry.raw;
                    let is_wanted = || entry.inner_path.as_ref().is_some_and(|path| wanted.contains(path.as_str()));
                    let keep = inside && method == 8 && size <= left_to_keep && is_wanted();
                    let unpacked = unpack(entry, limits, is_dense, fits || is_text(entry), keep, &mut blocks, issues);
                    let data = entry.raw.data_offset..entry.raw.data_offset.saturating_add(entry.raw.packed.len());
                    let (digest, content) = unpacked.map_or((None, None), |(digest, content)| (Some(digest), content));
                    left_to_keep -= content.as_ref().map_or(0, |content| content.len() as u64);
                    Node::File(File { data, deflated: method == 8, crc32, size, executable, digest, content })
                }
                EntryKind::Directory => {
                    check_empty(entry, issues);
                    Node::Directory
                }
                EntryKind::Other => Node::Other,
            };
            if let Some(path) = entry.inner_path.clone().filter(|_| inside) {
                nodes.entry(path).or_insert(file);
            }
        }
        drop(named);
        drop(entries);
        root.map(|root| Self { zip, root, nodes })
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
        let packed = self.zip.get(file.data.clone())?;
        if !file.deflated {
            return Some(self.zip.slice(file.data.clone()));
        }
        let mut content = Vec::with_capacity(usize::try_from(file.size).ok()?);
        let take = |piece: &[u8]| content.extend_from_slice(piece);
        inflate::unpack(packed, true, file.size, file.crc32, &mut Blocks(MAX_BLOCKS), take).ok()?;
        Some(content.into())
    }
}

/// An issue of rule A02.
pub(super) fn limit_issue(message: String) -> Issue {
    Issue::error(Rule::A02, Code::RolePackageLimitExceeded, message)
}

/// Whether all files together are within their limit, by what they declare (rule A02).
fn fits_as_a_whole(entries: &[RawEntry<'_>], limits: &Limits, issues: &mut Issues) -> bool {
    let total = entries.iter().fold(0_u64, |total, entry| total.saturating_add(entry.size));
    let fits = total <= limits.unpacked_bytes;
    if !fits {
        issues.push(limit_issue(format!("the files have more than {} bytes unpacked", limits.unpacked_bytes)));
    }
    fits
}

/// Whether the files unpack to more than their packed bytes allow, all together (rule A02). One file may be denser than
/// the limit, as long as the whole archive costs no more than one in which no file is.
fn is_dense_as_a_whole(entries: &[RawEntry<'_>], limits: &Limits) -> bool {
    let sum = |of: fn(&RawEntry<'_>, &Limits) -> u64| {
        entries.iter().fold(0_u64, |sum, entry| sum.saturating_add(of(entry, limits)))
    };
    sum(|entry, _| entry.size) > sum(|entry, limits| limits.unpacked_allowance(entry.packed.len() as u64))
}

/// Whether the package's own texts could be read even where the files are too large together.
fn is_text(entry: &NamedEntry<'_, '_>) -> bool {
    entry.inner_path.as_ref().is_some_and(|path| matches!(path.as_str(), ROLE_MD | MANIFEST))
}

/// The texts that the rules read, and every path that the manifest, wherever it lies, writes between quotes.
fn named_in_manifest(named: &[NamedEntry<'_, '_>], root: Option<&str>, limits: &Limits) -> BTreeSet<String> {
    let mut wanted = BTreeSet::from([ROLE_MD, MANIFEST, "avatar.png"].map(str::to_owned));
    let is_manifest = |entry: &&NamedEntry<'_, '_>| {
        entry.top() == root && entry.inner_path.as_ref().is_some_and(|path| path.as_str() == MANIFEST)
    };
    let raw = named.iter().find(is_manifest).map(|entry| entry.raw);
    let Some(raw) = raw.filter(|raw| raw.faults.is_empty() && raw.size <= limits.manifest_bytes) else { return wanted };
    let mut toml = Vec::new();
    // What is wrong with it is reported where it is unpacked with the others.
    let mut blocks = Blocks(MAX_BLOCKS);
    let take = |piece: &[u8]| toml.extend_from_slice(piece);
    let _ = inflate::unpack(raw.packed, raw.method == 8, raw.size, raw.crc32, &mut blocks, take);
    let text = String::from_utf8_lossy(&toml);
    let quoted = text.split(['"', '\'']).filter(|text| !text.contains('\n'));
    wanted.extend(quoted.map(|path| path.strip_prefix("./").unwrap_or(path).to_owned()));
    wanted
}

/// Unpacks an entry: its digest and, where asked for, its content. Reports what the limits (A02) or its data (A05) forbid.
fn unpack(
    entry: &NamedEntry<'_, '_>,
    limits: &Limits,
    is_dense: bool,
    is_wanted: bool,
    keep: bool,
    blocks: &mut Blocks,
    issues: &mut Issues,
) -> Option<(Sha256Digest, Option<Bytes>)> {
    let raw = entry.raw;
    if !raw.faults.is_empty() {
        return None;
    }
    if raw.size > limits.file_bytes {
        issues.push(limit_issue(format!("the file has more than {} bytes", limits.file_bytes)).in_file(entry.shown()));
        return None;
    }
    if is_dense && raw.size > limits.unpacked_allowance(raw.packed.len() as u64) {
        let message = format!("the file is compressed more than {}:1", limits.ratio);
        issues.push(limit_issue(message).in_file(entry.shown()));
        return None;
    }
    if !is_wanted {
        return None;
    }
    let mut digest = Sha256::new();
    let mut content = keep.then(|| Vec::with_capacity(usize::try_from(raw.size).unwrap_or_default()));
    let unpacked = inflate::unpack(raw.packed, raw.method == 8, raw.size, raw.crc32, blocks, |piece| {
        digest.update(piece);
        if let Some(content) = &mut content {
            content.extend_from_slice(piece);
        }
    });
    match unpacked {
        Ok(()) => Some((Sha256Digest::from_bytes(digest.finalize().into()), content.map(Bytes::from))),
        Err(fault @ UnpackFault::TooManyBlocks) => {
            let issue = limit_issue(fault.to_string()).in_file(entry.shown());
            issues.push(issue.hint("pack it again with an ordinary zip tool"));
            None
        }
        Err(fault) => {
            issues.push(names::entry_issue(Rule::A05, fault.to_string()).in_file(entry.shown()));
            None
        }
    }
}

/// A directory has no content (rule A05).
fn check_empty(entry: &NamedEntry<'_, '_>, issues: &mut Issues) {
    let raw = entry.raw;
    let is_empty = raw.size == 0 && inflate::unpack(raw.packed, raw.method == 8, 0, 0, &mut Blocks(1), |_| ()).is_ok();
    if raw.faults.is_empty() && !is_empty {
        let issue = names::entry_issue(Rule::A05, "it is a directory, yet it has content");
        issues.push(issue.in_file(entry.shown()));
    }
}
