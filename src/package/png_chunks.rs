//! The chunks of a PNG beside its pixels.
//!
//! Decoders leave texts packed, so whoever reads them later must not be flooded; and they stop at the last pixel, so the
//! end of the file is looked for here.

use std::io::{self, Read as _};

use flate2::read::ZlibDecoder;

use super::inflate::{Blocks, InflateFault, Inflater, Wrapping};

/// What the texts, the colour profile and other chunks beside the pixels may have in the file, in bytes: decoders keep
/// each chunk, however small.
const MAX_BESIDE: usize = 4 * 1024 * 1024;

/// What the texts and the colour profile may unpack to, in bytes.
pub(super) const MAX_UNPACKED_BESIDE: u64 = 16 * 1024 * 1024;

/// The most blocks of the pixels' stream; compressors make one for some thousand bytes.
const MAX_BLOCKS: u32 = 50_000;

/// Why a decoder should not even see the file, whose own limits would not stop it.
pub(super) fn distrust(png: &[u8]) -> Option<&'static str> {
    if have_too_much_beside(png) {
        Some("it holds more than 4 MiB beside its pixels, or too many chunks")
    } else if unpack_beyond(png, MAX_UNPACKED_BESIDE) {
        Some("its texts or its colour profile unpack to too many bytes")
    } else {
        None
    }
}

fn have_too_much_beside(png: &[u8]) -> bool {
    const FRAME_LEN: usize = 12;
    let beside = chunks(png).map(|(kind, data)| match &kind {
        b"IDAT" | b"fdAT" => FRAME_LEN,
        _ => FRAME_LEN + data.len(),
    });
    beside.sum::<usize>() > MAX_BESIDE
}

/// How many bytes the pixels have in the file.
pub(super) fn packed_pixels(png: &[u8]) -> usize {
    pixels(png).map(<[u8]>::len).sum()
}

/// Whether the pixels are compressed in more blocks than a decoder can be asked to read.
pub(super) fn are_cut_into_blocks(png: &[u8]) -> bool {
    Inflater::default().run(pixels(png), Wrapping::Zlib, &Blocks::new(MAX_BLOCKS), |_| true)
        == Err(InflateFault::TooManyBlocks)
}

fn pixels(png: &[u8]) -> impl Iterator<Item = &[u8]> {
    chunks(png).filter(|(kind, _)| kind == b"IDAT").map(|(_, data)| data)
}

/// Whether the texts and the colour profile unpack to more than `max` bytes together.
fn unpack_beyond(png: &[u8], max: u64) -> bool {
    let mut left = max;
    for (kind, data) in chunks(png) {
        if let Some(packed) = packed_part(kind, data) {
            let mut text = ZlibDecoder::new(packed).take(left.saturating_add(1));
            // A damaged stream counts as far as it can be unpacked.
            let _ = io::copy(&mut text, &mut io::sink());
            match left.checked_sub(left.saturating_add(1) - text.limit()) {
                Some(still) => left = still,
                None => return true,
            }
        }
    }
    false
}

/// Whether the last chunk of the format is there.
pub(super) fn reach_the_end(png: &[u8]) -> bool {
    chunks(png).any(|(kind, _)| kind == *b"IEND")
}

/// Types and data of the chunks that are there as a whole.
fn chunks(png: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    const SIGNATURE_LEN: usize = 8;
    let mut rest = png.get(SIGNATURE_LEN..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (kind, data, after) = next_chunk(rest)?;
        rest = after;
        Some((kind, data))
    })
}

/// A chunk's type and data, and what follows its checksum.
fn next_chunk(bytes: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    const CHECKSUM_LEN: usize = 4;
    let (length, bytes) = bytes.split_first_chunk()?;
    let (kind, bytes) = bytes.split_first_chunk()?;
    let (data, bytes) = bytes.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    Some((*kind, data, bytes.get(CHECKSUM_LEN..)?))
}

/// The zlib stream in a chunk of text or of a colour profile (PNG § 11.3).
fn packed_part<'p>(kind: [u8; 4], data: &'p [u8]) -> Option<&'p [u8]> {
    let after_nul = |data: &'p [u8]| data.get(data.iter().position(|byte| *byte == 0)? + 1..);
    match &kind {
        b"zTXt" | b"iCCP" => after_nul(data)?.get(1..),
        b"iTXt" => match after_nul(data)? {
            [1, _, languages @ ..] => after_nul(after_nul(languages)?),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::ZlibEncoder;

    /// A PNG's frame around one chunk.
    fn png(kind: [u8; 4], head: &[u8], text: &[u8]) -> Vec<u8> {
        let mut packed = head.to_vec();
        ZlibEncoder::new(text, Compression::best()).read_to_end(&mut packed).unwrap();
        let length = u32::try_from(packed.len()).unwrap().to_be_bytes();
        [b"\x89PNG\r\n\x1a\n".as_slice(), &length, &kind, &packed, &[0; 4]].concat()
    }

    #[test]
    fn each_kind_of_packed_chunk_is_measured() {
        for (kind, head) in [
            (*b"zTXt", b"Comment\0\0".as_slice()),
            (*b"iCCP", b"Profile\0\0"),
            (*b"iTXt", b"Comment\0\x01\0en\0Kommentar\0"),
        ] {
            let png = png(kind, head, &[b'a'; 1000]);
            assert!(!unpack_beyond(&png, 1000), "{kind:?}");
            assert!(unpack_beyond(&png, 999), "{kind:?}");
        }
        assert!(!unpack_beyond(&png(*b"tEXt", b"Comment\0", &[b'a'; 1000]), 0));
        assert!(!unpack_beyond(b"", 0));
    }
}
