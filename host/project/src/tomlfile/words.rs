// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parser says of a file, in the words of whoever wrote it: what is wrong, and the line to write.

use crate::nearest;
use std::path::Path;

/// What is wrong, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) message: String,
    pub(super) remedy: String,
}

/// The parser's `message` about the line at `offset` of `text`, which is the content of `file`.
pub(super) fn words(file: &Path, text: &str, offset: usize, message: &str) -> Words {
    let line = line_at(text, offset);
    let found = unknown(message)
        .or_else(|| missing(file, message))
        .or_else(|| not_a_list(line, message))
        .or_else(|| not_a_number(line, message));
    found.unwrap_or_else(|| Words {
        message: message.to_string(),
        remedy: format!("correct this line; {} describes the format", described(file)),
    })
}

/// The page about files of this name.
fn described(file: &Path) -> &'static str {
    match file.file_name().and_then(|name| name.to_str()) {
        Some("lichen.toml") => "doc/spec/manifest.md",
        Some("bench.toml") => "doc/spec/bench.md",
        _ => "doc/spec",
    }
}

fn line_at(text: &str, offset: usize) -> &str {
    let offset = offset.min(text.len());
    let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    text[begin..].lines().next().unwrap_or_default()
}

/// "unknown field `x`, expected one of `a`, `b`": the nearest known key.
fn unknown(message: &str) -> Option<Words> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let unknown = quoted.next()?;
    let known: Vec<&str> = quoted.collect();
    let remedy = match nearest(unknown, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known keys here: {}", known.join(", ")),
    };
    Some(Words { message: message.to_string(), remedy })
}

/// "missing field `x`": what the file lacks, and for a manifest the lines to write.
fn missing(file: &Path, message: &str) -> Option<Words> {
    let key = message.strip_prefix("missing field `")?.strip_suffix('`')?;
    let is_manifest = file.file_name().is_some_and(|name| name == "lichen.toml");
    let lines = match (is_manifest, key) {
        (true, "name") => format!("write: name = \"{}\"", folder_of(file)),
        (true, "summary") => "write: summary = \"What the program does.\"".into(),
        (true, "boards") => "write: boards = [\"hamilton\"], above [budget]".into(),
        (true, "rom") => "write in this section: rom = 24576, or another number of bytes".into(),
        (true, "ram") => "write in this section: ram = 3072, or another number of bytes".into(),
        _ => format!("write a line: {key} = …; {} describes the format", described(file)),
    };
    Some(Words { message: format!("`{key}` is missing"), remedy: lines })
}

fn folder_of(file: &Path) -> String {
    let folder = file.parent().and_then(Path::file_name);
    folder.map_or("NAME".into(), |name| name.to_string_lossy().into_owned())
}

/// A text where a list of texts is wanted: "invalid type: string "x", expected a sequence".
fn not_a_list(line: &str, message: &str) -> Option<Words> {
    let text =
        message.strip_prefix("invalid type: string ")?.strip_suffix(", expected a sequence")?;
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    Some(Words {
        message: format!("`{key}` is a list, and {text} is a text"),
        remedy: format!("write: {key} = [{text}]"),
    })
}

/// Something else where a number is wanted, such as `"24K"`, `24K` or `-5`.
fn not_a_number(line: &str, message: &str) -> Option<Words> {
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.split('#').next()?.trim());
    let of_wrong_type = message.starts_with("invalid ") && message.ends_with(", expected u32");
    let is_bare = message.starts_with("string values must be quoted")
        && value.starts_with(|first: char| first.is_ascii_digit());
    if !of_wrong_type && !is_bare {
        return None;
    }
    let remedy = match bytes(value.trim_matches(['"', '\''])) {
        Some(bytes) => format!("write: {key} = {bytes}"),
        None => format!("write: {key} = 1000, or another number without a sign, unit or quotes"),
    };
    Some(Words { message: format!("`{key}` is a whole number, and {value} is none"), remedy })
}

/// The bytes of `24K` or `24 KB`; or a number that was quoted.
fn bytes(value: &str) -> Option<u32> {
    let end = value.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(value.len());
    let (number, unit) = value.split_at(end);
    let factor = match unit.trim().to_lowercase().as_str() {
        "" | "b" | "bytes" => 1,
        "k" | "kb" | "kib" => 1024,
        _ => return None,
    };
    number.parse::<u32>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str, message: &str) -> (String, String) {
        let words = words(Path::new("a/blink/lichen.toml"), line, 0, message);
        (words.message, words.remedy)
    }

    #[test]
    fn the_line_to_write_is_given() {
        let (message, remedy) = said(
            "boards = \"hamilton\"\n",
            "invalid type: string \"hamilton\", expected a sequence",
        );
        assert_eq!(message, "`boards` is a list, and \"hamilton\" is a text");
        assert_eq!(remedy, "write: boards = [\"hamilton\"]");
        let (message, remedy) =
            said("rom = \"24K\"\n", "invalid type: string \"24K\", expected u32");
        assert_eq!(message, "`rom` is a whole number, and \"24K\" is none");
        assert_eq!(remedy, "write: rom = 24576");
        let bare = "string values must be quoted, expected literal string";
        assert_eq!(said("rom = 24K # of flash\n", bare).1, "write: rom = 24576");
        assert!(
            said("rom = -5\n", "invalid value: integer `-5`, expected u32")
                .1
                .contains("rom = 1000")
        );
        assert_eq!(said("\n", "missing field `name`").1, "write: name = \"blink\"");
    }

    #[test]
    fn other_messages_stay_as_they_are() {
        assert_eq!(
            said("summary = hello\n", "string values must be quoted, expected literal string").0,
            "string values must be quoted, expected literal string"
        );
    }
}
