//! The records of the zip format, as far as the rules look at them (APPNOTE 6.3.10 § 4.3 to 4.5).

use super::cursor::Cursor;

pub(super) const LOCAL_HEADER: u32 = 0x0403_4b50;
pub(super) const CENTRAL_HEADER: u32 = 0x0201_4b50;
pub(super) const DATA_DESCRIPTOR: u32 = 0x0807_4b50;
pub(super) const END: u32 = 0x0605_4b50;
pub(super) const ZIP64_END: u32 = 0x0606_4b50;
pub(super) const ZIP64_LOCATOR: u32 = 0x0706_4b50;

/// The end record without its comment, in bytes.
pub(super) const END_LEN: usize = 22;
/// The zip64 locator, in bytes.
pub(super) const ZIP64_LOCATOR_LEN: usize = 20;
/// The zip64 end record without extensible data, in bytes.
pub(super) const ZIP64_END_LEN: usize = 56;

const ZIP64_EXTRA: u16 = 0x0001;
const UNICODE_PATH_EXTRA: u16 = 0x7075;

/// The general purpose flags that change what an entry is; the rest are hints to the compressor.
pub(super) const MEANINGFUL_FLAGS: u16 = ENCRYPTION_FLAGS | DESCRIPTOR_FLAG | UTF8_FLAG;
pub(super) const ENCRYPTION_FLAGS: u16 = 1 | 1 << 6 | 1 << 13;
pub(super) const DESCRIPTOR_FLAG: u16 = 1 << 3;
const UTF8_FLAG: u16 = 1 << 11;

/// What the central and the local header both say about an entry; sizes are those of zip64 where it applies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header<'a> {
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc32: u32,
    pub(super) packed_size: u64,
    pub(super) size: u64,
    pub(super) name: &'a [u8],
    pub(super) extra: Extra<'a>,
}

/// An entry of the central directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct CentralHeader<'a> {
    pub(super) header: Header<'a>,
    pub(super) disk: u32,
    pub(super) external_attributes: u32,
    pub(super) local_offset: u64,
}

/// The extra fields that the rules look at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extra<'a> {
    zip64: Option<&'a [u8]>,
    unicode_path: Option<&'a [u8]>,
    /// A field is cut off, or one that decides something stands there twice.
    pub(super) malformed: bool,
}

/// Where the central directory is and how many entries it has, by the end record or the zip64 end record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EndRecord {
    pub(super) disk: u32,
    pub(super) directory_disk: u32,
    pub(super) entries_here: u64,
    pub(super) entries: u64,
    pub(super) directory_size: u64,
    pub(super) directory_offset: u64,
}

impl<'a> CentralHeader<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        (cursor.u32()? == CENTRAL_HEADER).then_some(())?;
        let _versions = cursor.u32()?;
        let (flags, method) = (cursor.u16()?, cursor.u16()?);
        let _time = cursor.u32()?;
        let (crc32, packed_size, size) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let (name_len, extra_len, comment_len) = (cursor.u16()?, cursor.u16()?, cursor.u16()?);
        let disk = cursor.u16()?;
        let _internal_attributes = cursor.u16()?;
        let (external_attributes, local_offset) = (cursor.u32()?, cursor.u32()?);
        let name = cursor.bytes(name_len.into())?;
        let extra = Extra::read(cursor.bytes(extra_len.into())?);
        let _comment = cursor.bytes(comment_len.into())?;

        let mut zip64 = extra.zip64_values();
        let size = zip64.replace_saturated(size);
        let packed_size = zip64.replace_saturated(packed_size);
        let local_offset = zip64.replace_saturated(local_offset);
        let disk = if disk == u16::MAX { zip64.0.u32().unwrap_or(disk.into()) } else { disk.into() };
        let header = Header { flags, method, crc32, packed_size, size, name, extra };
        Some(Self { header, disk, external_attributes, local_offset })
    }
}

impl<'a> Header<'a> {
    /// Reads a local header, leaving the cursor at the entry's data.
    pub(super) fn read_local(cursor: &mut Cursor<'a>) -> Option<Self> {
        (cursor.u32()? == LOCAL_HEADER).then_some(())?;
        let _version = cursor.u16()?;
        let (flags, method) = (cursor.u16()?, cursor.u16()?);
        let _time = cursor.u32()?;
        let (crc32, packed_size, size) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let (name_len, extra_len) = (cursor.u16()?, cursor.u16()?);
        let name = cursor.bytes(name_len.into())?;
        let extra = Extra::read(cursor.bytes(extra_len.into())?);

        let mut zip64 = extra.zip64_values();
        let size = zip64.replace_saturated(size);
        let packed_size = zip64.replace_saturated(packed_size);
        Some(Self { flags, method, crc32, packed_size, size, name, extra })
    }

    pub(super) fn has_descriptor(&self) -> bool {
        self.flags & DESCRIPTOR_FLAG != 0
    }
}

impl<'a> Extra<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        let mut extra = Self::default();
        let mut rest = Cursor::at(bytes, 0);
        while let Some(cursor) = rest.as_mut().filter(|cursor| cursor.remaining() > 0) {
            let field = cursor.u16().zip(cursor.u16()).and_then(|(id, len)| Some((id, cursor.bytes(len.into())?)));
            let seen_before = match field {
                Some((ZIP64_EXTRA, data)) => extra.zip64.replace(data).is_some(),
                Some((UNICODE_PATH_EXTRA, data)) => extra.unicode_path.replace(data).is_some(),
                Some(_) => false,
                None => {
                    extra.malformed = true;
                    break;
                }
            };
            extra.malformed |= seen_before;
        }
        extra
    }

    /// The name that the Unicode Path field gives instead of the header's, after its version byte and checksum.
    pub(super) fn unicode_name(&self) -> Option<&'a [u8]> {
        self.unicode_path.map(|data| data.get(5..).unwrap_or_default())
    }

    /// Whether there is a zip64 field, whatever it holds.
    pub(super) fn has_zip64(&self) -> bool {
        self.zip64.is_some()
    }

    fn zip64_values(&self) -> Zip64Values<'a> {
        Zip64Values(Cursor::at(self.zip64.unwrap_or_default(), 0).unwrap_or(Cursor::EMPTY))
    }
}

/// The values of a zip64 extra field: one for each saturated 32-bit field, in the fields' order.
struct Zip64Values<'a>(Cursor<'a>);

impl Zip64Values<'_> {
    /// A saturated field without its value keeps meaning 4 GiB - 1, which no limit admits.
    fn replace_saturated(&mut self, field: u32) -> u64 {
        if field == u32::MAX { self.0.u64().unwrap_or(field.into()) } else { field.into() }
    }
}

impl EndRecord {
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Option<(Self, u16)> {
        (cursor.u32()? == END).then_some(())?;
        let record = Self {
            disk: cursor.u16()?.into(),
            directory_disk: cursor.u16()?.into(),
            entries_here: cursor.u16()?.into(),
            entries: cursor.u16()?.into(),
            directory_size: cursor.u32()?.into(),
            directory_offset: cursor.u32()?.into(),
        };
        Some((record, cursor.u16()?))
    }

    /// Reads the zip64 end record; one with extensible data (encrypted directories) is none.
    pub(super) fn read_zip64(cursor: &mut Cursor<'_>) -> Option<Self> {
        (cursor.u32()? == ZIP64_END).then_some(())?;
        let len_after_this_field = (ZIP64_END_LEN - 12) as u64;
        (cursor.u64()? == len_after_this_field).then_some(())?;
        let _versions = cursor.u32()?;
        Some(Self {
            disk: cursor.u32()?,
            directory_disk: cursor.u32()?,
            entries_here: cursor.u64()?,
            entries: cursor.u64()?,
            directory_size: cursor.u64()?,
            directory_offset: cursor.u64()?,
        })
    }

    /// Whether each field that is not saturated says what the zip64 record says.
    pub(super) fn agrees_with(&self, zip64: &Self) -> bool {
        let same = |short: u64, max: u64, long: u64| short == max || short == long;
        let (u16_max, u32_max) = (u64::from(u16::MAX), u64::from(u32::MAX));
        same(self.disk.into(), u16_max, zip64.disk.into())
            && same(self.directory_disk.into(), u16_max, zip64.directory_disk.into())
            && same(self.entries_here, u16_max, zip64.entries_here)
            && same(self.entries, u16_max, zip64.entries)
            && same(self.directory_size, u32_max, zip64.directory_size)
            && same(self.directory_offset, u32_max, zip64.directory_offset)
    }
}
