// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is missing around a line, stands in the wrong order, or is of another kind than belongs there: declarations
//! by macros are no declarations to whoever reads the compiler's error.

use super::headers::{without_attributes, word};
use super::plain::{Error, Plain, between};
use super::{call, coop, message, names, task, texts, written};
use lichen_project::Place;

/// What macros of the system begin with, once they are expanded.
const EXPANDED: &str = "before '_Static_assert'";

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    names::explained(error)
        .or_else(|| task::explained(error))
        .or_else(|| written::explained(error))
        .or_else(|| init(error))
        .or_else(|| below(error))
        .or_else(|| semicolon(error))
        .or_else(|| brace(error))
        .or_else(|| coop::explained(error))
        .or_else(|| texts::explained(error))
        .or_else(|| constant(error))
        .or_else(|| kind(error))
        .or_else(|| count(error))
        .or_else(|| ignored(error))
        .or_else(|| number(error))
}

/// INIT with a body of its own.
fn init(error: &Error<'_>) -> Option<Plain> {
    let name = undeclared(error)?;
    if error.declared_by()? != ("INIT", name) || declared_below(error, name).is_some() {
        return None;
    }
    Some(
        Plain::new(format!("INIT names a function, and there is no function `{name}'"))
            .help(format!("write static void {name}(void) {{ ... }}, and INIT({name}); below it")),
    )
}

fn undeclared<'e>(error: &Error<'e>) -> Option<&'e str> {
    between(error.text, "implicit declaration of function '", "'")
        .or_else(|| Some(error.text.strip_prefix('\'')?.split_once("' undeclared")?.0))
}

/// What is declared further down.
fn below(error: &Error<'_>) -> Option<Plain> {
    let name = undeclared(error)?;
    let (number, macro_) = declared_below(error, name)?;
    let announced = match macro_ {
        Some("EVENT") => format!(", or write EVENT_EXTERN({name}); above it"),
        Some("COOP") => format!(", or write COOP_EXTERN({name}); above it"),
        Some(other) => match written::object(other) {
            Some(object) => format!(", or write extern {object} {name}; above it"),
            None => String::new(),
        },
        None => ", or write there what it is: the line with the name, and ; behind it".to_string(),
    };
    Some(
        Plain::new(format!("`{name}' is declared further down, in line {number}"))
            .help(format!("move this behind it{announced}")),
    )
}

/// The line below the error that declares `name`, and the macro by which it does.
fn declared_below<'e>(error: &Error<'e>, name: &str) -> Option<(usize, Option<&'e str>)> {
    let here = error.place?.line? as usize;
    error.file.lines().enumerate().skip(here).find_map(|(index, line)| {
        let number = index + 1;
        match error.headers.declaration(line) {
            Some((macro_, first)) => (first == name).then_some((number, Some(macro_))),
            None => declares(line, name).then_some((number, None)),
        }
    })
}

/// Whether a line at the outermost level declares a function or a variable called `name`.
pub(super) fn declares(line: &str, name: &str) -> bool {
    let begins = line.starts_with(|c: char| c.is_ascii_alphabetic());
    let mut words = line.match_indices(name).map(|(at, _)| {
        let (before, behind) = (&line[..at], line[at + name.len()..].trim_start());
        before.ends_with([' ', '*']) && behind.starts_with(['(', ';', '=', '['])
    });
    begins && words.any(|is_declared| is_declared)
}

/// A declaration by a macro follows what has no end.
fn semicolon(error: &Error<'_>) -> Option<Plain> {
    if !error.text.starts_with("expected ") || !error.text.contains(EXPANDED) {
        return None;
    }
    let (place, _) = before(error)?;
    Some(
        Plain::new("a ; is missing at the end of this line")
            .help("declarations end with it, by macros and of structures, too")
            .at(Some(place)),
    )
}

/// The last line before the error that is neither empty nor a comment.
fn before<'e>(error: &Error<'e>) -> Option<(Place, &'e str)> {
    let place = error.place?;
    let here = place.line? as usize - 1;
    let lines: Vec<&str> = error.file.lines().take(here).collect();
    let index = lines.iter().rposition(|line| is_code(line))?;
    Some((Place::line(&place.file, index as u32 + 1), lines[index]))
}

/// Whether a line is neither empty nor begins as a comment does.
pub(super) fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !["//", "/*", "*"].iter().any(|begin| line.starts_with(begin))
}

/// The body of a thread, event or function without its {.
fn brace(error: &Error<'_>) -> Option<Plain> {
    if error.text.starts_with("expected declaration specifiers before") {
        let called = error.declared_by().and_then(|_| call::first(error.line));
        let behind = called.map_or("", |called| called.behind.trim());
        if !behind.is_empty() && !behind.starts_with(['{', '/']) {
            return Some(
                Plain::new("what stands behind the declaration is no body: it has no { }")
                    .help(format!("write {{ {behind} }}")),
            );
        }
    }
    let is_confused =
        ["expected declaration specifiers before", "expected '{'", "expected '=', ','"]
            .iter()
            .any(|begin| error.text.starts_with(begin));
    let (place, line) = before(error).filter(|_| is_confused)?;
    let (macro_, _) = error.headers.declaration(line)?;
    line.trim_end().ends_with(')').then(|| {
        Plain::new(format!("the body of {macro_} does not begin"))
            .help("write { behind this line")
            .at(Some(place))
    })
}

/// A pointer that would permit to change what is constant.
fn constant(error: &Error<'_>) -> Option<Plain> {
    if !error.text.contains("discards 'const' qualifier") {
        return None;
    }
    let is_text = error.line.contains('"') && error.text.starts_with("initialization");
    Some(if is_text {
        Plain::new("a text in quotes cannot be changed, and this pointer would permit it")
            .help("declare it const: const char *")
    } else {
        Plain::new("what is const cannot be changed, and this pointer would permit it")
            .help("declare the pointer as one to const, too")
    })
}

/// A function or an object of another kind than belongs there.
fn kind(error: &Error<'_>) -> Option<Plain> {
    let of_timer = error.text.starts_with("initialization ")
        && error.text.contains("from incompatible pointer type")
        && error.declared_by().is_some_and(|(macro_, _)| macro_ == "TIMER");
    if of_timer {
        return Some(Plain::new("what the timer posts is not an event").help(EVENT));
    }
    let text = error.text.strip_prefix("passing argument ")?;
    let (number, function) =
        text.strip_suffix("' from incompatible pointer type")?.split_once(" of '")?;
    let note = error.notes.iter().find_map(|note| note.split_once("note: expected '"))?.1;
    let (wanted, given) = note.split_once("' but argument is of type '")?;
    let given = given.trim_end_matches('\'');
    let is_function = given.contains("(*)(");
    let (given, wanted) = (bare(given), bare(wanted));
    if let Some(plain) = of_interrupts(error, given, wanted) {
        return Some(plain);
    }
    let plain = Plain::new(if is_function {
        format!("argument {number} of {function} is a function, and not a {wanted}")
    } else {
        format!(
            "argument {number} of {function} is the address of a {given}, and not of a {wanted}"
        )
    });
    Some(match wanted.ends_with("struct event") {
        true => plain.help(EVENT),
        false => plain.help(declared_here(error).unwrap_or_else(|| "check the names".to_string())),
    })
}

/// An object of threads where one of interrupts belongs, or the other way round.
fn of_interrupts(error: &Error<'_>, given: &str, wanted: &str) -> Option<Plain> {
    let (given, wanted) = (given.strip_prefix("struct ")?, wanted.strip_prefix("struct ")?);
    let address = error.line.find('&').map(|at| &error.line[at + 1..]).and_then(word);
    let name = address.unwrap_or("name");
    let (threads, interrupts) = (given.to_uppercase(), wanted.to_uppercase());
    if wanted.strip_suffix("_rt") == Some(given) {
        let mut calls = error.file.lines().filter_map(call::first);
        let declared =
            calls.find(|called| called.name == threads && called.arguments.first() == Some(&name));
        let mut arguments = declared.map_or(vec![name, "..."], |called| called.arguments);
        let level =
            if given == "queue" { ", with level the .priority of the task that sends" } else { "" };
        if given == "queue" {
            arguments.push("level");
        }
        return Some(
            Plain::new(format!(
                "`{name}' is a {threads}, and interrupts and real-time tasks use a {interrupts}"
            ))
            .help(format!(
                "declare it as {interrupts}({}){level}; threads name it &{name}.{given} (<lichen/{given}.h>)",
                arguments.join(", ")
            )),
        );
    }
    (given.strip_suffix("_rt") == Some(wanted)).then(|| {
        Plain::new(format!("`{name}' is a {threads}, in which the {wanted} is a field"))
            .help(format!("write &{name}.{wanted}"))
    })
}

const EVENT: &str = "an event has a handler of its own: EVENT(name) { ... } (<lichen/event.h>), and its \
                     address is &name";

/// A type without what makes it a pointer, and without its other names.
fn bare(kind: &str) -> &str {
    let kind = kind.split(" {aka").next().unwrap_or(kind);
    kind.trim_end_matches(['*', ' ']).trim_start_matches("const ")
}

/// What a call returns and nobody looks at.
fn ignored(error: &Error<'_>) -> Option<Plain> {
    let function = between(error.text, "ignoring return value of '", "'")?;
    // The program calls a macro that calls it, perhaps.
    let called = error.here().and_then(word);
    let name = called.filter(|name| error.headers.find(name).is_some()).unwrap_or(function);
    Some(
        Plain::new(format!("{name} returns whether it worked, and nothing looks at that"))
            .help(format!("write if ({name}(...) != 0) {{ ... }}; (void) before it is not enough, (void)!{name}(...) is")),
    )
}

/// A number where an address belongs.
fn number(error: &Error<'_>) -> Option<Plain> {
    let text = error.text.strip_prefix("passing argument ")?;
    let (number, function) = text.split_once(" of '")?;
    let function = function.strip_suffix("' makes pointer from integer without a cast")?;
    let declared = declared_here(error).filter(|_| function != "print")?;
    Some(
        Plain::new(format!("argument {number} of {function} is a number, not an address"))
            .help(declared),
    )
}

/// A call with too few arguments or too many.
fn count(error: &Error<'_>) -> Option<Plain> {
    let name = |how| between(error.text, how, "'");
    let (name, wrong) = match name("too few arguments to function '") {
        Some(name) => (name, "more"),
        None => (name("too many arguments to function '")?, "fewer"),
    };
    let plain = Plain::new(format!("{name} takes {wrong} arguments than are given here"));
    Some(plain.help(declared_here(error)?))
}

/// The declaration that a note on the error names, in one line, and where it is.
fn declared_here(error: &Error<'_>) -> Option<String> {
    let is_inner = |note: &&String| note.contains(": note: in ") || !note.contains(": note: ");
    let note = error.notes.iter().find(|note| !is_inner(note))?;
    let place = message::place(note.split_once(": note: ")?.0)?;
    let text = std::fs::read_to_string(&place.file).ok()?;
    let lines = text.lines().skip(place.line? as usize - 1);
    let mut declaration = String::new();
    for line in lines.take(MOST_LINES) {
        let (part, is_last) = match line.find([';', '{']) {
            Some(end) => (&line[..end], true),
            None => (line, false),
        };
        declaration = format!("{declaration} {}", part.trim());
        if is_last {
            break;
        }
    }
    let declaration = without_attributes(&declaration);
    let mut declaration = declaration.trim();
    if declaration.starts_with('#') {
        return None;
    }
    while let Some(rest) = MODIFIERS.iter().find_map(|word| declaration.strip_prefix(word)) {
        declaration = rest.trim_start();
    }
    let file = place.file.to_string_lossy();
    let at = match file.split_once("os/include/") {
        Some((_, header)) => format!("<{header}>"),
        None => format!("{file}:{}", place.line?),
    };
    Some(format!("{declaration} ({at})"))
}

/// What the declarations of functions begin with that nobody needs to know who calls them.
const MODIFIERS: [&str; 4] = ["static ", "inline ", "MUST_CHECK ", "extern "];
/// Most lines of a declaration.
const MOST_LINES: usize = 4;
