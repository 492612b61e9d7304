//! What to do with each entry, before any is unpacked: the limits (rule A02), and what is worth keeping.

use std::collections::BTreeSet;

use super::layout::RawEntry;
use super::names::{EntryKind, NamedEntry};
use super::unpack::{Packed, Task};
use super::{MANIFEST, MAX_BLOCKS, ROLE_MD, limit_issue};
use crate::domain::Limits;
use crate::package::inflate::Blocks;
use crate::package::issues::Issues;
use crate::package::texts;

/// What may be kept of all files together that the rules ask for by name, in bytes.
const MAX_KEPT: u64 = 64 * 1024 * 1024;

/// What may be kept of all other texts together, in bytes.
const MAX_KEPT_TEXTS: u64 = 24 * 1024 * 1024;

/// The task for each of the named entries. Reports what the limits forbid.
pub(super) fn tasks(
    entries: &[RawEntry<'_>],
    named: &[NamedEntry<'_, '_>],
    root: Option<&str>,
    limits: &Limits,
    issues: &mut Issues,
) -> Vec<Task> {
    let fits = fits_as_a_whole(entries, limits, issues);
    let is_dense = is_dense_as_a_whole(entries, limits);
    let wanted = named_in_manifest(named, root, limits);
    let (mut left, mut left_for_texts) = (MAX_KEPT, MAX_KEPT_TEXTS);
    let task = |entry: &NamedEntry<'_, '_>| {
        let raw = entry.raw;
        let is_readable = match entry.kind {
            EntryKind::File { .. } => is_allowed(entry, is_dense, limits, issues) && (fits || is_own_text(entry)),
            EntryKind::Directory => raw.size == 0,
            EntryKind::Other => false,
        };
        if !is_readable || !raw.faults.is_empty() {
            return Task::Leave;
        }
        // What is stored need not be kept: it is there in the zip.
        let inside = entry.inner_path.as_ref().filter(|_| root.is_some() && entry.top() == root);
        let Some(path) = inside.filter(|_| raw.is_deflated()) else { return Task::Verify };
        let (left, task) = if wanted.contains(path.as_str()) {
            (&mut left, Task::Keep)
        } else if texts::may_be_text(path, raw.size) {
            (&mut left_for_texts, Task::KeepText)
        } else {
            return Task::Verify;
        };
        match left.checked_sub(raw.size) {
            Some(rest) => {
                *left = rest;
                task
            }
            None => Task::Verify,
        }
    };
    named.iter().map(task).collect()
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

/// Whether a sound file is within the limits of one file (rule A02).
fn is_allowed(entry: &NamedEntry<'_, '_>, is_dense: bool, limits: &Limits, issues: &mut Issues) -> bool {
    let raw = entry.raw;
    if !raw.faults.is_empty() {
        return false;
    }
    if raw.size > limits.file_bytes {
        issues.push(limit_issue(format!("the file has more than {} bytes", limits.file_bytes)).in_file(entry.shown()));
        return false;
    }
    if is_dense && raw.size > limits.unpacked_allowance(raw.packed.len() as u64) {
        let message = format!("the file is compressed more than {}:1", limits.ratio);
        issues.push(limit_issue(message).in_file(entry.shown()));
        return false;
    }
    true
}

/// Whether the package's own texts could be read even where the files are too large together.
fn is_own_text(entry: &NamedEntry<'_, '_>) -> bool {
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
    // What is wrong with it is reported where it is unpacked with the others.
    let toml = Packed::of(raw).content(&Blocks::new(MAX_BLOCKS)).unwrap_or_default();
    let text = String::from_utf8_lossy(&toml);
    let quoted = text.split(['"', '\'']).filter(|text| !text.contains('\n'));
    wanted.extend(quoted.map(|path| path.strip_prefix("./").unwrap_or(path).to_owned()));
    wanted
}
