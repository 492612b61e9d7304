//! Whether a picture's file is whole. Decoders stop at the last pixel, or paint what is missing grey; a file that was
//! cut off is refused instead.

use image::ImageFormat;

use super::png_chunks;

/// Whether the file ends before its format says so. A file that is laid out in another way is left to the decoder.
pub(super) fn is_cut_off(format: ImageFormat, bytes: &[u8]) -> bool {
    match format {
        ImageFormat::Png => !png_chunks::reach_the_end(bytes),
        ImageFormat::Jpeg => jpeg(bytes),
        ImageFormat::Gif => gif(bytes),
        ImageFormat::WebP => webp(bytes),
        _ => false,
    }
}

/// Whether no end marker follows the first scan.
fn jpeg(bytes: &[u8]) -> bool {
    let mut position = 2;
    while let Some([0xFF, marker, high, low]) = bytes.get(position..position + 4) {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        position += 2 + length;
        if *marker == 0xDA {
            // In a scan's data every other FF is followed by 00, so this pair is the marker.
            let data = bytes.get(position..).unwrap_or_default();
            return !data.windows(2).any(|pair| pair == [0xFF, 0xD9]);
        }
    }
    false
}

/// Whether the blocks break off before the trailer (`GIF89a` § 13 to 27).
fn gif(bytes: &[u8]) -> bool {
    const SCREEN_END: usize = 13;
    const DESCRIPTOR_LEN: usize = 10;
    let table_len = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let Some(flags) = bytes.get(10) else { return true };
    let mut position = SCREEN_END + table_len(*flags);
    loop {
        position += match bytes.get(position) {
            // An extension: its label.
            Some(0x21) => 2,
            // An image: its descriptor, its colour table, the size of its codes.
            Some(0x2C) => match bytes.get(position + DESCRIPTOR_LEN - 1) {
                Some(flags) => DESCRIPTOR_LEN + table_len(*flags) + 1,
                None => return true,
            },
            Some(_) => return false,
            None => return true,
        };
        // Data blocks, the last of them empty.
        loop {
            match bytes.get(position) {
                Some(0) => break,
                Some(len) => position += 1 + usize::from(*len),
                None => return true,
            }
        }
        position += 1;
    }
}

/// Whether the container is longer than the file.
fn webp(bytes: &[u8]) -> bool {
    const HEADER_LEN: usize = 8;
    let length = bytes.get(4..).and_then(|bytes| bytes.first_chunk());
    let length = length.and_then(|length| usize::try_from(u32::from_le_bytes(*length)).ok());
    length.is_none_or(|length| bytes.len() - HEADER_LEN < length)
}
