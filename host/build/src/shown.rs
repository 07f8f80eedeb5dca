// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is shown of the compiler's output: the lines of the program, not how the system's macros are made.

use std::collections::HashSet;

/// A message of the compiler with the lines that it quotes.
struct Block<'a> {
    /// `file:line:column`, if the first line is a message.
    at: Option<&'a str>,
    /// `error: text` or `note: text`; else the whole line.
    text: &'a str,
    quoted: Vec<&'a str>,
}

/// Words that begin messages, after their place.
const KINDS: [&str; 4] = ["fatal error: ", "error: ", "warning: ", "note: "];
/// How lines begin that say nothing more than those around them.
const SILENT: [&str; 7] = [
    "In file included from ",
    "                 from ",
    "cc1: ",
    "compilation terminated.",
    "collect2: ",
    "-- ",
    "See also ",
];
/// Words in the linker's lines about what the C library misses.
const LIBRARY: [&str; 3] = ["/newlib/libc/", "/libc_nano.a(", "/libc.a("];
/// Notes on the system's headers that say how a macro is made.
const INSIDE: [&str; 4] =
    ["in definition of macro ", "in expansion of macro ", "macro \"", "declared here"];
const EXPANSION: &str = "note: in expansion of macro ";

/// Whether `at` is a place in the system's public headers.
pub(super) fn is_of_headers(at: &str) -> bool {
    at.contains("os/") && at.contains("include/lichen/")
}

/// `file:line` of a place, without the column.
fn line_of(at: &str) -> &str {
    at.rsplit_once(':').map_or(at, |(line, _)| line)
}

/// Whether `line` begins a message of the compiler: its place, and the rest.
pub(super) fn head(line: &str) -> Option<(&str, &str)> {
    let (at, text) =
        KINDS.iter().filter_map(|kind| line.split_once(&format!(": {kind}"))).next()?;
    let begin = line.len() - text.len();
    let kind = KINDS.iter().find(|kind| line[..begin].ends_with(*kind))?;
    Some((at, &line[begin - kind.len()..]))
}

/// `output` as its reader needs it: an error in a macro of the system is one of the line that uses the
/// macro, and is said once.
pub(super) fn readable(output: &str) -> String {
    let blocks = blocks(output);
    let mut said = HashSet::new();
    let mut shown = String::new();
    let mut repeats = false;
    for (index, block) in blocks.iter().enumerate() {
        let Some(at) = block.at else {
            let is_on_note =
                blocks.get(index + 1).is_some_and(|next| next.text.starts_with("note: "));
            if repeats && is_on_note && block.text.contains(": In function '") {
                continue;
            }
            if !is_silent(block.text) && !leads_to_consequence(&blocks[index..], &shown) {
                push(&mut shown, None, block.text, &block.quoted);
                repeats = false;
            }
            continue;
        };
        if block.text.starts_with("note: ") {
            if !repeats && !is_inside(at, block.text) {
                push(&mut shown, Some(at), block.text, &block.quoted);
            }
            continue;
        }
        let used = if is_of_headers(at) { outermost(&blocks[index + 1..]) } else { None };
        let (at, quoted) = used.map_or((at, &block.quoted), |used| (used.0, used.1));
        if used.is_none() && is_consequence(block, &shown) {
            repeats = true;
            continue;
        }
        // What follows on the same line is a consequence, as a rule.
        repeats = !said.insert(line_of(at)) && !block.text.contains("static assertion failed");
        if !repeats {
            push(&mut shown, Some(at), block.text, quoted);
        }
    }
    shown
}

/// Whether an error is one in what a header does with an object of the wrong kind, after that was said.
fn is_consequence(block: &Block<'_>, shown: &str) -> bool {
    block.at.is_some_and(is_of_headers)
        && block.text.contains("array subscript ")
        && shown.contains("from incompatible pointer type")
}

/// Whether the lines at the beginning of `blocks` only say where such an error is inlined.
fn leads_to_consequence(blocks: &[Block<'_>], shown: &str) -> bool {
    let is_inlined = |block: &&Block<'_>| {
        block.at.is_none()
            && (block.text.starts_with("In function ")
                || block.text.trim_start().starts_with("inlined from "))
    };
    let count = blocks.iter().take_while(is_inlined).count();
    count > 0 && blocks.get(count).is_some_and(|block| is_consequence(block, shown))
}

fn is_silent(line: &str) -> bool {
    SILENT.iter().any(|begin| line.starts_with(begin))
        || LIBRARY.iter().any(|words| line.contains(words))
}

/// Whether a note at `at` is on how a macro of the system is made or used.
fn is_inside(at: &str, text: &str) -> bool {
    text.starts_with(EXPANSION)
        // "include '<stdio.h>' or provide a declaration of 'printf'", which would not help.
        || text.contains("or provide a declaration of '")
        || is_of_headers(at) && INSIDE.iter().any(|words| text.contains(words))
}

/// Where the macro is used that the notes after an error name last.
fn outermost<'a, 'b>(after: &'b [Block<'a>]) -> Option<(&'a str, &'b Vec<&'a str>)> {
    let notes = after.iter().take_while(|block| block.text.starts_with("note: "));
    let uses = notes.filter(|block| block.text.starts_with(EXPANSION));
    uses.last().and_then(|block| Some((block.at?, &block.quoted)))
}

fn blocks(output: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for line in output.lines() {
        match (head(line), blocks.last_mut()) {
            (Some((at, text)), _) => blocks.push(Block { at: Some(at), text, quoted: Vec::new() }),
            (None, Some(block)) if block.at.is_some() && is_quoted(line) => block.quoted.push(line),
            _ => blocks.push(Block { at: None, text: line, quoted: Vec::new() }),
        }
    }
    blocks
}

/// `   12 |     text`, and the marks below it.
fn is_quoted(line: &str) -> bool {
    line.starts_with(' ')
        && line
            .trim_start_matches([' ', '1', '2', '3', '4', '5', '6', '7', '8', '9', '0'])
            .starts_with('|')
}

fn push(shown: &mut String, at: Option<&str>, text: &str, quoted: &[&str]) {
    if let Some(at) = at {
        shown.push_str(at);
        shown.push_str(": ");
    }
    for line in std::iter::once(&text).chain(quoted) {
        shown.push_str(line);
        shown.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_a_macro_of_the_system_is_shown_once_where_it_is_used() {
        let output = "In file included from main.c:3:\n\
            main.c:5:10: error: expected ';' before '-' token\n    5 | THREAD(my-thread)\n      |          ^\n\
            /l/os/include/lichen/thread.h:138:13: note: in definition of macro 'THREAD_STACK'\n  \
            138 |     uint8_t name\n      |             ^~~~\n\
            main.c:5:1: note: in expansion of macro 'THREAD'\n    5 | THREAD(my-thread)\n      | ^~~~~~\n\
            main.c:5:10: error: expected ';' before '-' token\n    5 | THREAD(my-thread)\n\
            /l/os/include/lichen/thread.h:9:5: error: static assertion failed: \"small\"\n    9 |  x\n\
            /l/os/include/lichen/thread.h:147:5: note: in expansion of macro 'THREAD_DECLARE'\n  147 | y\n\
            main.c:8:1: note: in expansion of macro 'THREAD'\n    8 | THREAD(t, 16)\n\
            cc1: all warnings being treated as errors\n";
        assert_eq!(
            readable(output),
            "main.c:5:10: error: expected ';' before '-' token\n    5 | THREAD(my-thread)\n      |          ^\n\
             main.c:8:1: error: static assertion failed: \"small\"\n    8 | THREAD(t, 16)\n"
        );
    }

    #[test]
    fn what_is_not_of_the_compiler_stays() {
        let output = "main.c: In function 'f':\nld: main.c:7: undefined reference to `x'\n\
                      CMake Error at a:\n  text\n";
        assert_eq!(readable(output), output);
    }

    #[test]
    fn notes_on_the_programs_own_lines_stay() {
        let output =
            "main.c:9:1: error: redefinition of 'x'\nmain.c:5:1: note: previous definition\n";
        assert_eq!(readable(output), output);
    }
}
