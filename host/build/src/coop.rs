// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mistakes in the bodies of cooperative threads, which are one switch, left and entered again at each wait.

use super::headers::word;
use super::macros::is_code;
use super::message;
use super::plain::{Error, Plain, between};

/// What the compiler says of a wait that an inner switch captures.
const IN_SWITCH: [&str; 3] =
    ["overflow in conversion", "overflow in implicit constant conversion", "duplicate case value"];
/// The switch of a body, as a case of it says.
const OWN_SWITCH: &str = "COOP_CASE_OUTSIDE_OF_SWITCH";
/// What to do about a body without its ends.
const BODY: &str = "the body of a COOP is COOP_BEGIN(); ... COOP_END(); (<lichen/coop.h>)";

/// Words before a name that make no declaration of it.
const STATEMENTS: [&str; 4] = ["return", "else", "case", "goto"];

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    in_switch(error).or_else(|| without_ends(error)).or_else(|| lost(error))
}

fn in_switch(error: &Error<'_>) -> Option<Plain> {
    let is_wait = error.notes.iter().any(|note| note.contains("'COOP_LEAVE_'"));
    (is_wait && IN_SWITCH.iter().any(|text| error.text.starts_with(text))).then(|| {
        Plain::new("a cooperative thread cannot wait inside a switch").help(
            "write if instead, or let the cases choose what to do, and wait behind the switch \
             (<lichen/coop.h>)",
        )
    })
}

fn without_ends(error: &Error<'_>) -> Option<Plain> {
    if error.text == "case label not within a switch statement" && error.file.contains("COOP(") {
        return Some(Plain::new("COOP_BEGIN() is missing before this wait").help(BODY));
    }
    let code = || error.file.lines().filter(|line| is_code(line));
    let count = |what| code().map(|line| line.matches(what).count()).sum::<usize>();
    let is_open =
        error.text.contains("at end of input") && count("COOP_BEGIN(") > count("COOP_END(");
    is_open
        .then(|| Plain::new("COOP_END() is missing at the end of a cooperative thread").help(BODY))
}

/// A local variable that is used behind a wait.
fn lost(error: &Error<'_>) -> Option<Plain> {
    let declared = error.notes.iter().filter(|note| note.ends_with("declared here"));
    let noted: Vec<(&String, &str)> =
        declared.filter_map(|note| Some((note, between(note, "note: '", "'")?))).collect();
    let is_of_body = |line: u32| body(error.file, line as usize).is_some();
    let here = error.place.and_then(|place| place.line)?;
    let is_jumped = error.text.starts_with("switch jumps over variable initialization")
        && (error.file.contains("COOP_BEGIN")
            || error.notes.iter().any(|it| it.contains(OWN_SWITCH)));
    let unset = between(error.text, "'", "' may be used uninitialized");
    let name = if is_jumped { noted.first()?.1 } else { unset? };
    let note = noted.iter().find(|(_, noted)| *noted == name);
    let there = note.and_then(|(note, _)| message::place(note.split_once(": note: ")?.0));
    // What uses it may be a function that the body calls.
    let declared = there.as_ref().and_then(|there| there.line);
    let within = [Some(here), declared].into_iter().flatten().find(|line| is_of_body(*line));
    if !is_jumped && within.is_none() {
        return None;
    }
    let written = within.and_then(|line| declaration(error.file, line as usize, name));
    let written = written.map_or_else(String::new, |it| format!(": static {it};"));
    Some(
        Plain::new(format!("`{name}' does not keep its value while the cooperative thread waits"))
            .help(format!(
                "declare it before COOP_BEGIN(), once for all threads that run this code{written}"
            ))
            .at(there),
    )
}

/// The lines of the cooperative thread around a line, from 1, up to that one.
fn body(file: &str, line: usize) -> Option<Vec<&str>> {
    let lines: Vec<&str> = file.lines().take(line).collect();
    let is_outside = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    let begin = lines.iter().rposition(is_outside)?;
    lines[begin].starts_with("COOP(").then(|| lines[begin..].to_vec())
}

/// How the variable `name` is declared in the body around a line, without its value: `unsigned pause`.
fn declaration(file: &str, line: usize, name: &str) -> Option<String> {
    body(file, line)?.iter().rev().find_map(|line| {
        line.match_indices(name).find_map(|(at, _)| {
            let begin = line[..at].rfind(['(', '{', ';']).map_or(0, |at| at + 1);
            let kind = line[begin..at].trim_start();
            let is_part = |c: char| c.is_ascii_alphanumeric() || "_ *".contains(c);
            let is_type = kind.ends_with([' ', '*'])
                && kind.chars().all(is_part)
                && word(kind).is_some_and(|it| !STATEMENTS.contains(&it));
            let rest = &line[at + name.len()..];
            let size = rest.strip_prefix('[').and_then(|it| it.split_once(']'));
            let size = size.map_or_else(String::new, |(size, _)| format!("[{size}]"));
            let is_end = rest[size.len()..].trim_start().starts_with([';', '=', ',']);
            let is_comparison = rest.trim_start().starts_with("==");
            (is_type && is_end && !is_comparison).then(|| format!("{kind}{name}{size}"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "static int pause;\nCOOP(heart)\n{\n    unsigned pause;\n    char *text[3], c;\n    COOP_BEGIN();\n\
                        \x20   for (int i = 0; i < pause; i++) {\n        return pause = 3;\n    }\n}\nEVENT(e)\n{\n    int x;\n}\n";

    #[test]
    fn declarations_are_found_as_they_are_written() {
        let found = |name| declaration(BODY, 8, name);
        assert_eq!(found("pause").as_deref(), Some("unsigned pause"));
        assert_eq!(found("text").as_deref(), Some("char *text[3]"));
        assert_eq!(found("i").as_deref(), Some("int i"));
        assert_eq!(found("beat"), None);
        assert_eq!(
            declaration(BODY, 13, "x"),
            None,
            "an event has no body of a cooperative thread"
        );
    }
}
