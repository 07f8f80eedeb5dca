// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text of a picture. Which font a reader has is not known, so widths are estimates on the safe side.

/// Width of a character by the height of its font.
const WIDTH: f64 = 0.57;

/// The width of `text`, in pixels.
pub fn width(text: &str, font_size: f64) -> f64 {
    text.chars().count() as f64 * font_size * WIDTH
}

/// `text` in lines of such a width, broken between words; a longer word is broken anywhere.
pub fn wrapped(text: &str, room: f64, font_size: f64) -> Vec<String> {
    let most = ((room / (font_size * WIDTH)) as usize).max(1);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let characters: Vec<char> = word.chars().collect();
        for (index, piece) in characters.chunks(most).enumerate() {
            let piece: String = piece.iter().collect();
            let fits = |line: &&mut String| {
                index == 0 && line.chars().count() + 1 + piece.chars().count() <= most
            };
            match lines.last_mut().filter(fits) {
                Some(line) => *line = format!("{line} {piece}"),
                None => lines.push(piece),
            }
        }
    }
    lines
}

/// `text` as the content of an element.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken() {
        let text = vec!["twelve chars"; 20].join(", ");
        let lines = wrapped(&text, 300.0, 12.0);
        assert!(
            lines.len() > 1 && lines.iter().all(|line| width(line, 12.0) <= 300.0),
            "{lines:?}"
        );
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_word_that_is_longer_than_a_line_is_broken() {
        let room = width("abcd", 10.0) + 0.1;
        assert_eq!(wrapped("ab abcdefghij k", room, 10.0), ["ab", "abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("a b", room, 10.0), ["a b"]);
    }
}
