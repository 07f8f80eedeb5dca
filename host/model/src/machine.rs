// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may happen next.
//!
//! What an actor does and what the kernel does unasked are steps that nothing comes between. An interrupt
//! that comes within a call may come before or after each of those that follow from it: all these orders are
//! moves, and what was seen tells which of them it may have been.

use crate::time::Due;
use crate::{Answer, Model, Seen, Tick, tick_of_us};
use std::collections::HashSet;

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Whoever runs does what it is about to.
    Act,
    /// A thread's call comes to the kernel level: what is posted from now on arrives after it.
    Enter,
    /// The kernel goes on with what was posted.
    Arrive,
    /// The cooperative thread whose turn it is in a pass is looked at.
    Pass,
    /// The interrupt that is coming begins.
    Come,
    /// The clock's handler begins; false: it is over.
    Alarm(bool),
    /// An alarm: a deadline expires; true: more of them, before anything else happens.
    Expire(Due, bool),
    /// The running thread's turn is over.
    Turn,
    /// A thread that does not inherit any more goes on with its turn, before its equals.
    Return(usize),
}

/// Of more states than these the rest is not looked at: many deadlines meet.
const MOST_STATES: usize = 4_000;

impl Model {
    /// Time passes: what happens next happens by `now`.
    pub fn pass(&mut self, now: Tick) {
        self.hold_up(now - self.now);
        self.since = self.now;
        self.now = now;
        self.settle_places();
    }

    /// What may happen next.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.acts() {
            moves.push(Move::Act);
        }
        if self.enters() {
            moves.push(Move::Enter);
        }
        if self.arrives() {
            moves.push(Move::Arrive);
        }
        if self.passes() {
            moves.push(Move::Pass);
        }
        if self.coming.is_some_and(|level| self.interruptible(level)) {
            moves.push(Move::Come);
        }
        if !self.in_alarm {
            moves.extend(self.returning().into_iter().map(Move::Return));
        }
        moves.extend(self.moves_of_clocks());
        moves
    }

    /// Whether no handler is active, and the kernel has nothing to do either.
    pub(crate) fn is_free(&self) -> bool {
        let kernel_is = !self.in_alarm && !self.in_call && self.posts.are_none();
        self.handlers.is_empty() && kernel_is
    }

    /// Whether somebody is about to do something, and nothing of the kernel comes first.
    fn acts(&self) -> bool {
        self.doing().is_some() && (self.is_free() || !self.handlers.is_empty() || self.in_call)
    }

    /// Whether the running thread's call may come to the kernel level before the interrupt that is coming.
    fn enters(&self) -> bool {
        let is_thread = self.handlers.is_empty() && self.running().is_some();
        self.coming.is_some() && is_thread && self.acts() && !self.in_call
    }

    fn arrives(&self) -> bool {
        self.handlers.is_empty() && !self.in_alarm && !self.in_call && !self.posts.are_none()
    }

    /// An alarm comes when nothing is on its way. Once its handler has begun, it goes on before anything
    /// arrives that an interrupt posts meanwhile.
    fn moves_of_clocks(&self) -> Vec<Move> {
        let goes_on = self.in_alarm && self.handlers.is_empty();
        let mut moves = Vec::new();
        if !self.is_free() && !goes_on {
            return moves;
        }
        let due = self.due();
        moves.extend(due.iter().map(|due| Move::Expire(*due, false)));
        moves.extend(due.iter().map(|due| Move::Expire(*due, true)));
        if self.in_alarm {
            moves.push(Move::Alarm(false));
        } else if self.coming.is_some() && self.next_deadline().is_some() {
            moves.push(Move::Alarm(true));
        }
        if self.has_equals() && !self.in_alarm && self.turn_is_over() {
            moves.push(Move::Turn);
        }
        moves
    }

    /// Lets it happen.
    pub fn make(&mut self, what: Move) {
        match what {
            Move::Act => {
                self.in_call &= !self.handlers.is_empty();
                self.act();
            }
            Move::Enter => self.in_call = true,
            Move::Arrive => self.arrive(),
            Move::Pass => self.pass_on_to_next(),
            Move::Come => {
                if let Some(level) = self.coming.take() {
                    self.interrupt(level);
                }
            }
            Move::Turn => self.turn(),
            Move::Return(thread) => self.go_before(thread),
            Move::Alarm(begins) => self.in_alarm = begins,
            Move::Expire(due, more) => {
                self.expire(due);
                self.in_alarm = more;
            }
        }
    }

    /// All states that may be reached by now and agree with what was seen.
    pub fn follow(&self, seen: Seen) -> Vec<Model> {
        let reachable = self.reachable().into_iter();
        reachable.filter(|state| state.agrees(seen)).map(|state| state.told(seen)).collect()
    }

    /// All states in which somebody asks, or everybody waits, that may be reached by
    /// now.
    pub fn reachable(&self) -> Vec<Model> {
        let (mut known, mut found) = (HashSet::new(), Vec::new());
        let mut open = vec![self.clone()];
        while let Some(state) = open.pop()
            && known.len() < MOST_STATES
        {
            for what in state.moves() {
                let mut next = state.clone();
                next.make(what);
                next.renumber();
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
            if state.is_settled() {
                found.push(state);
            }
        }
        found
    }

    /// Whether nothing happens unless somebody is told what to do, or time passes.
    fn is_settled(&self) -> bool {
        let kernel_is = self.is_free() || !self.handlers.is_empty();
        self.coming.is_none() && self.doing().is_none() && kernel_is && !self.passes()
    }

    /// Whether this is what would be seen of it.
    pub fn agrees(&self, seen: Seen) -> bool {
        if !self.is_settled() {
            return false;
        }
        match seen {
            Seen::Idle => self.actor().is_none(),
            Seen::Asks(actor, result, value) => {
                self.actor() == Some(actor)
                    && self.answer().is_some_and(|a| a.allows(result, value))
            }
        }
    }

    /// The clock never goes back behind what was told.
    fn told(mut self, seen: Seen) -> Model {
        if let (Seen::Asks(_, _, value), Some(Answer::Clock(from, _))) = (seen, self.answer()) {
            let us = from + u64::from(value.wrapping_sub(from as u32));
            self.told = self.told.max(tick_of_us(us));
        }
        self
    }
}
