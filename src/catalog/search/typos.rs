//! One wrong, missing, superfluous or swapped letter.
//!
//! Two words are at most one edit apart only if they share a form: the word itself, or the word with one letter left
//! out. Forms are what the database looks up; [`within_one_edit`] then decides.

use std::collections::BTreeSet;

/// In shorter words an edit makes another word; longer ones are not typed.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=32;

/// The forms of a word; none when its typing errors are not looked for.
pub(super) fn forms(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    if !LETTERS.contains(&letters.len()) || !super::words::is_latin(word) {
        return BTreeSet::new();
    }
    let without = |left_out| letters.iter().enumerate().filter(move |(i, _)| *i != left_out).map(|(_, c)| *c).collect();
    (0..letters.len()).map(without).chain([word.to_owned()]).collect()
}

/// Whether one letter changed, added, left out, or swapped with its neighbour makes one word the other.
pub(super) fn within_one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same_start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.get(same_start..).unwrap_or_default(), b.get(same_start..).unwrap_or_default());
    let same_end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let rest = |word: &[char]| word.get(..word.len() - same_end).unwrap_or_default().to_vec();
    match (rest(a).as_slice(), rest(b).as_slice()) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_edit_is_a_letter_changed_added_left_out_or_swapped() {
        for near in ["tutor", "tutro", "tuto", "ttutor", "tutors", "tutar", "utor", "utotr"] {
            assert_eq!(within_one_edit("tutor", near), near != "utotr", "{near}");
        }
        assert!(!within_one_edit("tutor", "tuter s"));
        assert!(!within_one_edit("tutor", "tut"));
        assert!(!within_one_edit("tutor", "rotut"));
    }

    #[test]
    fn typing_errors_are_looked_for_in_latin_words_of_some_length() {
        assert!(forms("tut").is_empty());
        assert!(forms("2026").is_empty());
        assert!(forms("учитель").is_empty());
        assert!(forms(&"a".repeat(33)).is_empty());
        assert_eq!(forms("game").into_iter().collect::<Vec<_>>(), ["ame", "gae", "gam", "game", "gme"]);
    }

    proptest! {
        #[test]
        fn words_one_edit_apart_share_a_form(a in "[ab]{4,8}", b in "[ab]{4,8}") {
            if within_one_edit(&a, &b) {
                prop_assert!(forms(&a).intersection(&forms(&b)).next().is_some());
            }
            prop_assert_eq!(within_one_edit(&a, &b), within_one_edit(&b, &a));
        }
    }
}
