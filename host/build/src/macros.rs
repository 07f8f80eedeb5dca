// SPDX-License-Identifier: MIT OR Apache-2.0
//! Declarations by macros of the system that are not written as they must be. The compiler's error is about what a
//! macro expands to.

use super::call::{self, Call};
use super::headers::word;
use super::plain::{Error, Plain, between};
use super::shown::is_of_headers;
use lichen_project::Place;

/// Words that begin declarations of C.
const BEFORE: [&str; 6] = ["static", "void", "extern", "int", "const", "inline"];
/// Parts of the compiler's text when one of them stands before a macro.
const CONFUSED: [&str; 5] = [
    "expected identifier or '('",
    "declared 'extern'",
    "duplicate '",
    "two or more data types",
    "expected '=', ','",
];
/// Macros that declare objects which other files may name, and the types of these objects.
const OBJECTS: [(&str, &str); 14] = [
    ("THREAD", "struct thread"),
    ("THREAD_STOPPED", "struct thread"),
    ("SEMAPHORE", "struct semaphore"),
    ("SEMAPHORE_RT", "struct semaphore_rt"),
    ("QUEUE", "struct queue"),
    ("QUEUE_RT", "struct queue_rt"),
    ("MUTEX", "struct mutex"),
    ("NOTIFY", "struct notify"),
    ("CONDITION", "struct condition"),
    ("BARRIER", "struct barrier"),
    ("TIMER", "struct timer"),
    ("ALARM", "struct alarm"),
    ("LOG", "struct log"),
    ("LOG_CIRCULAR", "struct log"),
];
/// The expansion of a macro of the system begins so.
const EXPANDED: &str = "before '_Static_assert'";
/// The compiler's text about a value that a body of a macro returns.
const RETURNS: &str = "'return' with a value, in function returning void";

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    prefixed(error)
        .or_else(|| misspelt(error))
        .or_else(|| inside(error))
        .or_else(|| init(error))
        .or_else(|| variable(error))
        .or_else(|| swapped(error))
        .or_else(|| port(error))
        .or_else(|| address(error))
        .or_else(|| below(error))
        .or_else(|| semicolon(error))
        .or_else(|| brace(error))
        .or_else(|| name(error))
        .or_else(|| not_included(error))
        .or_else(|| handler(error))
        .or_else(|| value(error))
}

/// `static THREAD(...)`, `extern EVENT(...)`.
fn prefixed(error: &Error<'_>) -> Option<Plain> {
    let Call { before, name, arguments, .. } = call::first(error.line)?;
    let is_confused = CONFUSED.iter().any(|part| error.text.contains(part));
    let words: Vec<&str> = before.split_whitespace().collect();
    let is_of_c = !words.is_empty() && words.iter().all(|word| BEFORE.contains(word));
    error.headers.find(name).filter(|_| is_confused && is_of_c)?.parameters.as_ref()?;
    let first = arguments.first()?;
    if words.contains(&"extern") {
        return external(name, first);
    }
    let before = before.trim();
    Some(
        Plain::new(format!("`{before}' stands before {name}, which takes nothing before it"))
            .help(format!("take {before} away: {name}({})", arguments.join(", "))),
    )
}

/// The type of the object that a macro declares.
fn object(macro_: &str) -> Option<&'static str> {
    OBJECTS.iter().find(|(name, _)| *name == macro_).map(|(_, object)| *object)
}

fn external(name: &str, first: &str) -> Option<Plain> {
    let written = match name {
        "EVENT" | "COOP" => format!("{name}_EXTERN({first});"),
        _ => {
            format!("extern {} {first};", object(name)?)
        }
    };
    Some(
        Plain::new(format!("{name} makes what it declares, and cannot be extern"))
            .help(format!("to name that of another file, write {written}")),
    )
}

/// A macro in small letters, or with one letter wrong, at the beginning of a declaration.
fn misspelt(error: &Error<'_>) -> Option<Plain> {
    let confused =
        ["expected ", "return type defaults", "data definition has no type", "type defaults"];
    let is_confused = confused.iter().any(|begin| error.text.starts_with(begin));
    let Call { before, name, .. } = call::first(error.line).filter(|_| is_confused)?;
    if !before.is_empty() || error.headers.find(name).is_some() {
        return None;
    }
    let (meant, header) = error.headers.macro_near(name)?;
    Some(
        Plain::new(format!("nothing declares `{name}'"))
            .help(format!("did you mean `{meant}' (<{header}>)?")),
    )
}

/// A declaration inside a function. Either it is meant to be there, or the function above lacks its last brace.
fn inside(error: &Error<'_>) -> Option<Plain> {
    let is_local = error.text.starts_with("invalid storage class")
        || error.text.contains("nested functions are disabled")
        || error.text.starts_with("section attribute cannot be specified for local")
        || error.text.contains("' follows non-static declaration");
    let (what, _) = error.declared_by().filter(|_| is_local)?;
    if error.line.starts_with([' ', '\t']) {
        return Some(
            Plain::new(format!("{what} stands inside a function"))
                .help("declare it at the outermost level of the file, and use its name here"),
        );
    }
    let plain = Plain::new(format!("{what} stands inside a function: a }} is missing above it"));
    Some(match opened(error) {
        Some(line) => plain
            .help(format!("write the }} that ends what begins in line {line}: each {{ needs one")),
        None => plain.help("each { needs a }"),
    })
}

/// The line before the error in which the last body at the outermost level begins.
fn opened(error: &Error<'_>) -> Option<usize> {
    let lines: Vec<&str> = error.file.lines().take(error.place?.line? as usize - 1).collect();
    let is_outermost = |line: &str| line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '{');
    let last =
        lines.iter().rposition(|line| is_outermost(line) && line.trim_end().ends_with('{'))?;
    // A { on a line of its own belongs to the one above.
    let is_alone = lines[last].starts_with('{');
    Some(if is_alone { last } else { last + 1 })
}

/// INIT with a call, without its function, or with a function that it cannot call.
fn init(error: &Error<'_>) -> Option<Plain> {
    let Call { name, arguments, .. } = call::first(error.line)?;
    let first = arguments.first().filter(|_| name == "INIT")?;
    if let Some((function, _)) = first.split_once('(') {
        return Some(
            Plain::new("INIT names a function, and does not call it")
                .help(format!("write INIT({function}); without the parentheses")),
        );
    }
    if let Some(name) = undeclared(error).filter(|name| name == first) {
        let is_missing = declared_below(error, name).is_none();
        return is_missing.then(|| {
            Plain::new(format!("INIT names a function, and there is no function `{name}'")).help(
                format!("write static void {name}(void) {{ ... }}, and INIT({name}); below it"),
            )
        });
    }
    let is_other = error.text.starts_with("initialization ")
        && error.text.contains("from incompatible pointer type");
    is_other.then(|| {
        Plain::new(format!(
            "`{first}' takes an argument or returns a value, and INIT calls it without"
        ))
        .help(format!("declare it as static void {first}(void)"))
    })
}

fn undeclared<'e>(error: &Error<'e>) -> Option<&'e str> {
    between(error.text, "implicit declaration of function '", "'")
        .or_else(|| Some(error.text.strip_prefix('\'')?.split_once("' undeclared")?.0))
}

/// A variable where a macro needs a constant.
fn variable(error: &Error<'_>) -> Option<Plain> {
    let is_variable = error.text == "expression in static assertion is not constant"
        || error.text.starts_with("variably modified '");
    let Call { name, arguments, .. } = call::first(error.line).filter(|_| is_variable)?;
    error.headers.find(name)?.parameters.as_ref()?;
    let is_declared = |given: &&&str| error.file.lines().any(|line| declares(line, given));
    let given = arguments.iter().skip(1).find(is_declared);
    let given = given.map_or("a variable".to_string(), |given| format!("`{given}', a variable,"));
    Some(
        Plain::new(format!("{given} stands where {name} needs a constant"))
            .help("write the number itself, or give it a name: enum { SIZE = 256 };"),
    )
}

/// A queue with its length before its type.
fn swapped(error: &Error<'_>) -> Option<Plain> {
    let Call { name, arguments, .. } = call::first(error.line)?;
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_swapped = error.text.starts_with("expected expression before '")
        && ["QUEUE", "QUEUE_RT"].contains(&name)
        && arguments.get(1).is_some_and(|given| is_number(given));
    let [queue, length, kind, rest @ ..] = arguments.as_slice() else { return None };
    is_swapped.then(|| {
        let mut right = vec![*queue, *kind, *length];
        right.extend(rest);
        Plain::new("the length of the queue stands before the type of its messages")
            .help(format!("write {name}({});", right.join(", ")))
    })
}

/// The port of a pin without its quotes.
fn port(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "'", "' undeclared")?;
    let (_, behind) = error.line.split_once("GPIO_PIN(")?;
    let given = behind.trim_start();
    let is_port = name.len() == 1 && given.starts_with(name);
    let (_, number) = given[..given.find(')')?].split_once(',')?;
    is_port.then(|| {
        Plain::new("the port of a pin is a letter in single quotes")
            .help(format!("write GPIO_PIN('{name}', {})", number.trim()))
    })
}

/// `TIMER(tick, &ticked)`.
fn address(error: &Error<'_>) -> Option<Plain> {
    let Call { name, arguments, .. } = call::first(error.line)?;
    let is_address = error.text.starts_with("lvalue required as unary '&'");
    let given = arguments.last()?.strip_prefix('&')?;
    (is_address && name == "TIMER").then(|| {
        Plain::new("TIMER takes the name of the event, and not its address")
            .help(format!("write it without &: TIMER({}, {given})", arguments[0]))
    })
}

/// What a macro declares further down.
fn below(error: &Error<'_>) -> Option<Plain> {
    let name = undeclared(error)?;
    let (number, macro_) = declared_below(error, name)?;
    let announced = match macro_ {
        "EVENT" | "COOP" => format!(", or write {macro_}_EXTERN({name}); above it"),
        other => match object(other) {
            Some(object) => format!(", or write extern {object} {name}; above it"),
            None => String::new(),
        },
    };
    Some(
        Plain::new(format!("`{name}' is declared further down, in line {number}"))
            .help(format!("move this behind it{announced}")),
    )
}

/// The line below the error in which a macro declares `name`, and that macro.
fn declared_below<'e>(error: &Error<'e>, name: &str) -> Option<(usize, &'e str)> {
    let here = error.place?.line? as usize;
    error.file.lines().enumerate().skip(here).find_map(|(index, line)| {
        let (macro_, first) = error.headers.declaration(line)?;
        (first == name).then_some((index + 1, macro_))
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

/// The name that a macro declares is taken, or cannot be one.
fn name(error: &Error<'_>) -> Option<Plain> {
    let (_, first) = error.declared_by()?;
    if let Some(symbol) = between(error.text, "redefinition of '", "'") {
        return twice(error, symbol, first);
    }
    if first.starts_with('"') && error.text.starts_with("pasting ") {
        let name = first.trim_matches('"');
        return Some(
            Plain::new(format!("{name} is written as a text where a name belongs"))
                .help(format!("names have no quotes: {name}")),
        );
    }
    if word(first) == Some(first) && error.text.starts_with("pasting ") {
        return Some(Plain::new(format!("`{first}' is a macro here, and stands for something else")).help(format!(
            "write #undef {first} behind the #include of the header that defines it: <avr/io.h> defines INT0 to \
             INT7, and ADC, whose other name is ADCW"
        )));
    }
    if error.text.starts_with("expected ") && word(first) != Some(first) {
        let could = first.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        return Some(Plain::new(format!("`{first}' cannot be a name")).help(format!(
            "names are of letters, digits and _, and begin with a letter: {could}"
        )));
    }
    None
}

/// `symbol`, which the declaration of `first` defines, is there already.
fn twice(error: &Error<'_>, symbol: &str, first: &str) -> Option<Plain> {
    let is_other = |note: &&String| !note.contains("note: previous definition");
    let mut others = error.notes.iter().skip_while(is_other);
    let place = |note: &'_ String| Some(note.split_once(": note:")?.0.to_string());
    let other = others.find_map(|note| place(note).filter(|at| !is_of_headers(at)));
    let other = other.map(|at| format!("; the other is at {at}")).unwrap_or_default();
    let vector = symbol.strip_suffix("_handler").or_else(|| symbol.strip_prefix("vector_used_"));
    if let Some(vector) = vector {
        let plain = Plain::new(format!("the interrupt {vector} has two handlers"));
        let what = if error.line.contains("RT_TIMER_") { "timer" } else { "vector" };
        return Some(plain.help(format!("choose another {what} for one of them{other}")));
    }
    let defined = symbol.strip_prefix(first)?;
    if let Some(event) = defined.strip_prefix("_of_") {
        return Some(
            Plain::new(format!("`{first}' weaves `{event}' with itself"))
                .help("WOVEN(pair, one, other) names two events"),
        );
    }
    if let Some(announced) = announced(error, first) {
        return Some(announced);
    }
    // `t_thread` is of `t`, and so is `t`, but `t_of_one` is of something else.
    (defined.matches('_').count() <= 1).then(|| {
        Plain::new(format!("`{first}' is declared twice"))
            .help(format!("give one of them another name{other}"))
    })
}

/// `EVENT(name);` above the event itself.
fn announced(error: &Error<'_>, name: &str) -> Option<Plain> {
    ["EVENT", "COOP"].iter().find_map(|macro_| {
        let announces = |line: &str| line.trim_end() == format!("{macro_}({name});");
        let number = error.file.lines().position(announces)? as u32 + 1;
        let place = Place::line(&error.place?.file, number);
        Some(
            Plain::new(format!("{macro_}({name}) has no body here"))
                .help(format!(
                    "to announce what is declared further down, write {macro_}_EXTERN({name});"
                ))
                .at(Some(place)),
        )
    })
}

/// A macro whose header is not included.
fn not_included(error: &Error<'_>) -> Option<Plain> {
    let confused =
        ["expected ", "data definition has no type", "type defaults to", "return type defaults to"];
    let is_expanded = error.notes.iter().any(|note| note.contains(" macro '"));
    if is_expanded || !confused.iter().any(|begin| error.text.starts_with(begin)) {
        return None;
    }
    let (name, _) = error.declared_by()?;
    let header = &error.headers.find(name)?.header;
    let named = format!("<{header}>");
    let mut includes = error.file.lines().filter(|line| line.trim_start().starts_with("#include"));
    (!includes.any(|line| line.contains(&named))).then(|| error.missing(name)).flatten()
}

/// The handler of an interrupt, as a function.
fn handler(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "no previous prototype for '", "'")?;
    name.ends_with("_Handler").then(|| {
        Plain::new(format!("no header declares `{name}', and it is not static")).help(
            "write static before it, if only this file uses it; a handler of an interrupt is INTERRUPT(VECTOR) \
             (<lichen/interrupt.h>)",
        )
    })
}

/// A thread or an event that returns a value.
fn value(error: &Error<'_>) -> Option<Plain> {
    (error.text == RETURNS).then(|| {
        Plain::new("what returns nothing returns a value here").help(
            "write return; alone, or declare the function with the type of its value; threads and events return none",
        )
    })
}
