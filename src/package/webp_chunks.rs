//! The chunks of a WebP file (RFC 9649 § 2).

/// The most bytes of one losslessly coded part. Its codes may differ from tile to tile (RFC 9649 § 3.7.2.2), and the
/// decoder builds the tables of all of them: some three hundred bytes for each byte of the file.
const MAX_LOSSLESS: usize = 640 * 1024;

/// Whether a losslessly coded picture or alpha channel is larger than a decoder can be trusted with.
pub(super) fn is_too_large(webp: &[u8]) -> bool {
    const FILE_HEADER: usize = 12;
    has_large_part(webp.get(FILE_HEADER..).unwrap_or_default())
}

fn has_large_part(mut rest: &[u8]) -> bool {
    const FRAME_HEADER: usize = 16;
    while let Some((kind, data, after)) = next_chunk(rest) {
        let is_large = match &kind {
            b"VP8L" => data.len() > MAX_LOSSLESS,
            // The low bits of its first byte tell whether it is coded at all.
            b"ALPH" => data.first().is_some_and(|flags| flags & 3 != 0) && data.len() > MAX_LOSSLESS,
            b"ANMF" => has_large_part(data.get(FRAME_HEADER..).unwrap_or_default()),
            _ => false,
        };
        if is_large {
            return true;
        }
        rest = after;
    }
    false
}

/// A chunk's type and data, as far as it is there, and what follows it.
fn next_chunk(bytes: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    let (kind, bytes) = bytes.split_first_chunk()?;
    let (length, bytes) = bytes.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (data, after) = bytes.split_at(length.min(bytes.len()));
    // Data of an odd length is followed by a byte that fills up.
    Some((*kind, data, after.get(length % 2..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_le_bytes();
        [kind, &length, data, &vec![0; data.len() % 2]].concat()
    }

    #[test]
    fn large_lossless_parts_are_found_wherever_they_are() {
        let (small, large) = (vec![1; MAX_LOSSLESS], vec![1; MAX_LOSSLESS + 1]);
        let file = |chunks: &[u8]| [b"RIFF\0\0\0\0WEBP", chunks].concat();
        for kind in [b"VP8L", b"ALPH"] {
            assert!(!is_too_large(&file(&chunk(kind, &small))));
            let beside = [chunk(b"EXIF", b"odd"), chunk(kind, &large)].concat();
            assert!(is_too_large(&file(&beside)));
            let frame = [vec![0; 16], chunk(kind, &large)].concat();
            assert!(is_too_large(&file(&chunk(b"ANMF", &frame))));
        }
        assert!(!is_too_large(&file(&chunk(b"VP8 ", &large))));
        assert!(!is_too_large(&file(&chunk(b"ALPH", &vec![0; MAX_LOSSLESS + 1]))));
        assert!(!is_too_large(b"RIFF"));
    }
}
