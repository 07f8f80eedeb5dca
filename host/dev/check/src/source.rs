// SPDX-License-Identifier: MIT OR Apache-2.0
//! C sources without their comments.

/// `text` with comments and the contents of strings and characters replaced by blanks, so that
/// lines and columns stay.
pub fn without_comments(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let length = match (bytes[at], bytes.get(at + 1)) {
            ('/', Some('/')) => until(&bytes, at, |rest| rest[0] == '\n'),
            ('/', Some('*')) => 2 + until(&bytes, at + 2, |rest| rest.starts_with(&['*', '/'])) + 2,
            (quote @ ('"' | '\''), _) => quoted(&bytes, at, quote),
            _ => {
                plain.push(bytes[at]);
                at += 1;
                continue;
            }
        };
        let end = (at + length).min(bytes.len());
        plain.extend(bytes[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    plain
}

/// Number of characters from `start` to the first place where `found` holds, or to the end.
fn until(text: &[char], start: usize, found: impl Fn(&[char]) -> bool) -> usize {
    (start..text.len())
        .position(|at| found(&text[at..]))
        .unwrap_or(text.len().saturating_sub(start))
}

/// Length of the string or character that begins at `start`, with its quotes; it ends with the line
/// at the latest.
fn quoted(text: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < text.len() && text[at] != quote && text[at] != '\n' {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    at + 1 - start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_strings_but_keeps_lines() {
        let plain = without_comments("a /* #if\n */ b // #if\n\"#if\\\"\" c");
        assert_eq!(plain.lines().count(), 3);
        assert!(!plain.contains('#') && plain.contains('b') && plain.contains('c'));
    }

    #[test]
    fn an_unfinished_comment_ends_with_the_file() {
        assert_eq!(without_comments("a /* b").trim(), "a");
    }
}
