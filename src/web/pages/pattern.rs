//! The quiet pattern that stands in for a cover: quarter discs, chosen by the role's id.

use std::fmt;

use askama::filters::HtmlSafe;

use crate::domain::{RoleId, Sha256Digest};

const PALETTES: u8 = 6;

/// An inline SVG; the same id always gives the same picture. Its colours come from the style sheet (`p0` to `p5`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    columns: usize,
    rows: usize,
    palette: u8,
    full: String,
    pale: String,
}

impl HtmlSafe for Pattern {}

impl Pattern {
    /// For a card, in place of its cover.
    pub(super) fn card(id: &RoleId) -> Self {
        Self::of(id, 6, 3)
    }

    /// For the role's page, in place of its pictures.
    pub(super) fn banner(id: &RoleId) -> Self {
        Self::of(id, 12, 2)
    }

    fn of(id: &RoleId, columns: usize, rows: usize) -> Self {
        let digest = Sha256Digest::of(id.as_str().as_bytes());
        let [first, tiles @ ..] = *digest.as_bytes();
        let mut pattern = Self { columns, rows, palette: first % PALETTES, full: String::new(), pale: String::new() };
        for (place, seed) in tiles.iter().take(columns * rows).enumerate() {
            let disc = quarter_disc(place % columns, place / columns, seed & 3);
            match (seed >> 2) & 7 {
                0 | 1 => pattern.full.push_str(&disc),
                2..=5 => pattern.pale.push_str(&disc),
                _ => {}
            }
        }
        pattern
    }
}

/// A quarter of a disc that fills a tile from one of its corners.
fn quarter_disc(x: usize, y: usize, corner: u8) -> String {
    match corner {
        0 => format!("M{x} {y}h1a1 1 0 0 1-1 1z"),
        1 => format!("M{} {y}v1a1 1 0 0 1-1-1z", x + 1),
        2 => format!("M{} {}h-1a1 1 0 0 1 1-1z", x + 1, y + 1),
        _ => format!("M{x} {}v-1a1 1 0 0 1 1 1z", y + 1),
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { columns, rows, palette, full, pale } = self;
        write!(
            f,
            "<svg class=\"pattern p{palette}\" viewBox=\"0 0 {columns} {rows}\" preserveAspectRatio=\"xMidYMid slice\" \
             aria-hidden=\"true\"><path fill=\"currentColor\" d=\"{full}\"/>\
             <path fill=\"currentColor\" fill-opacity=\".35\" d=\"{pale}\"/></svg>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_keeps_its_pattern_and_others_have_their_own() {
        let pattern = |id| Pattern::card(&RoleId::parse(id).unwrap()).to_string();
        assert_eq!(pattern("words-john"), pattern("words-john"));
        assert_ne!(pattern("words-john"), pattern("words-joan"));
        assert!(!pattern("words-john").contains("style"));
    }
}
