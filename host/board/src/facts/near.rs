// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guessing which word was meant.

/// The candidate that `word` was probably meant to be, if one is near enough: one slip per three
/// letters.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = (word.chars().count() / 3).max(1);
    let distances = candidates.into_iter().map(|candidate| (distance(word, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= slips).min().map(|(_, candidate)| candidate)
}

/// Slips between two words: letters wrong, missing, added, or swapped with their neighbour
/// (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let swap = if swapped { table[i - 2][j - 2] + 1 } else { usize::MAX };
                    replaced.min(swap).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                }
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_forgiven_and_other_words_are_not() {
        assert_eq!(nearest("buad", ["baud", "pad"]), Some("baud"));
        assert_eq!(nearest("hamilten", ["hamilton", "micaz"]), Some("hamilton"));
        assert_eq!(nearest("lamp", ["name", "led"]), None);
        assert_eq!(nearest("", ["x"]), Some("x"));
        assert_eq!(nearest("x", []), None);
    }
}
