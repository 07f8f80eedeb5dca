// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats of print and of messages.

use super::plain::{Error, Plain, between};

/// Parts of the compiler's text where a % begins no value.
const NO_VALUE: [&str; 3] =
    ["unknown conversion type character", "spurious trailing '%'", "' flag used with '%"];
/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    level(error)
        .or_else(|| format(error))
        .or_else(|| percent(error))
        .or_else(|| of_inttypes(error))
        .or_else(|| number(error))
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

/// A number without a format.
fn number(error: &Error<'_>) -> Option<Plain> {
    let text = "passing argument 1 of 'print' makes pointer from integer without a cast";
    error.text.starts_with(text).then(|| {
        Plain::new("argument 1 of print is a number, not an address")
            .help("print takes a text first: print(\"%d\\n\", number)")
    })
}
