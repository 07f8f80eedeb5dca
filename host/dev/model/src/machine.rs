// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may happen next.
//!
//! The steps of an actor and the kernel's own steps are atomic. An interrupt within a call may come
//! before or after each step that follows from the call: each such order is a move, and the
//! observations show which of them may have happened.

use crate::time::Due;
use crate::{Answer, Model, Owner, Seen, Tick};
use std::collections::HashSet;

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The running actor does its next step.
    Act,
    /// A thread's call reaches the kernel level: what is posted from now on arrives after it.
    Enter,
    /// The kernel continues with what was posted.
    Arrive,
    /// The next cooperative thread of a pass is visited.
    Pass,
    /// The interrupt that is coming begins.
    Come,
    /// The clock's handler begins; false: it is over.
    Alarm(bool),
    /// An alarm: a deadline expires; true: more of them, before anything else happens.
    Expire(Due, bool),
    /// An alarm in microseconds fires.
    Fire(Owner),
    /// The running thread's slice is over.
    Turn,
    /// A thread that no longer inherits continues its slice, before its equals.
    Return(usize),
}

/// Most states that are followed; there are more only if many deadlines coincide.
const MOST_STATES: usize = 4_000;

impl Model {
    /// Time passes: what happens next happens by `now`, which is `us` in microseconds.
    pub fn pass(&mut self, now: Tick, us: u64) {
        self.hold_up(now - self.now);
        self.since = self.now;
        self.now = now;
        self.us = [self.us[1], us];
        self.hold_up_alarms();
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
        moves.extend(self.firing().into_iter().map(Move::Fire));
        if !self.in_alarm {
            moves.extend(self.returning().into_iter().map(Move::Return));
        }
        moves.extend(self.moves_of_clocks());
        moves
    }

    /// Whether no handler is active and the kernel has nothing to do.
    pub(crate) fn is_free(&self) -> bool {
        let kernel_is = !self.in_alarm && !self.in_call && self.posts.are_none();
        self.handlers.is_empty() && kernel_is
    }

    /// Whether an actor is about to do something, and no work of the kernel comes first.
    fn acts(&self) -> bool {
        self.doing().is_some() && (self.is_free() || !self.handlers.is_empty() || self.in_call)
    }

    /// Whether an interrupt may come.
    fn may_come(&self) -> bool {
        self.coming.is_some() || !self.firing().is_empty()
    }

    /// Whether the running thread's call may reach the kernel level before an interrupt that may
    /// come.
    fn enters(&self) -> bool {
        let is_thread = self.handlers.is_empty() && self.running().is_some();
        is_thread && self.acts() && !self.in_call && self.may_come()
    }

    fn arrives(&self) -> bool {
        self.handlers.is_empty() && !self.in_alarm && !self.in_call && !self.posts.are_none()
    }

    /// An alarm comes when no post is pending, or, where alarms overtake, when none is being served.
    /// Once its handler has begun, it continues before anything arrives that an interrupt posts
    /// meanwhile.
    fn moves_of_clocks(&self) -> Vec<Move> {
        let goes_on = self.in_alarm && self.handlers.is_empty();
        let overtakes = self.port.alarms_overtake && self.arrives() && self.posts.part_is_none();
        let mut moves = Vec::new();
        if !self.is_free() && !goes_on && !overtakes {
            return moves;
        }
        let due = self.due();
        moves.extend(due.iter().map(|due| Move::Expire(*due, false)));
        moves.extend(due.iter().map(|due| Move::Expire(*due, true)));
        if self.in_alarm {
            moves.push(Move::Alarm(false));
        } else if self.next_deadline().is_some() && self.may_come() {
            moves.push(Move::Alarm(true));
        }
        if self.has_equals() && self.is_free() && self.turn_is_over() {
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
            Move::Fire(owner) => self.fire_alarm(owner),
            Move::Turn => self.turn(),
            Move::Return(thread) => self.go_before(thread),
            Move::Alarm(begins) => self.in_alarm = begins,
            Move::Expire(due, more) => {
                self.expire(due);
                self.in_alarm = more;
            }
        }
    }

    /// All states that may be reached by now and agree with the observation.
    pub fn follow(&self, seen: Seen) -> Vec<Model> {
        let reachable = self.reachable().into_iter();
        reachable.filter(|state| state.agrees(seen)).map(|state| state.reported(seen)).collect()
    }

    /// All states that may be reached by now and in which an actor asks, or all wait.
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

    /// Whether nothing happens unless an actor gets a call, or time passes.
    fn is_settled(&self) -> bool {
        let kernel_is = self.is_free() || !self.handlers.is_empty();
        self.coming.is_none() && self.doing().is_none() && kernel_is && !self.passes()
    }

    /// Whether this is what would be observed.
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

    /// The clock never goes back before a time that was given out.
    fn reported(mut self, seen: Seen) -> Model {
        if let (Seen::Asks(_, _, value), Some(Answer::Clock(from, _))) = (seen, self.answer()) {
            let us = from + u64::from(value.wrapping_sub(from as u32));
            self.reported = self.reported.max(self.port.tick_of_us(us));
        }
        self
    }
}
