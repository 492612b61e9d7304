//! How much of everything: the numbers that bound hostile input.

/// The limits on a package, in bytes, counts and pixels. [`Limits::default`] holds the documented values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the zip.
    pub zip_bytes: u64,
    /// Bytes of all files together, unpacked.
    pub unpacked_bytes: u64,
    /// Bytes of one file, unpacked.
    pub file_bytes: u64,
    /// Entries in the archive, directories included.
    pub entries: u64,
    /// Unpacked bytes for each packed byte of one entry, once it is larger than [`Limits::ratio_floor_bytes`]; what one
    /// entry leaves of its allowance, another may use.
    pub ratio: u64,
    /// Files unpacked to no more than this many bytes are never refused for their ratio.
    pub ratio_floor_bytes: u64,
    /// Pixels of one picture.
    pub picture_pixels: u64,
    /// Pixels of all pictures of a package together.
    pub pictures_pixels: u64,
    /// Bytes of `agotalk.role.toml`.
    pub manifest_bytes: u64,
    /// Bytes of `role.md`.
    pub role_md_bytes: u64,
    /// Bytes of `uv.lock`.
    pub lockfile_bytes: u64,
    /// Issues that a report holds; the rest are counted.
    pub issues: usize,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            zip_bytes: 64 * MIB,
            unpacked_bytes: 256 * MIB,
            file_bytes: 64 * MIB,
            entries: 10_000,
            ratio: 200,
            ratio_floor_bytes: MIB,
            picture_pixels: 16_000_000,
            pictures_pixels: 24_000_000,
            manifest_bytes: MIB,
            role_md_bytes: MIB,
            lockfile_bytes: 8 * MIB,
            issues: 100,
        }
    }
}

impl Limits {
    /// The bytes that an entry of so many packed bytes may unpack to.
    #[must_use]
    pub fn unpacked_allowance(&self, packed_bytes: u64) -> u64 {
        packed_bytes.saturating_mul(self.ratio).max(self.ratio_floor_bytes)
    }
}
