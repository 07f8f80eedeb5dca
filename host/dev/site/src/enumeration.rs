// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constants of an enumeration, with what is said about each.

use super::inline::Names;
use std::fmt::Write;

/// A constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) name: String,
    /// As it is written, with its value if it has one.
    written: String,
    said: String,
}

/// The constants of the enumeration with this text. The comment of one begins on its line, or ends
/// on the line before.
pub(super) fn constants(text: &str) -> Vec<Constant> {
    let mut found: Vec<Constant> = Vec::new();
    let mut ahead = String::new();
    let body = text.split_once('{').map_or("", |(_, body)| body);
    let mut rest = body.rsplit_once('}').map_or(body, |(body, _)| body);
    loop {
        let begins_line = rest.trim_start_matches(' ').starts_with('\n');
        rest = rest.trim_start();
        if rest.is_empty() {
            return found;
        }
        if let Some((said, after)) = rest.strip_prefix("/*").and_then(|rest| rest.split_once("*/"))
        {
            let said = one_line(said);
            match found.last_mut().filter(|_| !begins_line) {
                Some(constant) => constant.said = said,
                None => ahead = said,
            }
            rest = after;
            continue;
        }
        let comma = rest.find(',').unwrap_or(rest.len());
        let end = rest.find("/*").unwrap_or(rest.len()).min(comma);
        let written = rest[..end].split_whitespace().collect::<Vec<_>>().join(" ");
        let name = written.split([' ', '=']).next().unwrap_or_default().to_string();
        rest = rest[end..].strip_prefix(',').unwrap_or(&rest[end..]);
        found.push(Constant { name, written, said: std::mem::take(&mut ahead) });
    }
}

/// A comment of several lines on one.
fn one_line(comment: &str) -> String {
    let words = comment.split_whitespace().filter(|word| *word != "*");
    words.collect::<Vec<_>>().join(" ")
}

/// The entries of the constants.
pub(super) fn entries(text: &str, names: &Names, indent: &str) -> String {
    let mut entries = String::new();
    for constant in constants(text) {
        let _ = writeln!(entries, "{indent}.. c:enumerator:: {}\n", constant.written);
        if !constant.said.is_empty() {
            let _ = writeln!(entries, "{indent}   {}\n", names.inline(&constant.said));
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_constant_has_its_comment() {
        let text = "enum e {\n    A = 1, /* one, and\n            * more */\n    B,\n    /* ahead */\n\
                        C =\n        A + 1,\n    D /* last, too */\n};";
        let found: Vec<_> =
            constants(text).into_iter().map(|c| (c.name, c.written, c.said)).collect();
        let wanted = [
            ("A", "A = 1", "one, and more"),
            ("B", "B", ""),
            ("C", "C = A + 1", "ahead"),
            ("D", "D", "last, too"),
        ];
        assert_eq!(found, wanted.map(|(a, b, c)| (a.to_string(), b.to_string(), c.to_string())));
    }
}
