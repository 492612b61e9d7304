//! Inflating within a bound on the work, not only on the bytes.
//!
//! A deflate stream is cut into blocks, each with codes of its own (RFC 1951 § 3.2.3). Describing the codes takes twelve
//! bytes, building the tables for them takes microseconds: a stream of nothing else keeps a machine busy for seconds.
//! Compressors cut once in some thousand bytes, so the blocks are counted.

use zlib_rs::{Inflate, InflateFlush, Status};

/// How many more blocks may be inflated.
#[derive(Debug)]
pub(super) struct Blocks(pub(super) u32);

/// What a deflate stream is wrapped in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapping {
    /// Nothing, as in a zip.
    None,
    /// A header and a checksum (RFC 1950), as in a PNG.
    Zlib,
}

/// Why a stream was not inflated to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InflateFault {
    /// It is no deflate stream, or it is cut off.
    Damaged,
    /// It has more blocks than are left.
    TooManyBlocks,
}

/// Inflates a stream that comes in parts, and passes its bytes on until it ends or `take` wants no more. Returns how many
/// bytes of the last part that was begun were read.
pub(super) fn inflate<'p>(
    parts: impl IntoIterator<Item = &'p [u8]>,
    wrapping: Wrapping,
    blocks: &mut Blocks,
    mut take: impl FnMut(&[u8]) -> bool,
) -> Result<usize, InflateFault> {
    const PIECE: usize = 64 * 1024;
    const WINDOW_BITS: u8 = 15;
    let mut inflater = Inflate::new(wrapping == Wrapping::Zlib, WINDOW_BITS);
    let mut buffer = vec![0; PIECE];
    for part in parts {
        let mut used = 0;
        loop {
            let (read, written) = (inflater.total_in(), inflater.total_out());
            let rest = part.get(used..).unwrap_or_default();
            // This mode returns at the end of each block, too.
            let status = inflater.decompress(rest, &mut buffer, InflateFlush::Block);
            let status = status.map_err(|_| InflateFault::Damaged)?;
            let (read, written) = (to_usize(inflater.total_in() - read), to_usize(inflater.total_out() - written));
            used += read;
            if !take(buffer.get(..written).unwrap_or_default()) || status == Status::StreamEnd {
                return Ok(used);
            }
            if read == 0 && written == 0 {
                break;
            }
            if written < buffer.len() {
                blocks.0 = blocks.0.checked_sub(1).ok_or(InflateFault::TooManyBlocks)?;
            }
        }
    }
    Err(InflateFault::Damaged)
}

/// Both counts are bounded by slices that are in memory.
fn to_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::DeflateEncoder;
    use std::io::Read as _;

    fn deflated(content: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        DeflateEncoder::new(content, Compression::default()).read_to_end(&mut packed).unwrap();
        packed
    }

    fn inflated(parts: &[&[u8]], blocks: u32) -> Result<Vec<u8>, InflateFault> {
        let mut content = Vec::new();
        inflate(parts.iter().copied(), Wrapping::None, &mut Blocks(blocks), |piece| {
            content.extend_from_slice(piece);
            true
        })?;
        Ok(content)
    }

    #[test]
    fn a_stream_is_inflated_whole_or_in_parts() {
        let content: Vec<u8> = (0..300_000_u32).flat_map(|number| (number / 3).to_le_bytes()).collect();
        let packed = deflated(&content);
        assert_eq!(inflated(&[&packed], 1000).unwrap(), content);
        for cut in [0, 1, 1000, packed.len() - 1] {
            let (first, second) = packed.split_at(cut);
            assert_eq!(inflated(&[first, second], 1000).unwrap(), content);
            assert_eq!(inflated(&[first], 1000), Err(InflateFault::Damaged));
        }
        assert_eq!(inflated(&[b"\xff\xff"], 1000), Err(InflateFault::Damaged));
    }

    #[test]
    fn blocks_are_counted() {
        // Empty blocks with the fixed codes, of ten bits each: four of them are the bits 0100000000 and so on.
        let four = [0x02, 0x08, 0x20, 0x80, 0x00];
        let stream = [four.repeat(100).as_slice(), &[0x03, 0x00]].concat();
        assert_eq!(inflated(&[&stream], 500).unwrap(), b"");
        assert_eq!(inflated(&[&stream], 300), Err(InflateFault::TooManyBlocks));
    }

    #[test]
    fn an_ordinary_stream_has_few_blocks() {
        let content: Vec<u8> =
            (0..1_000_000_u32).flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()).collect();
        assert_eq!(inflated(&[&deflated(&content)], 2000).unwrap(), content);
    }
}
