// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a run fails: panics, overflows, faults, and what an assertion asserts.

use lichen_chip::Time;
use lichen_project::{Place, Tree};
use lichen_terminal::failure::Failure;
use lichen_world::{FaultEnd, MoteId, Overflow, UnservedFault};

/// Reasons for which a run fails.
#[derive(Clone, Debug)]
pub struct Problem {
    pub mote: u32,
    pub time: Time,
    pub message: String,
    pub place: lichen_trace::Place,
    /// What to do.
    pub remedy: &'static str,
}

/// The reason of a panic by an assertion.
const ASSERTION: &str = ": assertion failed";
/// What keeps threads from waiting for each other.
pub const SAME_ORDER: &str =
    "let all threads lock mutexes in the same order, or with a deadline: mutex_lock_until";
/// What to do about what was noticed late.
pub const NOTICED: &str = "the place is where it was noticed; --json FILE records what led to it";
/// What to do about a stack that overflows.
const LARGER: &str = "make large local variables `static', let the functions call each other less deeply, or make the stack \
                      larger (that of cooperative threads with COOP_STACK)";

impl Problem {
    /// The failure of the run for this reason; `whose` names the mote if there are several.
    pub fn failure(&self, whose: Option<String>) -> Failure {
        let message = match whose {
            None => self.message.clone(),
            Some(mote) => format!("{mote}: {}", self.message),
        };
        let failure = Failure::failed(&message).remedy(self.remedy);
        let place = &self.place;
        match (&place.file, place.line, place.pc) {
            (Some(file), Some(line), _) => failure.at(Place::line(file, line)),
            (_, _, Some(pc)) => {
                let symbol = place.symbol.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
                Failure { message: format!("{message} at 0x{pc:08x}{symbol}"), ..failure }
            }
            _ => failure,
        }
    }
}

impl From<(MoteId, &UnservedFault)> for Problem {
    fn from((mote, fault): (MoteId, &UnservedFault)) -> Problem {
        let what = match &fault.end {
            FaultEnd::Stuck => "and its handler did not recover".to_string(),
            FaultEnd::Reset(cause) => format!("and a reset ended its handler ({cause})"),
            FaultEnd::Lockup => "and the processor locked up".to_string(),
        };
        let inside = fault.caller.as_ref().and(fault.place.function());
        let inside = inside.map(|function| format!(" in {function}")).unwrap_or_default();
        let message = format!("{}: {}{inside}, {what}", fault.name, fault.reason);
        let (time, place) = (fault.time, fault.caller.as_ref().unwrap_or(&fault.place).clone());
        Problem { mote: mote.0, time, message, place, remedy: NOTICED }
    }
}

impl From<(MoteId, &Overflow)> for Problem {
    fn from((mote, overflow): (MoteId, &Overflow)) -> Problem {
        let Overflow { time, what, place } = overflow.clone();
        Problem { mote: mote.0, time, message: what, place, remedy: LARGER }
    }
}

/// A function of the system in which an assertion failed, its line, and what that asserts.
pub fn inner(tree: &Tree, place: &lichen_trace::Place) -> String {
    let function = place.function().unwrap_or("the system");
    match (&place.file, place.line) {
        (Some(file), Some(line)) => {
            let condition = asserted(tree, file, line).map(|what| format!(": {what}"));
            format!("{function} ({file}:{line}{})", condition.unwrap_or_default())
        }
        _ => function.to_string(),
    }
}

/// The message of a panic in the program's own code, with what it asserts if that is why.
pub fn with_condition(tree: &Tree, message: String, place: &lichen_trace::Place) -> String {
    let condition = || asserted(tree, place.file.as_ref()?, place.line?);
    match message.ends_with(ASSERTION).then(condition).flatten() {
        Some(condition) => format!("{message}: {condition}"),
        None => message,
    }
}

/// What is wrong if an assertion fails, as the line says behind it, or what it requires.
fn asserted(tree: &Tree, file: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(tree.path(file)).ok()?;
    let line = text.lines().nth((line as usize).checked_sub(1)?)?;
    let (condition, said) = line.trim().strip_prefix("assert(")?.rsplit_once(");")?;
    let said = said.trim().strip_prefix("/* else ").and_then(|said| said.strip_suffix("*/"));
    Some(said.map_or(condition, str::trim).to_string())
}
