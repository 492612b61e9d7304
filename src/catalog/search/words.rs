//! From text to words, for the index and for queries alike. Pure.
//!
//! fold (NFKC, case, Latin diacritics) → split → [`Piece`]s: words of scripts that put spaces between them, and runs of
//! those that do not, which are searched by one- and two-character grams.

use std::iter;

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Counts the changes of these rules: an index made by others is made anew when the catalog is opened.
pub(super) const RULES: i64 = 1;

/// Longer words are cut, in the index and in queries.
const MAX_WORD_CHARS: usize = 64;

/// A part of a text that is searched for as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A word between spaces or punctuation, at most [`MAX_WORD_CHARS`] long.
    Word(String),
    /// Characters of a script without spaces between words, at least one.
    Run(Vec<char>),
}

/// Splits at most `max_chars` characters of a text.
pub(super) fn pieces(text: &str, max_chars: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut word = String::new();
    let mut run = Vec::new();
    // A blank at the end closes the last piece.
    for c in fold(text.chars().take(max_chars)).chain(iter::once(' ')) {
        let continues = is_combining_mark(c);
        let in_run = is_unspaced(c) || (continues && !run.is_empty());
        let in_word = !in_run && (c.is_alphanumeric() || (continues && !word.is_empty()));
        if !in_run && !run.is_empty() {
            pieces.push(Piece::Run(std::mem::take(&mut run)));
        }
        if !in_word && !word.is_empty() {
            pieces.push(Piece::Word(word.chars().take(MAX_WORD_CHARS).collect()));
            word.clear();
        }
        if in_run {
            run.push(c);
        } else if in_word {
            word.push(c);
        }
    }
    pieces
}

/// The words of a text as the index keeps them: a run gives its two-character grams, then its characters, so that grams
/// that follow one another always come from one run.
pub(super) fn indexed(text: &str, max_chars: usize) -> String {
    let mut words = String::new();
    for piece in pieces(text, max_chars) {
        match piece {
            Piece::Word(word) => words.extend([word.as_str(), " "]),
            Piece::Run(run) => {
                for gram in run.windows(2).chain(run.chunks(1)) {
                    words.extend(gram);
                    words.push(' ');
                }
            }
        }
    }
    words
}

/// Whether a word is written in Latin letters alone, as typing errors are looked for.
pub(super) fn is_latin(word: &str) -> bool {
    word.chars().all(is_latin_letter)
}

/// Compatibility forms (width included), case, and the diacritics of Latin letters do not tell texts apart; what is
/// invisible is left out.
fn fold(text: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let mut after_latin = false;
    let without_diacritics = text.nfkc().default_case_fold().nfkd().filter(move |c| {
        if is_combining_mark(*c) {
            return !after_latin;
        }
        after_latin = is_latin_letter(*c);
        !is_invisible(*c)
    });
    without_diacritics.nfc().flat_map(|c| {
        let (first, second) = plain_latin(c);
        iter::once(first).chain(second)
    })
}

/// Latin letters that have no decomposition but are looked for by plain ones.
fn plain_latin(c: char) -> (char, Option<char>) {
    match c {
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' | 'ð' => ('d', None),
        'ħ' => ('h', None),
        'ı' => ('i', None),
        _ => (c, None),
    }
}

fn is_latin_letter(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c, 'a'..='z' | '\u{AA}'..='\u{2AF}' | '\u{1E00}'..='\u{1EFF}' | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}')
}

/// Joiners, soft hyphens, variation selectors: they change how text looks, not what it says.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// Han, Kana, Bopomofo, Hangul, and the scripts of South-East Asia that write without spaces.
fn is_unspaced(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c,
            '\u{E00}'..='\u{EFF}' // Thai, Lao
            | '\u{1000}'..='\u{109F}' // Myanmar
            | '\u{1100}'..='\u{11FF}' // Hangul letters
            | '\u{1780}'..='\u{17FF}' // Khmer
            | '\u{2E80}'..='\u{2FDF}' // Han radicals
            | '\u{3005}'..='\u{31FF}' // Kana, Bopomofo, Hangul letters
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{A960}'..='\u{A97F}'
            | '\u{AC00}'..='\u{D7FF}' // Hangul
            | '\u{F900}'..='\u{FAFF}'
            | '\u{1AFF0}'..='\u{1B16F}' // Kana
            | '\u{20000}'..='\u{3FFFF}' // Han
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: usize = usize::MAX;

    fn words(text: &str) -> String {
        let text_of = |piece| match piece {
            Piece::Word(word) => word,
            Piece::Run(run) => format!("[{}]", run.into_iter().collect::<String>()),
        };
        pieces(text, ALL).into_iter().map(text_of).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn case_width_and_latin_diacritics_do_not_tell_words_apart() {
        assert_eq!(words("Ägyptisch ÜBEN, Straße"), "agyptisch uben strasse");
        assert_eq!(words("ｗｉｄｅ Ｔｅｘｔ！"), "wide text");
        assert_eq!(words("Łódź SØREN Đặng İstanbul œuvre"), "lodz soren dang istanbul oeuvre");
        assert_eq!(words("e\u{301}te\u{301} été"), "ete ete");
        assert_eq!(words("soft\u{AD}hyphen"), "softhyphen");
    }

    #[test]
    fn marks_of_other_scripts_stay() {
        assert_eq!(words("Йод ΆΛΦΑ"), "йод άλφα");
        assert_eq!(words("हिन्दी"), "हिन्दी");
    }

    #[test]
    fn scripts_without_spaces_are_runs() {
        assert_eq!(words("英语对话 English老师"), "[英语对话] english [老师]");
        assert_eq!(words("ポケット ﾊﾟｰﾄﾅｰ・テスト"), "[ポケット] [パートナー] [テスト]");
        assert_eq!(words("영어 선생님"), "[영어] [선생님]");
        assert_eq!(words("ครูสอน"), "[ครูสอน]");
    }

    #[test]
    fn punctuation_and_pictures_are_no_words() {
        assert_eq!(words("multi-agent_helper (v2) \"a*b\" 😀 %"), "multi agent helper v2 a b");
        assert_eq!(words("%_-*^:\u{0}😀👩\u{200D}🏫"), "");
    }

    #[test]
    fn runs_are_indexed_by_pairs_then_by_characters() {
        assert_eq!(indexed("英语对话 ab", ALL), "英语 语对 对话 英 语 对 话 ab ");
        assert_eq!(indexed("师", ALL), "师 ");
    }

    #[test]
    fn words_and_texts_are_bounded() {
        assert_eq!(words(&"a".repeat(10_000)), "a".repeat(MAX_WORD_CHARS));
        assert_eq!(pieces("one two three", 7), [Piece::Word("one".to_owned()), Piece::Word("two".to_owned())]);
    }

    proptest! {
        #[test]
        fn indexed_words_hold_nothing_that_the_index_would_split_or_read_as_an_operator(text in "\\PC{0,60}") {
            let indexed = indexed(&text, ALL);
            prop_assert!(!indexed.chars().any(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && c != ' '), "{indexed:?}");
            prop_assert!(!indexed.chars().any(|c| c.is_ascii_uppercase()));
        }

        #[test]
        fn splitting_split_words_changes_nothing(text in "\\PC{0,60}") {
            let once = words(&text).replace(['[', ']'], "");
            prop_assert_eq!(words(&once).replace(['[', ']'], ""), once);
        }
    }
}
