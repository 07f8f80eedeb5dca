// SPDX-License-Identifier: MIT OR Apache-2.0
//! "Did you mean": the known name that is nearest to a misspelt one.

/// The candidate nearest to `word` by edit distance, if it is near enough to be meant: at most a
/// third of the word's letters changed, but at least one is allowed. In another case, one letter may be another one, too.
pub fn nearest<'a, I, S>(word: &str, candidates: I) -> Option<&'a str>
where
    I: IntoIterator<Item = &'a S>,
    S: AsRef<str> + ?Sized + 'a,
{
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| {
            let candidate = candidate.as_ref();
            let letters =
                strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase());
            (letters, strsim::damerau_levenshtein(word, candidate), candidate)
        })
        .filter(|(letters, all, _)| *letters <= 1 || *all <= allowed)
        .min_by_key(|(letters, all, _)| (*letters, *all))
        .map(|(.., candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_name_with_a_letter_swapped_missing_or_added() {
        let names = ["blink", "hello", "echo"];
        assert_eq!(nearest("blnik", names), Some("blink"));
        assert_eq!(nearest("helo", names), Some("hello"));
        assert_eq!(nearest("echoo", names), Some("echo"));
    }

    #[test]
    fn finds_a_name_in_another_case() {
        assert_eq!(nearest("micaZ", ["mica2", "micaz"]), Some("micaz"));
        assert_eq!(nearest("HAMILTON", ["hamilton", "micaz"]), Some("hamilton"));
    }

    #[test]
    fn does_not_guess_wildly() {
        assert_eq!(nearest("queue_put", ["QUEUE_RT"]), None);
        assert_eq!(nearest("thermometer", ["blink", "hello"]), None);
    }
}
