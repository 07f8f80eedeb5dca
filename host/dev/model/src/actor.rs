// SPDX-License-Identifier: MIT OR Apache-2.0
//! Actors: threads, events, interrupts; which of them runs, and what is observed of it.

use crate::{Call, Model, Tick, error};

/// What makes calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A thread.
    Thread(usize),
    /// The handler of an event.
    Event(usize),
    /// The handler of a woven pair.
    Pair(usize),
    /// A cooperative thread.
    Coop(usize),
    /// The handler of an interrupt of a level.
    Interrupt(usize),
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Its return value and, for calls that have one, another value.
    Exact(i32, u32),
    /// The clock in microseconds: the lower 32 bits of one of these moments.
    Clock(u64, u64),
}

impl Answer {
    /// For an actor that begins.
    pub const BEGIN: Answer = Answer::Exact(-1, 0);

    pub(crate) fn result(result: i32) -> Answer {
        Answer::Exact(result, 0)
    }

    pub(crate) fn allows(&self, result: i32, value: u32) -> bool {
        match *self {
            Answer::Exact(r, v) => (r, v) == (result, value),
            Answer::Clock(from, to) => {
                result == error::NONE && u64::from(value.wrapping_sub(from as u32)) <= to - from
            }
        }
    }
}

/// What was observed of a mote: which actor asks for its next call, and what its last call
/// returned; or that all wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// This actor asks.
    Asks(Actor, i32, u32),
    /// No actor asks: the mote idles.
    Idle,
}

/// What an actor does when it continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Doing {
    /// A call that began at a tick or later.
    Call(Call, Tick),
    /// Woken from a condition: locks the mutex, and returns this.
    Relock(usize, i32),
}

/// A handler that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handler {
    pub actor: Actor,
    pub doing: Option<Doing>,
    pub answer: Answer,
}

impl Model {
    /// What runs: the most urgent handler, or the first ready thread, or a cooperative thread.
    pub(crate) fn actor(&self) -> Option<Actor> {
        let handler = self.handlers.last().map(|handler| handler.actor);
        let thread = || self.running().map(Actor::Thread);
        handler.or_else(thread).or_else(|| self.running_coop().map(Actor::Coop))
    }

    pub(crate) fn doing(&self) -> Option<Doing> {
        match self.actor()? {
            Actor::Thread(thread) => self.threads[thread].doing,
            Actor::Coop(coop) => self.coops[coop].doing,
            _ => self.handlers.last()?.doing,
        }
    }

    pub(crate) fn answer(&self) -> Option<Answer> {
        match self.actor()? {
            Actor::Thread(thread) => Some(self.threads[thread].answer),
            Actor::Coop(coop) => Some(self.coops[coop].answer),
            _ => Some(self.handlers.last()?.answer),
        }
    }

    pub(crate) fn enter(&mut self, actor: Actor) {
        self.handlers.push(Handler { actor, doing: None, answer: Answer::BEGIN });
    }

    /// Whether an interrupt of `level` would interrupt what runs.
    pub fn interruptible(&self, level: usize) -> bool {
        level <= self.port.driver && would_interrupt(&self.handlers, level)
    }

    /// Whether an interrupt would interrupt a call: a call that ends a handler may be interrupted
    /// by anything that this handler has delayed.
    pub fn interruptible_in(&self, call: Call, level: usize) -> bool {
        match (call, self.handlers.split_last()) {
            (Call::Return, Some((_, others))) => {
                level <= self.port.driver && would_interrupt(others, level)
            }
            _ => self.interruptible(level),
        }
    }

    /// Whether an alarm's interrupt may come: also just before one that has begun and made no call.
    pub(crate) fn is_alarm_heard(&self) -> bool {
        let begins = |handler: &Handler| {
            let asks = handler.doing.is_none() && handler.answer == Answer::BEGIN;
            asks && matches!(handler.actor, Actor::Interrupt(_))
        };
        let handlers = match self.handlers.split_last() {
            Some((last, others)) if begins(last) => others,
            _ => &self.handlers,
        };
        would_interrupt(handlers, self.port.driver)
    }

    /// An interrupt of a level begins.
    pub fn interrupt(&mut self, level: usize) {
        self.enter(Actor::Interrupt(level));
    }

    /// An interrupt of a level comes at some point within what happens now.
    pub fn interrupt_within(&mut self, level: usize) {
        self.coming = Some(level);
    }

    /// The asking actor begins a call.
    pub fn begin(&mut self, call: Call) {
        let doing = Some(Doing::Call(call, self.now));
        match self.actor() {
            Some(Actor::Thread(thread)) => self.threads[thread].doing = doing,
            Some(Actor::Coop(coop)) => self.coops[coop].doing = doing,
            _ => self.handlers.iter_mut().last().into_iter().for_each(|last| last.doing = doing),
        }
    }

    /// What the model would show, for a message.
    pub fn expectation(&self) -> (Option<Actor>, Option<Answer>) {
        (self.actor(), self.answer())
    }

    /// For how long the computing actors compute.
    pub fn computing_us(&self) -> u64 {
        let threads = self.threads.iter().filter_map(|thread| thread.doing);
        let coops = self.coops.iter().filter_map(|coop| coop.doing);
        let handlers = self.handlers.iter().filter_map(|handler| handler.doing);
        let all = threads.chain(coops).chain(handlers);
        all.map(|doing| match doing {
            Doing::Call(Call::Compute(us), _) => us.into(),
            _ => 0,
        })
        .sum()
    }
}

fn would_interrupt(handlers: &[Handler], level: usize) -> bool {
    handlers.iter().all(|handler| match handler.actor {
        Actor::Interrupt(active) => level < active,
        _ => true,
    })
}
