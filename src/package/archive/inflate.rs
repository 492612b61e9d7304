//! Unpacking one entry, never further than it declares (rules A02, A05).

use flate2::{Decompress, FlushDecompress, Status};

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
}

/// Passes the unpacked bytes on piece by piece, at most `size` of them, and verifies size and checksum.
pub(super) fn unpack(
    packed: &[u8],
    deflated: bool,
    size: u64,
    crc32: u32,
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
    if deflated { inflate(packed, &mut take) } else { take(packed) }?;
    if left > 0 {
        return Err(UnpackFault::Size);
    }
    if checksum.finalize() == crc32 { Ok(()) } else { Err(UnpackFault::Checksum) }
}

fn inflate(packed: &[u8], take: &mut impl FnMut(&[u8]) -> Result<(), UnpackFault>) -> Result<(), UnpackFault> {
    const PIECE: usize = 64 * 1024;
    let mut inflater = Decompress::new(false);
    let mut buffer = vec![0; PIECE];
    let mut rest = packed;
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        let status = inflater.decompress(rest, &mut buffer, FlushDecompress::None).map_err(|_| UnpackFault::Damaged)?;
        let (read, written) = (to_usize(inflater.total_in() - read), to_usize(inflater.total_out() - written));
        rest = rest.get(read..).unwrap_or_default();
        take(buffer.get(..written).unwrap_or_default())?;
        match status {
            Status::StreamEnd if rest.is_empty() => return Ok(()),
            Status::StreamEnd => return Err(UnpackFault::TrailingData),
            Status::Ok | Status::BufError if read == 0 && written == 0 => return Err(UnpackFault::Damaged),
            Status::Ok | Status::BufError => {}
        }
    }
}

/// Both counts are bounded by slices that are in memory.
fn to_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
