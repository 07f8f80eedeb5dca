// SPDX-License-Identifier: MIT OR Apache-2.0
//! One step of a history.

use lichen_model::{Actor, Call, Until};
use std::fmt;

/// A step. It is skipped if it does not fit: its actor does not ask, or may not make the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The asking actor makes a call. Moments count from now, in microseconds; 0 is the past.
    Call(Actor, Call),
    /// The asking actor makes a call, and an interrupt comes within it.
    Within(Actor, Call, Strike),
    /// An interrupt of a level comes.
    Interrupt(usize),
    /// All wait, for this many microseconds or until an actor asks.
    Idle(u32),
}

/// An interrupt within a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strike {
    /// Its level.
    pub level: usize,
    /// The index of the instruction, of the call or of its consequences, before which it comes. If
    /// an actor asks before that, it comes then.
    pub instruction: u16,
}

impl Step {
    /// The same on a machine whose least urgent level of interrupts is `driver`: it takes the part of
    /// those below.
    pub(crate) fn at_most(self, driver: usize) -> Step {
        let of = |actor| match actor {
            Actor::Interrupt(level) => Actor::Interrupt(level.min(driver)),
            other => other,
        };
        match self {
            Step::Call(actor, call) => Step::Call(of(actor), call),
            Step::Within(actor, call, strike) => {
                let level = strike.level.min(driver);
                Step::Within(of(actor), call, Strike { level, ..strike })
            }
            Step::Interrupt(level) => Step::Interrupt(level.min(driver)),
            Step::Idle(_) => self,
        }
    }
}

/// Moments that are not near are multiples of this, so that some coincide.
const COINCIDING_US: u64 = 1_000;

/// Converts moments relative to `now` (microseconds) to absolute ones, and sets messages to
/// `message`.
pub(crate) fn resolved(call: Call, now: u64, message: u32) -> Call {
    let at = |until| match until {
        Until::At(0) => Until::At(0),
        Until::At(us @ 1_000..) => {
            Until::At(now.saturating_add(us).next_multiple_of(COINCIDING_US))
        }
        Until::At(us) => Until::At(now.saturating_add(us)),
        Until::Ever => Until::Ever,
    };
    match call {
        Call::SemaphoreWait(object, until) => Call::SemaphoreWait(object, at(until)),
        Call::MutexLock(object, until) => Call::MutexLock(object, at(until)),
        Call::ConditionWait(object, mutex, until) => Call::ConditionWait(object, mutex, at(until)),
        Call::BarrierWait(object, until) => Call::BarrierWait(object, at(until)),
        Call::ReferenceWait(object, until) => Call::ReferenceWait(object, at(until)),
        Call::QueueSend(object, _, until) => Call::QueueSend(object, message, at(until)),
        Call::QueueTrySend(object, _) => Call::QueueTrySend(object, message),
        Call::QueueSendFrom(_) => Call::QueueSendFrom(message),
        Call::QueueReceive(object, until) => Call::QueueReceive(object, at(until)),
        Call::NotifyWait(object, until) => Call::NotifyWait(object, at(until)),
        Call::TimerArm(object, until) => Call::TimerArm(object, at(until)),
        Call::TimerArmEvery(object, first, period) => {
            Call::TimerArmEvery(object, at(first), period)
        }
        Call::SleepUntil(until) => Call::SleepUntil(at(until)),
        Call::ThreadJoin(object, until) => Call::ThreadJoin(object, at(until)),
        other => other,
    }
}

pub(crate) fn name(actor: Actor) -> String {
    match actor {
        Actor::Thread(index) => format!("thread_{index}"),
        Actor::Event(index) => format!("event_{index}"),
        Actor::Coop(index) => format!("coop_{index}"),
        Actor::Pair(index) => format!("pair_{index}"),
        Actor::Interrupt(level) => format!("interrupt of level {level}"),
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Call(actor, call) => write!(f, "{}: {call:?}", name(*actor)),
            Step::Within(actor, call, Strike { level, instruction }) => write!(
                f,
                "{}: {call:?}, an interrupt of level {level} before its instruction {instruction}",
                name(*actor)
            ),
            Step::Interrupt(level) => write!(f, "an interrupt of level {level} comes"),
            Step::Idle(us) => write!(f, "everybody waits for {us} us"),
        }
    }
}
