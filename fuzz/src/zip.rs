//! A zip of stored entries, sound in all but what the entries are called and hold.

use bytes::Bytes;

/// What to put into the zip.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) executable: bool,
    pub(crate) content: &'a [u8],
}

impl<'a> Entry<'a> {
    pub(crate) fn file(name: &'a [u8], content: &'a [u8]) -> Self {
        Self { name, executable: false, content }
    }
}

pub(crate) fn of(entries: &[Entry<'_>]) -> Bytes {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for Entry { name, executable, content } in entries {
        let name = &name[..name.len().min(usize::from(u16::MAX))];
        let offset = number(zip.len());
        // Flags (UTF-8), method, date and time, checksum, both sizes, length of the name, no extra field.
        let mut common = [0, 0x800_u16, 0].map(u16::to_le_bytes).concat();
        common[..2].copy_from_slice(&20_u16.to_le_bytes());
        common.extend(
            [0, crc32fast::hash(content), number(content.len()), number(content.len())].map(u32::to_le_bytes).concat(),
        );
        common.extend([u16::try_from(name.len()).unwrap_or_default(), 0].map(u16::to_le_bytes).concat());
        zip.extend([b"PK\x03\x04".as_slice(), &common, name, content].concat());

        let mode: u32 = if *executable { 0o100_755 } else { 0o100_644 };
        let mode = if name.ends_with(b"/") { 0o040_755 } else { mode };
        // Comment, disk and internal attributes are absent.
        directory.extend([b"PK\x01\x02\x14\x03".as_slice(), &common, &[0; 6]].concat());
        directory.extend([mode << 16, offset].map(u32::to_le_bytes).concat());
        directory.extend_from_slice(name);
    }
    let count = u16::try_from(entries.len()).unwrap_or(u16::MAX).to_le_bytes();
    let (size, offset) = (number(directory.len()).to_le_bytes(), number(zip.len()).to_le_bytes());
    zip.extend([&directory, b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &size, &offset, b"\0\0"].concat());
    zip.into()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
