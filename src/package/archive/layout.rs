//! How a zip's parts lie in its bytes (rules A01, A05): every byte belongs to exactly one part.
//!
//! `local header, data, descriptor` of each entry, from byte 0 on · central directory · zip64 end record and locator ·
//! end record with its comment, which ends the file. A reader that streams and one that seeks then see the same files.

use super::cursor::Cursor;
use super::records::{
    CENTRAL_HEADER, CentralHeader, DATA_DESCRIPTOR, ENCRYPTION_FLAGS, END, END_LEN, EndRecord, Header, LOCAL_HEADER,
    MEANINGFUL_FLAGS, ZIP64_END, ZIP64_END_LEN, ZIP64_LOCATOR, ZIP64_LOCATOR_LEN,
};

/// An entry as its headers describe it.
#[derive(Debug)]
pub(super) struct RawEntry<'a> {
    /// The name, in no particular encoding.
    pub(super) name: &'a [u8],
    /// The name by the Unicode Path extra field of either header, when that differs.
    pub(super) other_name: Option<&'a [u8]>,
    pub(super) method: u16,
    pub(super) crc32: u32,
    /// The declared unpacked size.
    pub(super) size: u64,
    /// Where the packed data begins in the zip.
    pub(super) data_offset: usize,
    pub(super) packed: &'a [u8],
    /// Unix mode and DOS attributes.
    pub(super) external_attributes: u32,
    /// Why it cannot be trusted (rule A05).
    pub(super) faults: Vec<String>,
}

impl RawEntry<'_> {
    pub(super) fn is_deflated(&self) -> bool {
        self.method == 8
    }
}

/// Why the bytes are not a zip that could be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LayoutFault {
    /// Rule A01, with the reason.
    Invalid(&'static str),
    /// Rule A02: more entries than this.
    TooManyEntries(u64),
}

use LayoutFault::Invalid;

/// Reads the entries in the order in which they lie in the file.
pub(super) fn read(zip: &[u8], max_entries: u64) -> Result<Vec<RawEntry<'_>>, LayoutFault> {
    let (end, directory_end) = find_end(zip)?;
    let mut headers = central_directory(zip, &end, directory_end, max_entries)?;
    headers.sort_by_key(|header| header.local_offset);

    let directory_start = to_usize(end.directory_offset)?;
    let mut entries = Vec::new();
    let mut position = 0;
    let mut headers = headers.into_iter().peekable();
    while let Some(central) = headers.next() {
        if to_usize(central.local_offset)? != position {
            return Err(if entries.is_empty() {
                Invalid("the first entry does not begin at the first byte")
            } else {
                Invalid("the entries overlap, or bytes lie between them")
            });
        }
        let end = headers.peek().map_or(Ok(directory_start), |next| to_usize(next.local_offset))?;
        let part = zip.get(..end).ok_or(Invalid("an entry lies outside the file"))?;
        entries.push(entry(part, position, &central)?);
        position = end;
    }
    if position != directory_start {
        return Err(Invalid("bytes lie between the entries and the central directory"));
    }
    Ok(entries)
}

/// Finds the end record, by zip64 where that is in use, and the offset where the central directory must end.
fn find_end(zip: &[u8]) -> Result<(EndRecord, usize), LayoutFault> {
    const NOT_A_ZIP: LayoutFault = Invalid("it has no complete end record, so it is no zip or was cut off");
    const MAX_COMMENT: usize = u16::MAX as usize;

    let tail_start = zip.len().saturating_sub(END_LEN + MAX_COMMENT);
    let tail = zip.get(tail_start..).unwrap_or_default();
    let end_offset = tail_start + tail.windows(4).rposition(|window| window == END.to_le_bytes()).ok_or(NOT_A_ZIP)?;
    let mut cursor = Cursor::at(zip, end_offset).ok_or(NOT_A_ZIP)?;
    let (record, comment_len) = EndRecord::read(&mut cursor).ok_or(NOT_A_ZIP)?;
    match cursor.remaining().cmp(&usize::from(comment_len)) {
        std::cmp::Ordering::Less => return Err(NOT_A_ZIP),
        std::cmp::Ordering::Greater => return Err(Invalid("bytes follow the end record")),
        std::cmp::Ordering::Equal => {}
    }
    let comment = cursor.bytes(comment_len.into()).unwrap_or_default();
    let signatures = [LOCAL_HEADER, CENTRAL_HEADER, ZIP64_END, ZIP64_LOCATOR].map(u32::to_le_bytes);
    if comment.windows(4).any(|window| signatures.iter().any(|signature| window == signature)) {
        return Err(Invalid("the archive comment holds parts of another archive"));
    }

    let (end, directory_end) = match zip64_end(zip, end_offset)? {
        Some((zip64, offset)) if record.agrees_with(&zip64) => (zip64, offset),
        Some(_) => return Err(Invalid("the end record and the zip64 end record disagree")),
        None => (record, end_offset),
    };
    if end.disk != 0 || end.directory_disk != 0 {
        return Err(Invalid("it is one part of a split archive"));
    }
    if end.entries_here != end.entries {
        return Err(Invalid("the end record counts its entries in two ways"));
    }
    if end.directory_offset.checked_add(end.directory_size) != Some(directory_end as u64) {
        return Err(Invalid("the central directory is not where the end record says"));
    }
    Ok((end, directory_end))
}

/// The zip64 end record and its offset, when a locator stands before the end record.
fn zip64_end(zip: &[u8], end_offset: usize) -> Result<Option<(EndRecord, usize)>, LayoutFault> {
    const BROKEN: LayoutFault = Invalid("the zip64 end record is not where it belongs");

    let Some(locator_offset) = end_offset.checked_sub(ZIP64_LOCATOR_LEN) else { return Ok(None) };
    let mut locator = Cursor::at(zip, locator_offset).ok_or(BROKEN)?;
    if locator.u32() != Some(ZIP64_LOCATOR) {
        return Ok(None);
    }
    let (disk, offset, disks) = (locator.u32(), locator.u64(), locator.u32());
    let record_offset = locator_offset.checked_sub(ZIP64_END_LEN).ok_or(BROKEN)?;
    if disk != Some(0) || disks.is_none_or(|disks| disks > 1) || offset != Some(record_offset as u64) {
        return Err(BROKEN);
    }
    let mut cursor = Cursor::at(zip, record_offset).ok_or(BROKEN)?;
    EndRecord::read_zip64(&mut cursor).map(|record| Some((record, record_offset))).ok_or(BROKEN)
}

fn central_directory<'a>(
    zip: &'a [u8],
    end: &EndRecord,
    directory_end: usize,
    max_entries: u64,
) -> Result<Vec<CentralHeader<'a>>, LayoutFault> {
    const BROKEN: LayoutFault = Invalid("the central directory is damaged");

    let bytes = zip.get(to_usize(end.directory_offset)?..directory_end).ok_or(BROKEN)?;
    let mut cursor = Cursor::at(bytes, 0).ok_or(BROKEN)?;
    let mut headers = Vec::new();
    while cursor.remaining() > 0 {
        let header = CentralHeader::read(&mut cursor).ok_or(BROKEN)?;
        if header.disk != 0 {
            return Err(Invalid("it is one part of a split archive"));
        }
        headers.push(header);
        if headers.len() as u64 > max_entries {
            return Err(LayoutFault::TooManyEntries(max_entries));
        }
    }
    if headers.len() as u64 == end.entries {
        Ok(headers)
    } else {
        Err(Invalid("the end record announces another number of entries than there are"))
    }
}

/// Reads the entry that fills `part` from `offset` to its end.
fn entry<'a>(part: &'a [u8], offset: usize, central: &CentralHeader<'a>) -> Result<RawEntry<'a>, LayoutFault> {
    const OVERLAP: LayoutFault = Invalid("an entry reaches into the next one");

    let mut cursor = Cursor::at(part, offset).ok_or(OVERLAP)?;
    let local = Header::read_local(&mut cursor).ok_or(Invalid("an entry has no local header"))?;
    let header = &central.header;
    let data_offset = part.len() - cursor.remaining();
    let packed = cursor.bytes(to_usize(header.packed_size)?).ok_or(OVERLAP)?;

    let mut faults = header_faults(header, &local);
    if header.has_descriptor() {
        match descriptor_matches(cursor, header, local.extra.has_zip64()) {
            Some(true) => {}
            Some(false) => faults.push("its data descriptor disagrees with the central directory".to_owned()),
            None => return Err(Invalid("bytes lie between the entries")),
        }
    } else if cursor.remaining() > 0 {
        return Err(Invalid("bytes lie between the entries"));
    }

    let other_name =
        [header, &local].into_iter().filter_map(|header| header.extra.unicode_name()).find(|name| *name != header.name);
    Ok(RawEntry {
        name: header.name,
        other_name,
        method: header.method,
        crc32: header.crc32,
        size: header.size,
        data_offset,
        packed,
        external_attributes: central.external_attributes,
        faults,
    })
}

/// What is wrong with an entry by its two headers alone (rule A05).
fn header_faults(central: &Header<'_>, local: &Header<'_>) -> Vec<String> {
    // With a data descriptor the local header may leave these open.
    let open = |value: u64| local.has_descriptor() && value == 0;
    let agree = |local: u64, central: u64| local == central || open(local);
    let mut faults = Vec::new();
    let mut fault_if = |wrong: bool, text: &str| {
        if wrong {
            faults.push(text.to_owned());
        }
    };
    fault_if(central.flags & ENCRYPTION_FLAGS != 0, "it is encrypted");
    fault_if(
        !matches!(central.method, 0 | 8),
        "it is compressed by another method than deflate; only stored and deflated files can be read everywhere",
    );
    fault_if(central.name != local.name, "its name differs between the local header and the central directory");
    fault_if(central.method != local.method, "its compression method differs between both headers");
    fault_if((central.flags ^ local.flags) & MEANINGFUL_FLAGS != 0, "its flags differ between both headers");
    fault_if(!agree(local.crc32.into(), central.crc32.into()), "its checksum differs between both headers");
    fault_if(
        !agree(local.packed_size, central.packed_size) || !agree(local.size, central.size),
        "its size differs between both headers",
    );
    fault_if(central.extra.malformed || local.extra.malformed, "its extra fields are damaged");
    faults
}

/// Whether the rest is a data descriptor (with or without signature) that says what the central directory says; nothing
/// when its length is that of no descriptor.
///
/// Its sizes have 64 bits where the local header has a zip64 field, and only there (APPNOTE § 4.3.9.2): a reader that
/// streams knows nothing else to go by.
fn descriptor_matches(mut rest: Cursor<'_>, header: &Header<'_>, has_zip64: bool) -> Option<bool> {
    let (signature, wide) = match rest.remaining() {
        // A flag without a descriptor misleads readers that stream.
        0 => return Some(false),
        12 => (false, false),
        16 => (true, false),
        20 => (false, true),
        24 => (true, true),
        _ => return None,
    };
    let signed = !signature || rest.u32() == Some(DATA_DESCRIPTOR);
    let crc32 = rest.u32();
    let mut size = || if wide { rest.u64() } else { rest.u32().map(u64::from) };
    let (packed_size, size) = (size(), size());
    Some(
        wide == has_zip64
            && signed
            && crc32 == Some(header.crc32)
            && packed_size == Some(header.packed_size)
            && size == Some(header.size),
    )
}

fn to_usize(number: u64) -> Result<usize, LayoutFault> {
    usize::try_from(number).map_err(|_| Invalid("an entry lies outside the file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &[u8] = b"role/a";
    const DATA: &[u8] = b"hello";

    /// What follows the data of an entry.
    #[derive(Clone, Copy)]
    struct Descriptor {
        signature: bool,
        wide: bool,
    }

    fn put(zip: &mut Vec<u8>, numbers: &[(u64, usize)]) {
        for (number, width) in numbers {
            zip.extend_from_slice(&number.to_le_bytes()[..*width]);
        }
    }

    /// One stored file, written by hand.
    fn zip(descriptor: Option<Descriptor>, comment: &[u8]) -> Vec<u8> {
        let (crc, len) = (u64::from(crc32fast::hash(DATA)), DATA.len() as u64);
        let flags = if descriptor.is_some() { 8 } else { 0 };
        let (local_crc, local_len) = if descriptor.is_some() { (0, 0) } else { (crc, len) };
        let mut zip = Vec::new();
        put(&mut zip, &[(LOCAL_HEADER.into(), 4), (20, 2), (flags, 2), (0, 2), (0, 4)]);
        let is_wide = descriptor.is_some_and(|descriptor| descriptor.wide);
        let extra_len = if is_wide { 20 } else { 0 };
        put(&mut zip, &[(local_crc, 4), (local_len, 4), (local_len, 4), (NAME.len() as u64, 2), (extra_len, 2)]);
        zip.extend_from_slice(NAME);
        if is_wide {
            put(&mut zip, &[(1, 2), (16, 2), (0, 8), (0, 8)]);
        }
        zip.extend_from_slice(DATA);
        if let Some(Descriptor { signature, wide }) = descriptor {
            if signature {
                put(&mut zip, &[(DATA_DESCRIPTOR.into(), 4)]);
            }
            let width = if wide { 8 } else { 4 };
            put(&mut zip, &[(crc, 4), (len, width), (len, width)]);
        }
        let directory = zip.len() as u64;
        put(&mut zip, &[(CENTRAL_HEADER.into(), 4), (20, 2), (20, 2), (flags, 2), (0, 2), (0, 4)]);
        put(
            &mut zip,
            &[(crc, 4), (len, 4), (len, 4), (NAME.len() as u64, 2), (0, 2), (0, 2), (0, 2), (0, 2), (0, 4), (0, 4)],
        );
        zip.extend_from_slice(NAME);
        let size = zip.len() as u64 - directory;
        put(&mut zip, &[(END.into(), 4), (0, 2), (0, 2), (1, 2), (1, 2), (size, 4), (directory, 4)]);
        put(&mut zip, &[(comment.len() as u64, 2)]);
        zip.extend_from_slice(comment);
        zip
    }

    fn every_form() -> Vec<Vec<u8>> {
        let descriptors = [(false, false), (true, false), (false, true), (true, true)];
        let descriptors = descriptors.map(|(signature, wide)| Some(Descriptor { signature, wide }));
        [None].into_iter().chain(descriptors).map(|descriptor| zip(descriptor, b"a comment")).collect()
    }

    #[test]
    fn every_form_of_descriptor_is_understood() {
        for zip in every_form() {
            let entries = read(&zip, 1).unwrap();
            assert_eq!((entries[0].packed, entries[0].faults.as_slice()), (DATA, [].as_slice()));
        }
    }

    #[test]
    fn a_byte_more_or_less_anywhere_breaks_the_archive() {
        for zip in every_form() {
            for position in 0..zip.len() {
                let (mut longer, mut shorter) = (zip.clone(), zip.clone());
                longer.insert(position, 0);
                shorter.remove(position);
                assert!(read(&longer, 9).is_err(), "one byte more at {position}");
                assert!(read(&shorter, 9).is_err(), "one byte less at {position}");
            }
            assert!(read(&[zip.as_slice(), &[0]].concat(), 9).is_err());
        }
    }

    #[test]
    fn a_descriptor_that_disagrees_is_a_fault_of_its_entry() {
        let mut zip = zip(Some(Descriptor { signature: true, wide: false }), b"");
        let crc = zip.windows(4).position(|window| window == DATA_DESCRIPTOR.to_le_bytes()).unwrap() + 4;
        zip[crc] ^= 1;
        assert_eq!(read(&zip, 9).unwrap()[0].faults.len(), 1);
    }

    #[test]
    fn a_descriptor_of_another_width_than_the_local_header_announces_is_a_fault() {
        let mut zip = zip(Some(Descriptor { signature: true, wide: true }), b"");
        let zip64_id = 30 + NAME.len();
        zip[zip64_id] = 2;
        assert_eq!(read(&zip, 9).unwrap()[0].faults.len(), 1);
    }

    #[test]
    fn an_archive_in_the_comment_or_behind_another_is_refused() {
        let inner = zip(None, b"");
        assert!(matches!(read(&zip(None, &inner), 9), Err(Invalid(_))));
        assert!(matches!(read(&[inner.clone(), inner].concat(), 9), Err(Invalid(_))));
        assert!(matches!(read(&zip(None, &LOCAL_HEADER.to_le_bytes()), 9), Err(Invalid(_))));
    }

    #[test]
    fn entries_are_counted_as_they_are_read() {
        assert_eq!(read(&zip(None, b""), 0).unwrap_err(), LayoutFault::TooManyEntries(0));
    }
}
