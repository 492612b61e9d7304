//! Inflating within a bound on the work, not only on the bytes.
//!
//! A deflate stream is cut into blocks, each with codes of its own (RFC 1951 § 3.2.3). Describing the codes takes twelve
//! bytes, building the tables for them takes microseconds: a stream of nothing else keeps a machine busy for seconds.
//! Compressors cut once in some thousand bytes, so the blocks are counted.

use std::sync::atomic::{AtomicU32, Ordering};

use zlib_rs::{Inflate, InflateFlush, Status};

/// How many more blocks may be inflated, by all that share it.
#[derive(Debug)]
pub(super) struct Blocks(AtomicU32);

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

/// Inflates one stream after another.
pub(super) struct Inflater {
    inflate: Inflate,
    buffer: Vec<u8>,
}

impl Blocks {
    pub(super) fn new(max: u32) -> Self {
        Self(AtomicU32::new(max))
    }

    fn take(&self) -> Result<(), InflateFault> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.map(|_| ()).map_err(|_| InflateFault::TooManyBlocks)
    }
}

impl Default for Inflater {
    fn default() -> Self {
        const WINDOW_BITS: u8 = 15;
        const PIECE: usize = 64 * 1024;
        Self { inflate: Inflate::new(false, WINDOW_BITS), buffer: vec![0; PIECE] }
    }
}

impl Inflater {
    /// Inflates a stream that comes in parts, and passes its bytes on until it ends or `take` wants no more. Returns how
    /// many bytes of the last part that was begun were read.
    pub(super) fn run<'p>(
        &mut self,
        parts: impl IntoIterator<Item = &'p [u8]>,
        wrapping: Wrapping,
        blocks: &Blocks,
        mut take: impl FnMut(&[u8]) -> bool,
    ) -> Result<usize, InflateFault> {
        let Self { inflate, buffer } = self;
        inflate.reset(wrapping == Wrapping::Zlib);
        for part in parts {
            let mut used = 0;
            loop {
                let (read, written) = (inflate.total_in(), inflate.total_out());
                let rest = part.get(used..).unwrap_or_default();
                // This mode returns at the end of each block, too.
                let status = inflate.decompress(rest, buffer, InflateFlush::Block);
                let status = status.map_err(|_| InflateFault::Damaged)?;
                let (read, written) = (to_usize(inflate.total_in() - read), to_usize(inflate.total_out() - written));
                used += read;
                if !take(buffer.get(..written).unwrap_or_default()) || status == Status::StreamEnd {
                    return Ok(used);
                }
                if read == 0 && written == 0 {
                    break;
                }
                if written < buffer.len() {
                    blocks.take()?;
                }
            }
        }
        Err(InflateFault::Damaged)
    }
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
        Inflater::default().run(parts.iter().copied(), Wrapping::None, &Blocks::new(blocks), |piece| {
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
    fn an_inflater_forgets_the_stream_before() {
        let mut inflater = Inflater::default();
        for content in [b"one".as_slice(), b"another", b""] {
            let mut found = Vec::new();
            let blocks = Blocks::new(9);
            // The stream before may have been left at any place.
            let _ = inflater.run([b"\x4b".as_slice()], Wrapping::None, &blocks, |_| true);
            let mut take = |piece: &[u8]| {
                found.extend_from_slice(piece);
                true
            };
            inflater.run([deflated(content).as_slice()], Wrapping::None, &blocks, &mut take).unwrap();
            assert_eq!(found, content);
        }
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
