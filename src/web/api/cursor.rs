//! Opaque cursors: where a page ended, and which listing it belongs to.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use serde::{Deserialize, Serialize};

use crate::catalog::Position;

/// A cursor's content. A client only hands it back; whatever it contains, it can at worst begin a page somewhere else.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// Sort and filters of the listing, in canonical form.
    listing: String,
    position: Position,
}

impl Cursor {
    /// The text for clients.
    #[must_use]
    pub(super) fn encode(listing: String, position: Position) -> String {
        let json = serde_json::to_vec(&Self { listing, position }).unwrap_or_default();
        BASE64.encode(json)
    }

    /// The position in a cursor that was made for this listing.
    #[must_use]
    pub(super) fn decode(text: &str, listing: &str) -> Option<Position> {
        let json = BASE64.decode(text).ok()?;
        let cursor: Self = serde_json::from_slice(&json).ok()?;
        (cursor.listing == listing).then_some(cursor.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cursors_read_back_and_belong_to_one_listing(key in any::<i64>(), id in "[a-z-]{1,9}") {
            for position in [Position::Number(key, id.clone()), Position::Text(id.clone(), id.clone())] {
                let text = Cursor::encode("name".to_owned(), position.clone());
                prop_assert_eq!(Cursor::decode(&text, "name"), Some(position));
                prop_assert_eq!(Cursor::decode(&text, "new"), None);
            }
        }

        #[test]
        fn no_text_upsets_the_decoder(text in ".{0,80}") {
            let _ = Cursor::decode(&text, "name");
        }
    }
}
