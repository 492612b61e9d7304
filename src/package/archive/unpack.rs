//! Unpacking every entry once, on all cores, never further than it declares (rules A02, A05).

use bytes::Bytes;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use super::layout::RawEntry;
use crate::domain::Sha256Digest;
use crate::package::inflate::{Blocks, InflateFault, Inflater, Wrapping};
use crate::package::texts;

/// What to do with an entry's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Nothing: it is faulty, or too large.
    Leave,
    /// Verify it.
    Verify,
    /// Verify it and keep the content.
    Keep,
    /// Verify it and keep the content if it is a text.
    KeepText,
}

/// A sound entry.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) digest: Sha256Digest,
    /// Where it was to be kept.
    pub(super) content: Option<Bytes>,
    /// Whether it looks like a text.
    pub(super) is_text: bool,
}

/// Why an entry's data is not what its headers promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnpackFault {
    #[error("its compressed data is damaged")]
    Damaged,
    #[error("it unpacks to another size than it declares")]
    Size,
    #[error("its content does not match its checksum")]
    Checksum,
    #[error("bytes follow its compressed data")]
    TrailingData,
    #[error("its compressed data is cut into too many blocks")]
    TooManyBlocks,
}

/// What became of each task; nothing for [`Task::Leave`].
pub(super) type Results = Vec<Option<Result<Unpacked, UnpackFault>>>;

/// Does every entry's task; the results are in the same order.
pub(super) fn all(work: &[(&RawEntry<'_>, Task)], blocks: &Blocks) -> Results {
    let mut largest_first: Vec<_> = work.iter().enumerate().filter(|(_, (_, task))| *task != Task::Leave).collect();
    largest_first.sort_by_key(|(_, (raw, _))| std::cmp::Reverse(raw.size));
    let unpack = |inflater: &mut Inflater, (index, (raw, task)): (usize, &(&RawEntry<'_>, Task))| {
        (index, one(inflater, raw, *task, blocks))
    };
    // One after the other from a common queue: whoever is free takes the next largest.
    let done: Vec<_> = largest_first.into_iter().par_bridge().map_init(Inflater::default, unpack).collect();
    let mut results: Results = work.iter().map(|_| None).collect();
    for (index, result) in done {
        if let Some(slot) = results.get_mut(index) {
            *slot = Some(result);
        }
    }
    results
}

fn one(inflater: &mut Inflater, raw: &RawEntry<'_>, task: Task, blocks: &Blocks) -> Result<Unpacked, UnpackFault> {
    let mut digest = Sha256::new();
    let mut keep = task != Task::Verify;
    let mut content = Vec::with_capacity(if keep { usize::try_from(raw.size).unwrap_or_default() } else { 0 });
    let mut is_text = None;
    unpack(inflater, Packed::of(raw), blocks, |piece| {
        digest.update(piece);
        if !piece.is_empty() && !*is_text.get_or_insert_with(|| texts::is_text(piece)) && task == Task::KeepText {
            keep = false;
            content = Vec::new();
        }
        if keep {
            content.extend_from_slice(piece);
        }
    })?;
    let digest = Sha256Digest::from_bytes(digest.finalize().into());
    Ok(Unpacked { digest, content: keep.then(|| content.into()), is_text: is_text.unwrap_or(true) })
}

/// Packed data and what its headers say of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) deflated: bool,
    pub(super) size: u64,
    pub(super) crc32: u32,
}

impl<'a> Packed<'a> {
    pub(super) fn of(raw: &RawEntry<'a>) -> Self {
        Self { bytes: raw.packed, deflated: raw.is_deflated(), size: raw.size, crc32: raw.crc32 }
    }

    /// The unpacked bytes.
    pub(super) fn content(self, blocks: &Blocks) -> Result<Vec<u8>, UnpackFault> {
        let mut content = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
        unpack(&mut Inflater::default(), self, blocks, |piece| content.extend_from_slice(piece))?;
        Ok(content)
    }
}

/// Passes the unpacked bytes on piece by piece, at most as many as declared, and verifies their size and checksum.
fn unpack(
    inflater: &mut Inflater,
    packed: Packed<'_>,
    blocks: &Blocks,
    mut sink: impl FnMut(&[u8]),
) -> Result<(), UnpackFault> {
    let mut checksum = crc32fast::Hasher::new();
    let mut left = packed.size;
    let mut take = |piece: &[u8]| {
        left = left.checked_sub(piece.len() as u64).ok_or(UnpackFault::Size)?;
        checksum.update(piece);
        sink(piece);
        Ok(())
    };
    if packed.deflated { inflate(inflater, packed.bytes, blocks, &mut take) } else { take(packed.bytes) }?;
    if left > 0 {
        return Err(UnpackFault::Size);
    }
    if checksum.finalize() == packed.crc32 { Ok(()) } else { Err(UnpackFault::Checksum) }
}

fn inflate(
    inflater: &mut Inflater,
    packed: &[u8],
    blocks: &Blocks,
    take: &mut impl FnMut(&[u8]) -> Result<(), UnpackFault>,
) -> Result<(), UnpackFault> {
    let mut taken = Ok(());
    let used = inflater.run([packed], Wrapping::None, blocks, |piece| {
        taken = take(piece);
        taken.is_ok()
    });
    taken?;
    match used {
        Ok(used) if used == packed.len() => Ok(()),
        Ok(_) => Err(UnpackFault::TrailingData),
        Err(InflateFault::Damaged) => Err(UnpackFault::Damaged),
        Err(InflateFault::TooManyBlocks) => Err(UnpackFault::TooManyBlocks),
    }
}
