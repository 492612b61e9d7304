//! Reading little-endian numbers from bytes that may end at any point.

/// A position in a slice; every read is bounds-checked and moves forward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(super) const EMPTY: Self = Self(&[]);

    /// Starts at `offset`, or nowhere when that lies outside.
    pub(super) fn at(bytes: &'a [u8], offset: usize) -> Option<Self> {
        bytes.get(offset..).map(Self)
    }

    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// How many bytes are left.
    pub(super) fn remaining(&self) -> usize {
        self.0.len()
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }
}
