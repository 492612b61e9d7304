//! What somebody searches for.

use sqlx::SqliteConnection;

use super::typos::{forms, within_one_edit};
use super::words::{Piece, pieces};
use crate::catalog::CatalogError;
use crate::catalog::row::json;

/// A query as somebody typed it: not blank, on one line, bounded. No character of it has a meaning beside itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText(String);

impl SearchText {
    /// The longest query, in characters; what comes after is not read.
    pub const MAX_CHARS: usize = 256;

    /// Reads a query; a blank one is none. Control characters count as blanks.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let start: String = text.chars().take(Self::MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let words: Vec<&str> = start.split_whitespace().collect();
        (!words.is_empty()).then(|| Self(words.join(" ")))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A query in the terms of the database: expressions of FTS5, whose every word is quoted and holds letters and digits
/// alone, or a text to be found as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::catalog) struct Wanted {
    /// Finds roles with all words anywhere.
    pub(in crate::catalog) anywhere: String,
    /// Finds those of them whose id and titles have all words.
    pub(in crate::catalog) in_titles: String,
    /// Finds those whose id, titles and summaries have all words.
    pub(in crate::catalog) in_summaries: String,
    /// The words as an id: a role with this id comes first, then those whose id begins with it.
    pub(in crate::catalog) id: Option<String>,
    /// For a query without words: what id, title or summary must contain.
    pub(in crate::catalog) literal: Option<String>,
}

impl Wanted {
    /// Finds out what is wanted: the words as they are written when any role has them, else words of titles that are
    /// one edit away.
    pub(in crate::catalog) async fn of(
        text: &SearchText,
        connection: &mut SqliteConnection,
    ) -> Result<Self, CatalogError> {
        let pieces = query_pieces(text);
        if pieces.is_empty() {
            return Ok(Self::literal(text));
        }
        let id = id_form(&pieces);
        let terms = terms(pieces);
        let exact: Vec<String> = terms.iter().map(Term::expression).collect();
        let wanted = Self::all_of(&exact, id);
        let is_found: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ?1)")
            .bind(&wanted.anywhere)
            .fetch_one(&mut *connection)
            .await?;
        if is_found {
            return Ok(wanted);
        }
        let mut mended = Vec::new();
        for (term, exact) in terms.iter().zip(exact) {
            let near = near_words(term, connection).await?;
            mended.push(match near.as_slice() {
                [] => exact,
                near => format!("({exact} OR title : ({}))", near.join(" OR ")),
            });
        }
        Ok(Self::all_of(&mended, None))
    }

    fn all_of(terms: &[String], id: Option<String>) -> Self {
        let all = terms.join(" AND ");
        Self {
            in_titles: format!("{{id title}} : ({all})"),
            in_summaries: format!("{{id title summary}} : ({all})"),
            anywhere: all,
            id,
            literal: None,
        }
    }

    fn literal(text: &SearchText) -> Self {
        let nothing = || "\"\"".to_owned();
        Self {
            anywhere: nothing(),
            in_titles: nothing(),
            in_summaries: nothing(),
            id: None,
            literal: Some(text.0.clone()),
        }
    }
}

/// A piece of a query.
#[derive(Debug, PartialEq, Eq)]
enum Term {
    Word(String),
    /// The last word may be unfinished; one letter is too little to tell of what.
    Prefix(String),
    Run(Vec<char>),
}

impl Term {
    fn expression(&self) -> String {
        match self {
            Self::Word(word) => format!("\"{word}\""),
            Self::Prefix(word) => format!("\"{word}\" *"),
            Self::Run(run) if run.len() < 2 => format!("\"{}\"", run.iter().collect::<String>()),
            Self::Run(run) => {
                let grams: Vec<String> = run.windows(2).map(|gram| gram.iter().collect()).collect();
                format!("\"{}\"", grams.join(" "))
            }
        }
    }
}

/// As many pieces of a query as anybody means.
fn query_pieces(text: &SearchText) -> Vec<Piece> {
    const MAX_PIECES: usize = 32;
    let mut pieces = pieces(text.as_str(), usize::MAX);
    pieces.truncate(MAX_PIECES);
    pieces
}

/// The different terms of a query, in its order.
fn terms(pieces: Vec<Piece>) -> Vec<Term> {
    let last = pieces.len().saturating_sub(1);
    let mut terms = Vec::new();
    for (place, piece) in pieces.into_iter().enumerate() {
        let term = match piece {
            Piece::Word(word) if place == last && word.chars().nth(1).is_some() => Term::Prefix(word),
            Piece::Word(word) => Term::Word(word),
            Piece::Run(run) => Term::Run(run),
        };
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    terms
}

/// The words joined as in an id, when they could be one.
fn id_form(pieces: &[Piece]) -> Option<String> {
    let words = pieces.iter().map(|piece| match piece {
        Piece::Word(word) if word.is_ascii() => Some(word.as_str()),
        Piece::Word(_) | Piece::Run(_) => None,
    });
    words.collect::<Option<Vec<_>>>().map(|words| words.join("-"))
}

/// Quoted words of titles that are one edit away from a word.
async fn near_words(term: &Term, connection: &mut SqliteConnection) -> Result<Vec<String>, CatalogError> {
    const MAX_SHARING_A_FORM: i64 = 256;
    let (Term::Word(word) | Term::Prefix(word)) = term else { return Ok(Vec::new()) };
    let forms = forms(word);
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    let near: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT word FROM title_words WHERE form IN (SELECT value FROM json_each(?1)) ORDER BY word LIMIT ?2",
    )
    .bind(json(&forms)?)
    .bind(MAX_SHARING_A_FORM)
    .fetch_all(&mut *connection)
    .await?;
    Ok(near.iter().filter(|near| within_one_edit(word, near)).map(|near| format!("\"{near}\"")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expressions(text: &str) -> String {
        terms(query_pieces(&SearchText::parse(text).unwrap()))
            .iter()
            .map(Term::expression)
            .collect::<Vec<_>>()
            .join(" AND ")
    }

    #[test]
    fn blank_queries_are_none_and_long_ones_are_cut() {
        for blank in ["", "   ", "\0", "\t\n"] {
            assert_eq!(SearchText::parse(blank), None);
        }
        assert_eq!(SearchText::parse("  a \0 b ").unwrap().as_str(), "a b");
        assert_eq!(SearchText::parse(&"é".repeat(10_000)).unwrap().as_str().chars().count(), SearchText::MAX_CHARS);
    }

    #[test]
    fn all_words_are_wanted_and_the_last_may_be_unfinished() {
        assert_eq!(expressions("Multi-Agent help"), "\"multi\" AND \"agent\" AND \"help\" *");
        assert_eq!(expressions("英语对话 a 师"), "\"英语 语对 对话\" AND \"a\" AND \"师\"");
        assert_eq!(expressions("a a A"), "\"a\"");
        assert_eq!(expressions("ab ab"), "\"ab\" AND \"ab\" *");
    }

    #[test]
    fn operators_are_words_or_nothing() {
        assert_eq!(
            expressions("title:x NEAR(a* OR ^b"),
            "\"title\" AND \"x\" AND \"near\" AND \"a\" AND \"or\" AND \"b\""
        );
        assert_eq!(expressions("%_-\"*"), "");
    }

    #[test]
    fn words_that_could_be_an_id_are_one() {
        let id = |text| id_form(&query_pieces(&SearchText::parse(text).unwrap()));
        assert_eq!(id("Words John").as_deref(), Some("words-john"));
        assert_eq!(id("a-a-b").as_deref(), Some("a-a-b"));
        assert_eq!(id("words-john").as_deref(), Some("words-john"));
        assert_eq!(id("英语 john"), None);
    }

    proptest! {
        #[test]
        fn quotes_are_always_the_expression_s_own(text in "\\PC{1,80}") {
            if let Some(text) = SearchText::parse(&text) {
                for term in terms(query_pieces(&text)) {
                    let expression = term.expression();
                    let inside = expression.trim_end_matches(" *").trim_matches('"');
                    prop_assert!(inside.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || c == ' '));
                }
            }
        }
    }
}
