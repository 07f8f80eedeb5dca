// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a text: that of print, that of a message, and the quotes around it.

use super::plain::{Error, Plain, between};

/// Parts of the compiler's text where a % begins no value.
const NO_VALUE: [&str; 3] =
    ["unknown conversion type character", "spurious trailing '%'", "' flag used with '%"];
/// Quotes of word processors.
const CURLY: [char; 7] =
    ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}'];

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    level(error)
        .or_else(|| format(error))
        .or_else(|| percent(error))
        .or_else(|| of_inttypes(error))
        .or_else(|| stray(error))
        .or_else(|| character(error))
}

/// A message without its level.
fn level(error: &Error<'_>) -> Option<Plain> {
    let is_confused = error.text.contains("comparison of pointer with")
        || error.text.contains("comparison between pointer")
        || error.text.contains("macro \"syslog\" requires");
    let (_, given) = error.line.split_once("syslog(").filter(|_| is_confused)?;
    given.trim_start().starts_with('"').then(|| {
        Plain::new("the message has no level")
            .help(format!("write it first: syslog(LOG_INFO, {}", given.trim_start()))
    })
}

/// `print` with what is no text in quotes.
fn format(error: &Error<'_>) -> Option<Plain> {
    let is_confused = ["invalid initializer", "initializer element is not constant"]
        .iter()
        .any(|text| error.text.starts_with(text));
    let (_, arguments) = error.line.split_once("print(").filter(|_| is_confused)?;
    if let Some((text, value)) = arguments.trim_start().strip_prefix('"').and_then(added) {
        return Some(
            Plain::new("+ joins no texts, and no number to a text")
                .help(format!("write print(\"{text}%d\", {value}), with %s for a text")),
        );
    }
    let end = arguments.find([',', ')'])?;
    let given = arguments[..end].trim();
    (!given.starts_with('"')).then(|| {
        let plain = Plain::new("the format of print is not a text in quotes");
        match given.contains('?') {
            true => plain.help("write if (...) print(\"...\"); else print(\"...\");"),
            false => plain.help(format!("write print(\"%s\", {given})")),
        }
    })
}

/// What is between the quotes, and what is added behind them.
fn added(text: &str) -> Option<(&str, &str)> {
    let (text, behind) = text.split_once('"')?;
    let value = behind.trim_start().strip_prefix('+')?;
    let end = value.find(");").or_else(|| value.rfind(')')).unwrap_or(value.len());
    Some((text, value[..end].trim()))
}

/// A percent sign that is meant as one.
fn percent(error: &Error<'_>) -> Option<Plain> {
    NO_VALUE.iter().any(|part| error.text.contains(part)).then(|| {
        Plain::new("a % in the text begins no value that print knows").help(
            "write %% for a percent sign; values are %d, %u, %x, %s and %c (<lichen/print.h>)",
        )
    })
}

/// `PRIu64`.
fn of_inttypes(error: &Error<'_>) -> Option<Plain> {
    let rest = between(error.text, "before 'PRI", "'")?;
    let (kind, bits) = (rest.get(..1)?, rest.get(1..)?);
    let long = match bits {
        "64" => "ll",
        "32" => "l",
        _ => "",
    };
    Some(
        Plain::new(format!("print has no `PRI{rest}'")).help(format!(
            "write %{long}{kind} in the text; %llu and %lld are for 64 bits, %lu and %ld for 32, %u and %d for less"
        )),
    )
}

/// A character that is none of C's.
fn stray(error: &Error<'_>) -> Option<Plain> {
    if !error.text.starts_with("stray '") {
        return None;
    }
    if error.line.contains(CURLY) {
        return Some(
            Plain::new("the quotes in this line are those of a word processor")
                .help("type them anew: \" around a text, ' around a character"),
        );
    }
    let other = error.line.chars().find(|c| !c.is_ascii());
    Some(
        match other {
            Some(c) => Plain::new(format!("the character `{c}' stands outside of a text")),
            None => Plain::new("a character stands here that C does not have"),
        }
        .help("take it away, or type it anew; it may look like a space or a minus sign"),
    )
}

/// A text in place of one character.
fn character(error: &Error<'_>) -> Option<Plain> {
    let is_number = error.text.contains("makes integer from pointer without a cast")
        && !error.text.starts_with("passing argument");
    if !is_number || !error.line.contains('"') {
        return None;
    }
    let text = between(error.line, "\"", "\"")?;
    Some(if error.line.contains("char") && text.chars().count() == 1 {
        Plain::new("a text stands where one character belongs")
            .help(format!("write it in single quotes: '{text}'"))
    } else {
        Plain::new("a text stands where a number belongs")
            .help("declare the variable as const char *, for a text")
    })
}
