// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comments of C, of assembly and of linker scripts.

/// `text` without `/* comments */`, but with strings and all ends of lines, so that lines keep their numbers.
pub fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    for (part, piece) in text.split("/*").enumerate() {
        match piece.split_once("*/").filter(|_| part > 0) {
            Some((comment, rest)) => {
                kept.extend(comment.chars().filter(|c| *c == '\n'));
                kept.push_str(rest);
            }
            None => kept.push_str(piece),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        assert_eq!(without_comments("a /* b\n */ \"c\" /* d */\ne"), "a \n \"c\" \ne");
        assert_eq!(without_comments("*/ a /* b"), "*/ a  b");
    }
}
