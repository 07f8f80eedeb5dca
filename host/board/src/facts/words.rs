// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a value, in the words of whoever wrote it: the reader names types of Rust, and no keys.

use super::nearest;
use super::place::{Place, Step};
use std::ops::Range;

/// A value longer than this is not repeated whole.
const LONGEST: usize = 40;

/// The reader's message about these bytes of `text`, whose keys are at the places of `file`.
pub(super) fn describe(
    text: &str,
    file: &Place,
    bytes: Option<Range<usize>>,
    message: &str,
) -> String {
    let message = message.trim_end().replace('\n', ": ");
    if message == "duplicate key" {
        let key = bytes.and_then(|bytes| text.get(bytes)).unwrap_or_default();
        return format!("duplicate key `{key}`: leave one of them out");
    }
    let path = bytes.map(|bytes| file.path_to(&bytes)).unwrap_or_default();
    if let Some(rest) = message.strip_prefix("unknown field ") {
        return unknown_key(text, &path, rest);
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return format!("the key {rest} is missing{}", place_of(text, &path));
    }
    let Some(key) = name(&path) else { return message };
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        return unknown_word(&key, rest);
    }
    if message.starts_with("use ") {
        return format!("`{key}`: {message}");
    }
    if let Some((count, expected)) = of_another_length(&message) {
        return format!("`{key}` has {}; write {}", numbers(count), wanted(expected));
    }
    let wrong = ["invalid type: ", "invalid value: "];
    let Some(rest) = wrong.iter().find_map(|start| message.strip_prefix(start)) else {
        return message;
    };
    match rest.rsplit_once(", expected ") {
        Some(("map", "a sequence")) => {
            format!(
                "`{key}` is one of several: write [[{}]], in two pairs of brackets",
                header(&path)
            )
        }
        Some((got, expected)) => format!("`{key}` is {}; write {}", given(got), wanted(expected)),
        None => message,
    }
}

fn unknown_key(text: &str, path: &[Step<'_>], rest: &str) -> String {
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let unknown = quoted.next().unwrap_or_default();
    let known: Vec<&str> = quoted.collect();
    let around = match path.split_last() {
        Some((Step::Key(..), around)) => around,
        _ => path,
    };
    let place = match around.last() {
        Some(Step::Key(_, place)) if place.is_inline(text) => place_of(text, around),
        _ => String::new(),
    };
    match nearest(unknown, known.iter().copied()) {
        Some(near) => format!("unknown key `{unknown}`{place}; did you mean `{near}`?"),
        None => format!("unknown key `{unknown}`{place}; there are {}", known.join(", ")),
    }
}

fn unknown_word(key: &str, rest: &str) -> String {
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let unknown = quoted.next().unwrap_or_default();
    let known: Vec<&str> = quoted.collect();
    match nearest(unknown, known.iter().copied()) {
        Some(near) => format!("`{key}` is `{unknown}`; did you mean `{near}`?"),
        None => format!("`{key}` is `{unknown}`; there are {}", known.join(", ")),
    }
}

/// The innermost key, with those of the tables that it is in, up to one of several tables.
fn name(path: &[Step<'_>]) -> Option<String> {
    let is_one_of_several = |step: &Step| matches!(step, Step::Item(place) if place.is_table());
    let within = path.iter().rposition(is_one_of_several).map_or(path, |at| &path[at + 1..]);
    let within = if within.is_empty() { path } else { within };
    let keys = keys(within);
    (!keys.is_empty()).then(|| keys.join("."))
}

/// What the header of the innermost table is.
fn header(path: &[Step<'_>]) -> String {
    keys(path).join(".")
}

fn keys<'a>(path: &[Step<'a>]) -> Vec<&'a str> {
    let key = |step: &Step<'a>| match step {
        Step::Key(name, _) => Some(*name),
        Step::Item(_) => None,
    };
    path.iter().filter_map(key).collect()
}

/// In which table something is missing, or unknown: nothing for the file itself.
fn place_of(text: &str, path: &[Step<'_>]) -> String {
    let is_table = |step: &Step| match step {
        Step::Key(_, place) | Step::Item(place) => place.is_table(),
    };
    let Some(last) = path.iter().rposition(is_table) else { return String::new() };
    let path = &path[..=last];
    match &path[last] {
        Step::Item(_) => format!(" in [[{}]]", header(path)),
        Step::Key(_, place) if place.is_inline(text) => {
            format!(" in `{}`", name(path).unwrap_or_default())
        }
        Step::Key(..) => format!(" in [{}]", header(path)),
    }
}

/// A value as the reader names it.
fn given(got: &str) -> String {
    let short = |text: &str| match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    };
    // A number of many digits is followed by the type that it would need.
    let plain =
        |text: &str| short(text.trim_start_matches('`').split('`').next().unwrap_or_default());
    match got.split_once(' ') {
        Some(("integer" | "boolean", value)) => plain(value),
        Some(("floating", value)) => plain(value.trim_start_matches("point ")),
        Some(("string", value)) => format!("the text {}", short(value)),
        _ if got == "map" => "a table".to_string(),
        _ if got == "sequence" => "a list".to_string(),
        _ => got.to_string(),
    }
}

/// How many values a list has, and what the reader expects.
fn of_another_length(message: &str) -> Option<(&str, &str)> {
    message.strip_prefix("invalid length ")?.rsplit_once(", expected ")
}

/// So many values of a list, which are numbers in all lists of a fixed length.
fn numbers(count: &str) -> String {
    match count {
        "0" => "no number".to_string(),
        "1" => "one number".to_string(),
        count => format!("{count} numbers"),
    }
}

/// What the reader expects.
fn wanted(expected: &str) -> &str {
    match expected {
        "a string" | "str" | "string" => "text in quotes",
        "path string" => "a path in quotes",
        "a character" | "a char" => "one letter in quotes",
        "a boolean" => "true or false",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        _ => expected,
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::parse;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is only read")]
    struct File {
        number: Option<u8>,
        text: Option<String>,
        table: Option<Table>,
        #[serde(default)]
        several: Vec<Table>,
        word: Option<Word>,
        place: Option<[f64; 2]>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is only read")]
    struct Table {
        value: f64,
        is_on: Option<bool>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Low,
        High,
    }

    fn wrong(text: &str) -> String {
        parse::<File>("f", text).expect_err("wrong").to_string()
    }

    #[test]
    fn the_key_and_what_to_write_are_named() {
        assert_eq!(wrong("text = 1"), "f:1: `text` is 1; write text in quotes");
        assert_eq!(wrong("number = -1"), "f:1: `number` is -1; write a whole number from 0 to 255");
        assert_eq!(
            wrong("number = \"a\""),
            "f:1: `number` is the text \"a\"; write a whole number from 0 to 255"
        );
        assert_eq!(wrong("\n[table]\nvalue = []"), "f:3: `table.value` is a list; write a number");
        assert_eq!(
            wrong("[[several]]\nvalue = 1\n[[several]]\nvalue = 2\nis_on = 1.5"),
            "f:5: `is_on` is 1.5; write true or false"
        );
        for (place, has) in [("[]", "no number"), ("[0]", "one number")] {
            let expected = format!("f:1: `place` has {has}; write an array of length 2");
            assert_eq!(wrong(&format!("place = {place}")), expected);
        }
        assert_eq!(wrong("table = 7"), "f:1: `table` is 7; write a table");
        assert_eq!(
            wrong("[several]\nvalue = 1"),
            "f:1: `several` is one of several: write [[several]], in two pairs of brackets"
        );
        assert_eq!(
            wrong("number = 99999999999999999999"),
            "f:1: `number` is 99999999999999999999; write a whole number from 0 to 255"
        );
        let long = wrong("text = 1e300");
        assert!(long.len() < 100 && long.ends_with("...; write text in quotes"), "{long}");
    }

    #[test]
    fn a_key_that_is_given_twice_is_named() {
        let twice = "f:2: duplicate key `number`: leave one of them out";
        assert_eq!(wrong("number = 1\nnumber = 2"), twice);
    }

    #[test]
    fn what_is_missing_or_unknown_is_named_with_its_table() {
        assert_eq!(wrong("[table]"), "f:1: the key `value` is missing in [table]");
        assert_eq!(wrong("table = {}"), "f:1: the key `value` is missing in `table`");
        assert_eq!(
            wrong("number = 1\n[[several]]"),
            "f:2: the key `value` is missing in [[several]]"
        );
        assert_eq!(wrong("numbre = 1"), "f:1: unknown key `numbre`; did you mean `number`?");
        assert_eq!(
            wrong("table = { value = 1, x = 2 }"),
            "f:1: unknown key `x` in `table`; there are value, is_on"
        );
        assert_eq!(wrong("word = \"hihg\""), "f:1: `word` is `hihg`; did you mean `high`?");
        assert_eq!(wrong("word = \"up\""), "f:1: `word` is `up`; there are low, high");
    }
}
