//! The site's languages (layer 1): which there are, what they say, how they write numbers and dates.
//!
//! A request's language comes from the path ([`SiteLocale::from_path_segment`]); only the site root asks the browser
//! ([`negotiate()`]). Messages are Fluent files in `locales/`, embedded in the binary; a message that a language lacks is
//! read in English, and a test proves that none lacks any. A role's own texts are chosen by [`pick_text`].

mod format;
mod likely;
mod locale;
mod messages;
mod negotiate;
mod role_text;

pub use locale::{Direction, PathLocale, SiteLocale, native_language_name};
pub use messages::{Argument, MessageId};
pub use negotiate::negotiate;
pub use role_text::{ShownText, canonical_text, pick_text};
