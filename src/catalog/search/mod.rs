//! Text search: what a query means, and what the index holds.
//!
//! One row of words for each role that has a latest version, written in the transaction that changes which version that
//! is ([`index`]). Texts and queries are split alike ([`words`]), so that no character of a query is ever an operator.
//! Only when no role holds all words, a Latin word may be one edit away from a word of a title ([`typos`]).

mod index;
mod query;
mod typos;
mod words;

pub(super) use index::{move_to, rebuild_if_outdated};
pub use query::SearchText;
pub(super) use query::Wanted;
