// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one declaration of C declares.

use super::{Function, Kind};

/// Words of a declaration that say how it is compiled, not what it is.
const HOW: [&str; 5] = ["static", "inline", "extern", "_Noreturn", MUST_CHECK];
const MUST_CHECK: &str = "MUST_CHECK";

/// The name of the macro that `line` defines, and the name with its parameters.
pub(super) fn macro_of(line: &str) -> Option<(String, String)> {
    let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("define ")?.trim_start();
    let name = words(rest).next()?;
    let behind = &rest[name.len()..];
    let parameters = match behind.starts_with('(') {
        true => &behind[..=behind.find(')')?],
        false => "",
    };
    Some((name.to_string(), format!("{name}{parameters}")))
}

/// What the declaration `plain`, without comments, declares, and its name; none for an invocation of
/// a macro, and for a structure that is only named.
pub(super) fn parse(plain: &str) -> Option<(Kind, String)> {
    let plain = without_attributes(plain);
    let open = plain.find(['{', '(', ';', '='])?;
    let head = &plain[..open];
    let first = words(head).next()?;
    let last = words(head).last()?;
    match (first, plain.as_bytes()[open]) {
        ("typedef", _) => {
            let declared = declared(plain.split(';').next()?, &["typedef"]);
            Some((Kind::Type(declared), last.to_string()))
        }
        ("struct" | "union", b'{') => Some((Kind::Struct, last.to_string())),
        ("enum", b'{') => Some((Kind::Enum, last.to_string())),
        (_, b'(') => function(&plain, head, last),
        ("extern", _) => {
            let declared = declared(plain.split([';', '=']).next()?, &HOW);
            let name = words(declared.split([',', '[']).next()?).last()?.to_string();
            Some((Kind::Variable(declared), name))
        }
        _ => None,
    }
}

/// The function whose name is `name`, the last word of `head`.
fn function(plain: &str, head: &str, name: &str) -> Option<(Kind, String)> {
    let result = head.trim_end().strip_suffix(name)?;
    let result = declared(result, &HOW);
    // An invocation of a macro, such as `EVENT(x);`, has no type.
    if result.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // Behind the parameters are only attributes.
    let written = plain.split(['{', ';']).next()?;
    let signature = declared(&written[..=written.rfind(')')?], &HOW);
    let kind = Kind::Function(Function {
        signature,
        returns_value: result.ends_with('*') || words(&result).all(|word| word != "void"),
        must_check: words(head).any(|word| word == MUST_CHECK),
    });
    Some((kind, name.to_string()))
}

/// `text` on one line, without the words `dropped`.
fn declared(text: &str, dropped: &[&str]) -> String {
    let kept: Vec<&str> = text.split_whitespace().filter(|word| !dropped.contains(word)).collect();
    kept.join(" ")
}

/// The names and numbers in `text`.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// `plain` without `__attribute__((...))`.
fn without_attributes(plain: &str) -> String {
    const ATTRIBUTE: &str = "__attribute__";
    let mut kept = String::new();
    let mut rest = plain;
    while let Some(at) = rest.find(ATTRIBUTE) {
        kept.push_str(&rest[..at]);
        rest = after_brackets(&rest[at + ATTRIBUTE.len()..]);
    }
    kept + rest
}

/// `text` after the brackets with which it begins.
fn after_brackets(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth <= 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}
