// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who acts, and what may happen next.

use crate::event::Postable;
use crate::time::Due;
use crate::{
    CREATED, Call, Model, QUEUE_RT, QUEUE_RT_LEVEL, Tick, Until, error, tick_of_us, us_of_tick,
};
use std::collections::HashSet;

/// Who makes calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A thread.
    Thread(usize),
    /// The handler of an event.
    Event(usize),
    /// The handler of an interrupt of a level.
    Interrupt(usize),
}

/// What a call has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Its result and, of those that have one, a value.
    Exact(i32, u32),
    /// The clock: microseconds, the lower 32 bits of one of these moments.
    Clock(u64, u64),
}

impl Answer {
    /// That of an actor that begins.
    pub const BEGIN: Answer = Answer::Exact(-1, 0);

    pub(crate) fn result(result: i32) -> Answer {
        Answer::Exact(result, 0)
    }

    fn allows(&self, result: i32, value: u32) -> bool {
        match *self {
            Answer::Exact(r, v) => (r, v) == (result, value),
            Answer::Clock(from, to) => {
                result == error::NONE && u64::from(value.wrapping_sub(from as u32)) <= to - from
            }
        }
    }
}

/// What was seen of a mote: who asks, and what its last call returned; or that everybody waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// This actor asks.
    Asks(Actor, i32, u32),
    /// Nobody does: the mote idles.
    Idle,
}

/// What an actor does when it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Doing {
    /// A call that was begun not before a tick.
    Call(Call, Tick),
    /// Woken from a condition: locks the mutex, and returns this.
    Relock(usize, i32),
}

/// A handler that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handler {
    actor: Actor,
    doing: Option<Doing>,
    answer: Answer,
}

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Whoever runs does what it is about to.
    Act,
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
    /// Who runs: the most urgent handler, or the first ready thread.
    fn actor(&self) -> Option<Actor> {
        let thread = || self.running().map(Actor::Thread);
        self.handlers.last().map(|handler| handler.actor).or_else(thread)
    }

    fn doing(&self) -> Option<Doing> {
        match self.handlers.last() {
            Some(handler) => handler.doing,
            None => self.running().and_then(|thread| self.threads[thread].doing),
        }
    }

    /// Whether no handler is active.
    pub fn is_free(&self) -> bool {
        self.handlers.is_empty()
    }

    pub(crate) fn enter(&mut self, actor: Actor) {
        self.handlers.push(Handler { actor, doing: None, answer: Answer::BEGIN });
    }

    /// Whether an interrupt of `level` would interrupt what runs.
    pub fn interruptible(&self, level: usize) -> bool {
        self.handlers.iter().all(|handler| match handler.actor {
            Actor::Interrupt(active) => level < active,
            _ => true,
        })
    }

    /// An interrupt of a level begins.
    pub fn interrupt(&mut self, level: usize) {
        self.enter(Actor::Interrupt(level));
    }

    /// Who asks begins a call.
    pub fn begin(&mut self, call: Call) {
        let doing = Some(Doing::Call(call, self.now));
        if let Some(handler) = self.handlers.last_mut() {
            handler.doing = doing;
        } else if let Some(running) = self.running() {
            self.threads[running].doing = doing;
        }
    }

    /// Time passes: what happens next happens by `now`.
    pub fn pass(&mut self, now: Tick) {
        if !self.is_free() {
            self.hold_up(now - self.now);
        }
        self.since = self.now;
        self.now = now;
        self.settle_places();
    }

    /// What may happen next.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.doing().is_some() && !self.in_alarm {
            moves.push(Move::Act);
        }
        if !self.in_alarm {
            moves.extend(self.returning().into_iter().map(Move::Return));
        }
        if self.is_free() {
            let due = self.due();
            moves.extend(due.iter().map(|due| Move::Expire(*due, false)));
            moves.extend(due.iter().map(|due| Move::Expire(*due, true)));
            if self.has_equals() && !self.in_alarm && self.turn_is_over() {
                moves.push(Move::Turn);
            }
        }
        moves
    }

    /// Lets it happen.
    pub fn make(&mut self, what: Move) {
        match what {
            Move::Act => self.act(),
            Move::Turn => self.turn(),
            Move::Return(thread) => self.go_before(thread),
            Move::Expire(due, more) => {
                self.expire(due);
                self.in_alarm = more;
            }
        }
        if !self.in_alarm {
            self.arrive();
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
            if state.doing().is_none() && !state.in_alarm {
                found.push(state);
            }
        }
        found
    }

    /// For how long those who have begun to compute do so.
    pub fn computing_us(&self) -> u64 {
        let threads = self.threads.iter().filter_map(|thread| thread.doing);
        let all = threads.chain(self.handlers.iter().filter_map(|handler| handler.doing));
        all.map(|doing| match doing {
            Doing::Call(Call::Compute(us), _) => us.into(),
            _ => 0,
        })
        .sum()
    }

    /// Whether this is what would be seen of it.
    pub fn agrees(&self, seen: Seen) -> bool {
        if self.in_alarm || self.doing().is_some() {
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
            self.told = tick_of_us(us);
        }
        self
    }

    fn answer(&self) -> Option<Answer> {
        match self.handlers.last() {
            Some(handler) => Some(handler.answer),
            None => self.running().map(|thread| self.threads[thread].answer),
        }
    }

    /// What the model would show, for a message.
    pub fn expectation(&self) -> (Option<Actor>, Option<Answer>) {
        (self.actor(), self.answer())
    }

    fn act(&mut self) {
        let (Some(actor), Some(doing)) = (self.actor(), self.doing()) else { return };
        match actor {
            Actor::Thread(thread) => {
                self.threads[thread].doing = None;
                let answer = match doing {
                    Doing::Relock(mutex, result) => {
                        self.mutex_lock(thread, mutex, Until::Ever, result)
                    }
                    Doing::Call(call, since) => self.call_in_thread(thread, call, since),
                };
                if let Some(answer) = answer {
                    self.threads[thread].answer = answer;
                }
            }
            _ => {
                let Doing::Call(call, since) = doing else { return };
                if call == Call::Return {
                    self.handlers.pop();
                    return;
                }
                let answer = match actor {
                    Actor::Interrupt(level) => self.call_in_interrupt(call, level),
                    _ => self.call_anywhere(None, call, since),
                };
                if let Some(handler) = self.handlers.last_mut() {
                    handler.doing = None;
                    handler.answer = answer.unwrap_or(Answer::BEGIN);
                }
            }
        }
    }

    fn call_in_interrupt(&mut self, call: Call, level: usize) -> Option<Answer> {
        let mut result = error::NONE;
        match call {
            Call::EventPost(event) => self.post(Postable::Event(event), level),
            Call::NotifyPost(notify) => self.notify_from(notify, level),
            Call::SemaphorePostFrom => {
                self.posts_on_the_way += 1;
                self.post(Postable::SemaphoreRt, level);
            }
            Call::QueueSendFrom(message) => {
                result = self.queue_put_from(message);
                if result == error::NONE {
                    self.post(Postable::QueueRt, level);
                }
            }
            _ => {}
        }
        Some(Answer::result(result))
    }

    /// Returns nothing if the caller waits or has ended.
    fn call_in_thread(&mut self, thread: usize, call: Call, since: Tick) -> Option<Answer> {
        match call {
            Call::Return => {
                self.end(thread);
                None
            }
            Call::SemaphoreWait(object, until) => self.semaphore_wait(thread, object, until),
            Call::MutexLock(mutex, until) => self.mutex_lock(thread, mutex, until, error::NONE),
            Call::MutexTry(mutex) => Some(Answer::result(self.mutex_try(thread, mutex))),
            Call::MutexUnlock(mutex) => {
                self.mutex_unlock(mutex);
                Some(Answer::result(error::NONE))
            }
            Call::ConditionWait(condition, mutex, until) => {
                self.condition_wait(thread, condition, mutex, until);
                None
            }
            Call::BarrierWait(barrier, until) => self.barrier_wait(thread, barrier, until),
            Call::ReferenceWait(object, until) => self.reference_wait(thread, object, until),
            Call::QueueSend(queue, message, until) => {
                self.queue_send(thread, queue, message, until)
            }
            Call::QueueReceive(queue, until) => self.queue_receive(thread, queue, until),
            Call::NotifyWait(notify, until) => self.notify_wait(thread, notify, until),
            Call::SleepUs(_) | Call::SleepUntil(_) => {
                self.sleep(thread, call, since);
                None
            }
            _ => self.call_anywhere(Some(thread), call, since),
        }
    }

    /// What threads and events may call.
    fn call_anywhere(&mut self, thread: Option<usize>, call: Call, since: Tick) -> Option<Answer> {
        let result = match call {
            Call::Now => {
                return Some(Answer::Clock(us_of_tick(since.max(self.told)), us_of_tick(self.now)));
            }
            Call::SemaphoreTry(object) => self.semaphore_try(object),
            Call::SemaphorePost(object) => self.semaphore_post(object),
            Call::ConditionSignal(object) => {
                self.condition_signal(object);
                error::NONE
            }
            Call::ConditionBroadcast(object) => {
                self.condition_broadcast(object);
                error::NONE
            }
            Call::ReferenceTake(object) => self.reference_take(object),
            Call::ReferenceGive(object) => {
                self.reference_give(object);
                error::NONE
            }
            Call::QueueTrySend(queue, message) => self.queue_try_send(queue, message),
            Call::QueueTryReceive(queue) => {
                return Some(match self.queue_try_receive(queue) {
                    Ok(message) => Answer::Exact(error::NONE, message),
                    Err(error) => Answer::result(error),
                });
            }
            Call::QueueHeld(queue) => {
                return Some(Answer::Exact(error::NONE, self.queue_held(queue)));
            }
            Call::NotifyPost(notify) => {
                self.notify_deliver(notify);
                error::NONE
            }
            Call::EventPost(event) => {
                self.post(Postable::Event(event), crate::LEVEL_KERNEL);
                error::NONE
            }
            Call::TimerArm(..)
            | Call::TimerArmAfter(..)
            | Call::TimerArmEvery(..)
            | Call::TimerCancel(_) => self.timer_call(call, since),
            Call::Compute(_) => error::NONE,
            _ => return self.thread_call(thread, call),
        };
        Some(Answer::result(result))
    }
}

/// What callers owe: a call that asserts, or that this program must not make.
impl Model {
    /// Whether who asks may make a call.
    pub fn allows(&self, call: Call) -> bool {
        match self.actor() {
            _ if self.doing().is_some() => false,
            Some(Actor::Thread(thread)) => self.thread_may(thread, call),
            Some(Actor::Event(_)) => self.event_may(call),
            Some(Actor::Interrupt(level)) => interrupt_may(level, call),
            None => false,
        }
    }

    fn thread_may(&self, thread: usize, call: Call) -> bool {
        match call {
            Call::MutexLock(mutex, _) => !self.would_deadlock(thread, mutex),
            Call::MutexUnlock(mutex) => self.owner(mutex) == Some(thread),
            // One that holds another one could wait for itself when it locks this one again.
            Call::ConditionWait(_, mutex, _) => {
                let holds = |other: usize| self.owner(other) == Some(thread);
                (0..self.mutexes.len()).all(|other| holds(other) == (other == mutex))
            }
            Call::QueueSend(queue, ..) => queue != QUEUE_RT,
            Call::NotifyWait(notify, _) => !self.is_notify_wanted(notify),
            Call::ThreadJoin(other, _) => other != thread && self.may_touch(other),
            Call::ThreadDestroy(other) => self.may_touch(other),
            Call::ThreadCreate(other) => {
                other == CREATED && !self.threads[other].is_alive() && !self.is_begun(call)
            }
            Call::SemaphoreWait(..)
            | Call::MutexTry(_)
            | Call::BarrierWait(..)
            | Call::ReferenceWait(..)
            | Call::QueueReceive(..)
            | Call::SleepUs(_)
            | Call::SleepUntil(_)
            | Call::ThreadYield => true,
            _ => self.event_may(call),
        }
    }

    /// Whether a thread was interrupted before it could make this call: it will, unasked.
    fn is_begun(&self, call: Call) -> bool {
        let begun = |doing| matches!(doing, Some(Doing::Call(other, _)) if other == call);
        self.threads.iter().any(|thread| begun(thread.doing))
    }

    /// The block of the thread that is made at run time says something only while it is alive.
    fn may_touch(&self, thread: usize) -> bool {
        thread != CREATED || self.threads[thread].is_alive()
    }

    fn event_may(&self, call: Call) -> bool {
        match call {
            Call::ReferenceGive(reference) => self.has_users(reference) && !self.is_begun(call),
            Call::QueueTrySend(queue, _) => queue != QUEUE_RT,
            Call::ThreadStart(thread) => thread != CREATED,
            Call::ThreadPause(thread)
            | Call::ThreadResume(thread)
            | Call::ThreadSetPriority(thread, _) => self.may_touch(thread),
            Call::Return
            | Call::Compute(_)
            | Call::Now
            | Call::SemaphoreTry(_)
            | Call::SemaphorePost(_)
            | Call::ConditionSignal(_)
            | Call::ConditionBroadcast(_)
            | Call::ReferenceTake(_)
            | Call::QueueTryReceive(_)
            | Call::QueueHeld(_)
            | Call::NotifyPost(_)
            | Call::EventPost(_)
            | Call::TimerArm(..)
            | Call::TimerArmAfter(..)
            | Call::TimerArmEvery(..)
            | Call::TimerCancel(_) => true,
            _ => false,
        }
    }
}

fn interrupt_may(level: usize, call: Call) -> bool {
    match call {
        Call::QueueSendFrom(_) => level == QUEUE_RT_LEVEL,
        Call::Return
        | Call::Compute(_)
        | Call::EventPost(_)
        | Call::NotifyPost(_)
        | Call::SemaphorePostFrom => true,
        _ => false,
    }
}
