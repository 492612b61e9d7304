//! Unpacking one entry, never further than it declares (rules A02, A05).

use crate::package::blocks::{self, Blocks, InflateFault, Wrapping};

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

/// Passes the unpacked bytes on piece by piece, at most `size` of them, and verifies size and checksum.
pub(super) fn unpack(
    packed: &[u8],
    deflated: bool,
    size: u64,
    crc32: u32,
    blocks: &mut Blocks,
    mut sink: impl FnMut(&[u8]),
) -> Result<(), UnpackFault> {
    let mut checksum = crc32fast::Hasher::new();
    let mut left = size;
    let mut take = |piece: &[u8]| {
        left = left.checked_sub(piece.len() as u64).ok_or(UnpackFault::Size)?;
        checksum.update(piece);
        sink(piece);
        Ok(())
    };
    if deflated { inflate(packed, blocks, &mut take) } else { take(packed) }?;
    if left > 0 {
        return Err(UnpackFault::Size);
    }
    if checksum.finalize() == crc32 { Ok(()) } else { Err(UnpackFault::Checksum) }
}

fn inflate(
    packed: &[u8],
    blocks: &mut Blocks,
    take: &mut impl FnMut(&[u8]) -> Result<(), UnpackFault>,
) -> Result<(), UnpackFault> {
    let mut taken = Ok(());
    let used = blocks::inflate([packed], Wrapping::None, blocks, |piece| {
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
