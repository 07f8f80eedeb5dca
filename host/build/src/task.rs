// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mistakes with real-time tasks: what only they may call, what they are called by, and what they declare.

use super::call;
use super::plain::{Error, Plain, between};

/// What only real-time tasks call, and what others call.
const OTHERS: [(&str, &str); 4] = [
    ("rt_post", "event_post"),
    ("rt_notify", "notify_post"),
    ("rt_semaphore_post", "semaphore_post"),
    ("rt_queue_send", "queue_send"),
];
/// What the body of a task has.
const IN_BODY: [&str; 2] = ["'rt_level' undeclared", "'rt_timer_' undeclared"];
/// Calls that name a task.
const OF_TASK: [&str; 3] = ["rt_period_start", "rt_period_change", "rt_period_stop"];

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    elsewhere(error).or_else(|| address(error)).or_else(|| timer(error))
}

/// A call of real-time tasks in another place.
fn elsewhere(error: &Error<'_>) -> Option<Plain> {
    if !IN_BODY.iter().any(|begin| error.text.starts_with(begin)) {
        return None;
    }
    let called = error.line.find("rt_").and_then(|at| call::first(&error.line[at..]))?;
    let plain = Plain::new(format!("{} is for the body of a real-time task", called.name));
    let ours = OTHERS.iter().find(|(theirs, _)| *theirs == called.name);
    Some(match ours {
        Some((_, ours)) => {
            plain.help(format!("elsewhere write {ours}({})", called.arguments.join(", ")))
        }
        None => plain.help("take it away: only RT_TASK(...) { ... } has a request to acknowledge"),
    })
}

/// The address of a task in place of its name.
fn address(error: &Error<'_>) -> Option<Plain> {
    let is_address = error.text.starts_with("taking address of expression of type 'void'")
        || error.text.starts_with("lvalue required as unary '&'");
    let name = OF_TASK.iter().find(|name| error.line.contains(*name)).filter(|_| is_address)?;
    let (_, given) = error.line.split_once(name)?;
    let given = given.trim_start_matches(['(', ' ']).trim_start_matches('&');
    let end = given.find([',', ')'])?;
    Some(
        Plain::new(format!("{name} takes the name of the task, and not its address"))
            .help(format!("write it without &: {name}({}", &given[..=end])),
    )
}

/// A declaration that leaves open which number is which.
pub(super) fn nameless(error: &Error<'_>) -> Option<Plain> {
    if !error.text.contains("declared with attribute error: ") {
        return None;
    }
    let begin = error.file.lines().take(error.place?.line? as usize - 1).map(|line| line.len() + 1);
    let declared = call::first(error.file.get(begin.sum()..)?)?;
    let is_task = declared.name.starts_with("RT_TASK") && declared.before.trim().is_empty();
    let values = declared.arguments.get(2..).filter(|values| is_task && !values.is_empty())?;
    if values.iter().any(|value| value.starts_with('.')) {
        return None;
    }
    Some(Plain::new("the values of the real-time task have no names").help(format!(
        "write {}({}, {}, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)",
        declared.name, declared.arguments[0], declared.arguments[1]
    )))
}

/// A timer that the chip does not have, in the linker's words or in those of the compiler.
fn timer(error: &Error<'_>) -> Option<Plain> {
    if let Some(name) = between(error.text, "undefined reference to `rt_timer_", "'") {
        return Some(Plain::new(format!("`{name}' is no timer, and so starts no task every period")).help(
            "give the task a timer: RT_TIMER_A or RT_TIMER_B, on the SAM R21 also RT_TIMER_C (<lichen/rt.h>)",
        ));
    }
    let name = between(error.text, "undefined reference to `interrupt_vector_", "'")
        .or_else(|| error.text.strip_prefix("the chip has no interrupt "))?;
    let called = call::first(error.line).filter(|called| called.name.starts_with("RT_TASK"))?;
    let task = called.arguments.first()?;
    if name.bytes().all(|c| c.is_ascii_digit()) {
        let written = called.arguments.get(1).unwrap_or(&name);
        return Some(
            Plain::new(format!(
                "<avr/io.h> makes a number of `{written}', the interrupt of `{task}'"
            ))
            .help(format!("write #undef {written} below the #include")),
        );
    }
    Some(Plain::new(format!("the chip has no timer or interrupt `{name}' for `{task}'")).help(
        "RT_TIMER_A and RT_TIMER_B are timers of each chip, RT_TIMER_C of the SAM R21; interrupts have the \
         names of the data sheet",
    ))
}
