// SPDX-License-Identifier: MIT OR Apache-2.0
//! Declarations by macros of the system that are written as those of C are, or as functions, and what stands where
//! only declarations may.

use super::call::{self, Call};
use super::plain::{Error, Plain, between};

/// What C's own declarations begin with.
const BEFORE: [&str; 6] = ["static", "void", "extern", "int", "const", "inline"];
/// What the compiler says of a declaration by a macro that begins so.
const CONFUSED: [&str; 5] = [
    "expected identifier or '('",
    "declared 'extern'",
    "duplicate '",
    "two or more data types",
    "expected '=', ','",
];
/// What macros declare: objects that other files may name.
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
/// Words that begin statements.
const STATEMENTS: [&str; 6] = ["for", "while", "if", "switch", "do", "return"];

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    prefixed(error)
        .or_else(|| misspelt(error))
        .or_else(|| inside(error))
        .or_else(|| outside(error))
        .or_else(|| called(error))
        .or_else(|| init(error))
        .or_else(|| variable(error))
        .or_else(|| swapped(error))
        .or_else(|| setup(error))
        .or_else(|| port(error))
        .or_else(|| definition(error))
        .or_else(|| address(error))
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

/// What a macro declares, if other files may name it.
pub(super) fn object(macro_: &str) -> Option<&'static str> {
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

/// A declaration inside a function, which is meant to be there, or follows a function without its last brace.
fn inside(error: &Error<'_>) -> Option<Plain> {
    let declared = error.declared_by();
    let is_local = error.text.starts_with("invalid storage class")
        || error.text.contains("nested functions are disabled")
        || declared.is_some()
            && (error.text.starts_with("section attribute cannot be specified for local")
                || error.text.contains("' follows non-static declaration"));
    let what = match declared {
        _ if !is_local => return None,
        Some((macro_, _)) => macro_.to_string(),
        None => format!("`{}'", between(error.text, "for function '", "'")?),
    };
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

/// A call or a statement outside of functions.
fn outside(error: &Error<'_>) -> Option<Plain> {
    let confused = [
        "expected declaration specifiers or",
        "expected identifier or '(' before",
        "data definition has no type",
    ];
    if !confused.iter().any(|begin| error.text.starts_with(begin)) {
        return None;
    }
    let stands = |what: &str| {
        let help = "put it into a THREAD, or into a function that INIT names (<lichen/init.h>)";
        let is_indented = error.line.starts_with([' ', '\t']);
        let brace = if is_indented { "; a } above it may be one too many" } else { "" };
        Plain::new(format!("{what} stands outside of every function"))
            .help(format!("{help}{brace}"))
    };
    if let Some(word) = between(error.text, "expected identifier or '(' before '", "'") {
        if STATEMENTS.contains(&word) {
            return Some(stands(&format!("the `{word}'")));
        }
    }
    let Call { before, name, behind, .. } = call::first(error.line)?;
    let is_call = before.trim().is_empty()
        && behind.trim_start().starts_with(';')
        && name.contains(|c: char| c.is_ascii_lowercase());
    is_call.then(|| stands(&format!("the call of `{name}'")))
}

/// What macros declare is called like a function.
fn called(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "called object '", "' is not a function")?;
    let mut declared = error.file.lines().filter_map(|line| error.headers.declaration(line));
    let macro_ = declared.find(|(_, first)| *first == name).map(|(macro_, _)| macro_);
    let (what, help) = match macro_? {
        "THREAD" => ("a thread", "take the call away: threads start by themselves; thread_start is for a THREAD_STOPPED (<lichen/thread.h>)".to_string()),
        "THREAD_STOPPED" => ("a thread", format!("start it: thread_start(&{name}, 0)")),
        "EVENT" => ("an event", format!("post it: event_post(&{name})")),
        "COOP" => ("a cooperative thread", "take the call away: they start by themselves; coop_signal ends their waits (<lichen/coop.h>)".to_string()),
        "RT_TASK" => ("a real-time task", format!("let its timer call it: rt_period_start({name})")),
        other => {
            return Some(
                Plain::new(format!("`{name}' is declared by {other}, and is no function"))
                    .help(format!("hand its address to a function: &{name}")),
            );
        }
    };
    Some(Plain::new(format!("`{name}' is {what}, and no function")).help(help))
}

/// INIT with a call, or with a function that it cannot call.
fn init(error: &Error<'_>) -> Option<Plain> {
    let Call { name, arguments, .. } = call::first(error.line)?;
    let first = arguments.first().filter(|_| name == "INIT")?;
    if let Some((function, _)) = first.split_once('(') {
        return Some(
            Plain::new("INIT names a function, and does not call it")
                .help(format!("write INIT({function}); without the parentheses")),
        );
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

/// A variable where a macro needs a constant.
fn variable(error: &Error<'_>) -> Option<Plain> {
    let is_variable = error.text == "expression in static assertion is not constant"
        || error.text.starts_with("variably modified '");
    let Call { name, arguments, .. } = call::first(error.line).filter(|_| is_variable)?;
    error.headers.find(name)?.parameters.as_ref()?;
    let is_declared =
        |given: &&&str| error.file.lines().any(|line| super::order::declares(line, given));
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

/// A program in two functions, as on Arduino.
fn setup(error: &Error<'_>) -> Option<Plain> {
    let is_uncalled = error.text.starts_with("function declaration isn't a prototype")
        || error.text.starts_with("no previous prototype for '")
        || error.text.ends_with("' defined but not used");
    let Call { name, behind, .. } = call::first(error.line).filter(|_| is_uncalled)?;
    let is_arduinos = ["setup", "loop"].contains(&name) && !behind.starts_with(';');
    is_arduinos.then(|| {
        Plain::new(format!("nothing calls `{name}': programs of Lichen have no setup and no loop"))
            .help(
                "write a thread with both: THREAD(blink, 512, PRIORITY_APP) { what setup does; for (;;) { \
                 what loop does } } (<lichen/thread.h>)",
            )
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

/// A macro of the program whose definition ends with a semicolon.
fn definition(error: &Error<'_>) -> Option<Plain> {
    let is_confused = error.text.starts_with("expected ") && error.text.contains("';'");
    let defined = error.line.trim_end().strip_suffix(';').filter(|_| is_confused)?;
    let _ = defined.trim_start().strip_prefix("#define ")?;
    Some(
        Plain::new("the ; becomes a part of the macro, wherever that is used")
            .help(format!("take it away: {}", defined.trim())),
    )
}
