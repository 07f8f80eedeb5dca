// SPDX-License-Identifier: MIT OR Apache-2.0
//! A history as a C program that uses the public API, to be run, debugged, or kept as a test.
//!
//! Each actor makes its calls in their order; the kernel decides which actor runs when, as in any
//! program. An interrupt is requested by the actor that was about to make a call when it came, or,
//! if all waited, by the thread `teller`, which at the end prints what each call has returned.
//! Moments are those of the run that was compared. A program with only cooperative threads cannot
//! print: its results are in `returned`. An interrupt that came within a call is requested after
//! it.

use crate::statement::statement;
use crate::{Difference, Step, heads};
use lichen_model::{Actor, COOPS, CREATED, Call, EVENTS, PAIRS, Program, Seen};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Threads as in `test/model/threads/threads.c`: priority, and whether the kernel starts them.
const THREADS: [(u8, bool); 5] = [(10, true), (8, true), (8, true), (4, true), (4, false)];
/// Woven pairs as there, by their halves.
const HALVES: [&str; PAIRS] = ["event_3, event_4", "pair_0, event_5", "event_3, event_6"];

/// The actors' code: lines for each of an actor's runs.
#[derive(Default)]
struct Parts {
    runs: BTreeMap<Actor, Vec<Vec<String>>>,
    /// The teller's actions, with times in microseconds.
    reporter: Vec<(u64, String)>,
}

impl Parts {
    fn line(&mut self, actor: Actor, line: String) {
        let runs = self.runs.entry(actor).or_default();
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        if let Some(run) = runs.last_mut() {
            run.push(line);
        }
    }

    /// An actor begins again, if it has begun before.
    fn begins(&mut self, actor: Actor) {
        self.runs.entry(actor).or_default().push(Vec::new());
    }

    /// The same for a cooperative thread, which may not wait in a `switch`.
    fn coop_body(&self, actor: Actor) -> String {
        let runs = self.runs.get(&actor).map(Vec::as_slice).unwrap_or_default();
        let mut text = String::from("    static unsigned run;\n    COOP_BEGIN();\n    run++;\n");
        for (number, lines) in runs.iter().enumerate() {
            let _ = writeln!(text, "    if (run == {}) {{", number + 1);
            lines.iter().for_each(|line| {
                let _ = writeln!(text, "        {line}");
            });
            text.push_str("    }\n");
        }
        text.push_str("    COOP_END();\n");
        text
    }

    fn body(&self, actor: Actor) -> String {
        let runs = self.runs.get(&actor).map(Vec::as_slice).unwrap_or_default();
        let mut text = String::from(
            "    static unsigned run;\n    uint32_t message;\n    (void)message;\n    switch (run++) {\n",
        );
        for (number, lines) in runs.iter().enumerate() {
            let _ = writeln!(text, "    case {number}:");
            lines.iter().for_each(|line| {
                let _ = writeln!(text, "        {line}");
            });
            text.push_str("        break;\n");
        }
        text.push_str("    }\n");
        text
    }
}

/// The program.
pub fn listing(difference: &Difference) -> String {
    let mut parts = Parts::default();
    let mut end = 0;
    for (number, done) in difference.done.iter().enumerate() {
        let us = difference.port.us_of_tick(done.tick);
        end = us;
        match done.step {
            Step::Call(actor, call) => {
                parts.line(
                    actor,
                    format!("{} /* {us} us: {} */", statement(number, actor, call), done.words),
                );
            }
            Step::Within(actor, call, strike) => {
                let level = strike.level;
                let comes = format!("an interrupt of level {level}, {}", done.words);
                parts.line(actor, format!("/* Within this call came {comes}. */"));
                parts.line(actor, statement(number, actor, call));
                parts.line(actor, format!("software_interrupts(1u << {level}); /* {us} us */"));
            }
            Step::Interrupt(level) => {
                let line = format!("software_interrupts(1u << {level}); /* {us} us */");
                match done.seen[0] {
                    Some(Seen::Asks(actor, ..)) => parts.line(actor, line),
                    _ => parts.reporter.push((us, line)),
                }
            }
            Step::Idle(_) => {}
        }
        if let Some(Seen::Asks(actor, -1, _)) = done.seen[1]
            && !begins_again(&done.step, done.seen[0], actor)
        {
            parts.begins(actor);
        }
    }
    if let Some(Some(Seen::Asks(actor, -1, _))) = difference.done.first().map(|done| done.seen[0]) {
        let runs = parts.runs.entry(actor).or_default();
        if runs.is_empty() {
            runs.push(Vec::new());
        }
    }
    write_out(difference, &parts, end)
}

/// An actor that has only been interrupted reports again that it begins.
fn begins_again(step: &Step, before: Option<Seen>, actor: Actor) -> bool {
    let interrupted = matches!(
        step,
        Step::Call(Actor::Interrupt(_) | Actor::Event(_) | Actor::Pair(_), Call::Return)
    );
    let same = matches!(before, Some(Seen::Asks(other, -1, _)) if other == actor);
    (interrupted && matches!(actor, Actor::Thread(_))) || same
}

fn write_out(difference: &Difference, parts: &Parts, end: u64) -> String {
    let program = difference.program;
    let mut text = heads::ALL.to_string();
    if program != Program::Alone {
        text += heads::OBJECTS;
    }
    if program != Program::Threads {
        text += heads::COOPS;
    }
    let allowed = difference.allowed.join("; or ");
    let _ = write!(text, "\n/* The mote:  {}\n * The model: {allowed} */\n", difference.seen);
    for level in 0..=difference.port.driver {
        let body = parts.body(Actor::Interrupt(level));
        let _ = write!(text, "\nSOFTWARE_INTERRUPT({level})\n{{\n{body}}}\n");
    }
    match program {
        Program::Alone => text += heads::ALONE,
        _ => write_kernel_actors(&mut text, program, parts),
    }
    if program != Program::Threads {
        for coop in 0..COOPS {
            let body = parts.coop_body(Actor::Coop(coop));
            let _ = write!(text, "\nCOOP(coop_{coop})\n{{\n{body}}}\n");
        }
    }
    text + &reporter(program, parts, end)
}

/// Events, woven pairs and threads.
fn write_kernel_actors(text: &mut String, program: Program, parts: &Parts) {
    for event in 0..EVENTS {
        let _ = write!(text, "\nEVENT(event_{event})\n{{\n{}}}\n", parts.body(Actor::Event(event)));
    }
    for (pair, halves) in HALVES.iter().enumerate() {
        let body = parts.body(Actor::Pair(pair));
        let _ = write!(text, "\nWOVEN(pair_{pair}, {halves})\n{{\n{body}}}\n");
    }
    for (thread, (priority, starts)) in THREADS.iter().enumerate() {
        let starts = *starts && (program == Program::Threads || thread == 0);
        let kind = if starts { "THREAD" } else { "THREAD_STOPPED" };
        let body = parts.body(Actor::Thread(thread));
        let _ = write!(text, "\n{kind}(thread_{thread}, MODEL_STACK, {priority})\n{{\n{body}}}\n");
    }
    let body = parts.body(Actor::Thread(CREATED));
    let _ = write!(
        text,
        "\nstatic void created_entry(void *argument)\n{{\n    (void)argument;\n{body}}}\n\
         static THREAD_STACK(created_stack, MODEL_STACK);\n\
         struct thread_created thread_5 = {{\n    .info = {{.entry = created_entry,\n             \
         .stack = created_stack,\n             .stack_bytes = sizeof(created_stack),\n             \
         .name = \"thread_5\",\n             .priority = 6}},\n    .thread = {{.state = THREAD_STOPPED}}}};\n"
    );
}

/// The actor that requests interrupts while all others wait, and prints at the end: a thread or, if
/// there are none, a cooperative one.
fn reporter(program: Program, parts: &Parts, end: u64) -> String {
    let last = (end + 100_000, String::new());
    let mut text = String::new();
    let mut before = 0;
    for (us, line) in parts.reporter.iter().chain([&last]) {
        let _ = match program {
            Program::Alone => writeln!(text, "    coop_sleep_ms({});", (us - before) / 1_000),
            _ => writeln!(text, "    sleep_until_us({us});"),
        };
        let _ = writeln!(text, "    {line}");
        before = *us;
    }
    if program != Program::Alone {
        text.push_str(heads::TELL);
    }
    match program {
        Program::Alone => {
            format!("\nCOOP(teller)\n{{\n    COOP_BEGIN();\n{text}    COOP_END();\n}}\n")
        }
        _ => format!("\nTHREAD(teller, MODEL_STACK, 1)\n{{\n{text}}}\n"),
    }
}
