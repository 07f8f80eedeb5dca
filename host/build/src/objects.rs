// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects and functions that are of another kind than a call needs, and results that a program must look at.

use super::call;
use super::headers::word;
use super::plain::{Error, Plain, between};

/// How to write an event.
const EVENT: &str = "an event has a handler of its own: EVENT(name) { ... } (<lichen/event.h>), and its \
                     address is &name";

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    called(error).or_else(|| kind(error)).or_else(|| address(error)).or_else(|| ignored(error))
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
    let (wanted, given) = note.split_once(" but argument is of type '")?;
    let [wanted, given] = [wanted, given].map(|kind| kind.split('\'').next().unwrap_or(kind));
    let is_function = given.contains("(*)(");
    let (given, wanted) = (bare(given), bare(wanted));
    if let Some(plain) = of_interrupts(error, given, wanted).or_else(|| {
        let what = format!("argument {number} of {function} is {given} *, and not {wanted} *");
        let are_numbers = is_number(given) && is_number(wanted);
        are_numbers.then(|| Plain::new(what).help(format!("declare the variable as {wanted}")))
    }) {
        return Some(plain);
    }
    wanted.ends_with("struct event").then(|| {
        Plain::new(if is_function {
            format!("argument {number} of {function} is a function, and not a {wanted}")
        } else {
            format!(
                "argument {number} of {function} is the address of a {given}, and not of a {wanted}"
            )
        })
        .help(EVENT)
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

/// Whether a type of the language, or of <stdint.h>, is an integer.
fn is_number(kind: &str) -> bool {
    let last = kind.rsplit(' ').next().unwrap_or(kind);
    kind.ends_with("int") || last.contains("int") && last.ends_with("_t")
}

/// A type without what makes it a pointer, and without its other names.
fn bare(kind: &str) -> &str {
    let kind = kind.split(" {aka").next().unwrap_or(kind);
    kind.trim_end_matches(['*', ' ']).trim_start_matches("const ")
}

/// An object where its address belongs.
fn address(error: &Error<'_>) -> Option<Plain> {
    let text = error.text.strip_prefix("incompatible type for argument ")?;
    let (number, function) = text.split_once(" of '")?;
    let function = function.trim_end_matches('\'');
    let note = error.notes.iter().find_map(|note| note.split_once("note: expected '"))?.1;
    let (wanted, given) = note.split_once("' but argument is of type '")?;
    let given = given.trim_end_matches('\'');
    (wanted.trim_end_matches(" *").trim_start_matches("const ") == given).then(|| {
        Plain::new(format!("argument {number} of {function} is a {given}, not its address"))
            .help("write & before its name")
    })
}

/// A result that is ignored.
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
