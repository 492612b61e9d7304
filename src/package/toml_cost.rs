//! What a TOML text would cost in memory, before it is parsed.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The cost of a text, in words and signs, counted no further than just beyond `max`.
///
/// A parsed text takes many times its own bytes: a word or sign about a hundred, a table with one key above a thousand,
/// however few bytes it is written with.
pub(super) fn is_within(text: &str, max: usize) -> bool {
    const TABLE: usize = 20;
    const ARRAY: usize = 4;
    let mut left = max;
    let mut begins_line = true;
    for token in Source::new(text).lex() {
        let cost = match token.kind() {
            TokenKind::LeftCurlyBracket | TokenKind::Dot => TABLE,
            TokenKind::LeftSquareBracket if begins_line => TABLE,
            TokenKind::LeftSquareBracket => ARRAY,
            _ => 1,
        };
        let Some(rest) = left.checked_sub(cost) else { return false };
        left = rest;
        begins_line = token.kind() == TokenKind::Newline || begins_line && token.kind() == TokenKind::Whitespace;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_cost_more_than_values_however_they_are_written() {
        for table in ["[a]\n", "  [[a]]\n", "a = {}\n", "a.b = 1\n"] {
            assert!(is_within(table, 30) && !is_within(table, 20), "{table}");
        }
        assert!(is_within("a = [1, 2, 3]\n", 20));
    }
}
