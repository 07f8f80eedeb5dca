// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads: their lives, the order in which they run, and the priorities that they inherit.

use crate::actor::Doing;
use crate::alarm::Alarm;
use crate::{Answer, Call, Model, Tick, Until, Window, error};
use std::cmp::Reverse;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// A semaphore.
    Semaphore(usize),
    /// A mutex; what the call returns if it is obtained without an error.
    Mutex(usize, i32),
    /// A signal of a condition; then the mutex is locked again.
    Condition(usize, usize),
    /// The other parties of a barrier.
    Barrier(usize),
    /// That an object has no users any more.
    Reference(usize),
    /// A message of a queue.
    Receive(usize),
    /// Room in a queue for a message.
    Send(usize, u32),
    /// A notification.
    Notify(usize),
    /// The end of a thread.
    Join(usize),
    /// Only its deadline.
    Time,
    /// Only its alarm.
    Alarm,
}

/// The stage of a thread's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    /// Not started, or ended.
    Stopped,
    /// It could run.
    Ready,
    /// In a blocking call.
    Waiting(Wait),
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    /// The stage of its life.
    pub life: Life,
    /// It does not run until it is resumed; its wait continues.
    pub paused: bool,
    declared: u8,
    base: u8,
    /// The greater of its own and the inherited priority.
    pub(crate) priority: u8,
    pub(crate) place: u64,
    /// It has gone back to its own priority.
    returns: bool,
    /// When its wait ends at the latest.
    pub(crate) deadline: Option<Window>,
    /// What it sleeps until, and what has not fired yet.
    pub(crate) alarm: Option<Alarm>,
    /// What it does when it runs next; if nothing, it asks.
    pub(crate) doing: Option<Doing>,
    /// What its last call has returned.
    pub(crate) answer: Answer,
}

impl Thread {
    pub(crate) fn declared(priority: u8) -> Thread {
        Thread {
            life: Life::Stopped,
            paused: false,
            declared: priority,
            base: priority,
            priority,
            place: 0,
            returns: false,
            deadline: None,
            alarm: None,
            doing: None,
            answer: Answer::BEGIN,
        }
    }

    /// Whether it is in the order of ready threads.
    pub fn is_ready(&self) -> bool {
        self.life == Life::Ready && !self.paused
    }

    /// Whether it has begun and not ended.
    pub fn is_alive(&self) -> bool {
        self.life != Life::Stopped
    }

    fn waits_for(&self, what: impl Fn(&Wait) -> bool) -> bool {
        matches!(&self.life, Life::Waiting(wait) if what(wait))
    }
}

/// The order: priorities.
impl Model {
    /// A new place, after all others.
    pub(crate) fn place(&mut self) -> u64 {
        self.places += 1;
        self.places
    }

    /// Renumbers the places, so that states that differ in nothing else are equal.
    pub(crate) fn renumber(&mut self) {
        let threads = self.threads.iter_mut();
        let threads = threads.flat_map(|thread| {
            let deadline = thread.deadline.as_mut().map(|window| &mut window.place);
            let alarm = thread.alarm.as_mut().map(|alarm| &mut alarm.place);
            std::iter::once(&mut thread.place).chain(deadline).chain(alarm)
        });
        let alarms = self.alarms.iter_mut().flatten().map(|alarm| &mut alarm.place);
        let timers = self.timers.iter_mut().filter_map(|timer| timer.window_mut());
        let coops = self.coops.iter_mut().filter_map(|coop| coop.window_mut());
        let windows = timers.chain(coops).map(|window| &mut window.place);
        let mut places: Vec<&mut u64> = threads.chain(windows).chain(alarms).collect();
        places.sort();
        let (mut number, mut last) = (0, 0);
        for place in places {
            number += u64::from(std::mem::replace(&mut last, *place) != *place);
            *place = number;
        }
        self.places = number;
    }

    fn go_behind(&mut self, thread: usize) {
        self.threads[thread].place = self.place();
    }

    fn in_order(&self, of: impl Fn(&Thread) -> bool) -> Vec<usize> {
        let mut list: Vec<usize> =
            (0..self.threads.len()).filter(|index| of(&self.threads[*index])).collect();
        list.sort_by_key(|index| {
            (Reverse(self.threads[*index].priority), self.threads[*index].place)
        });
        list
    }

    /// The ready threads, the one that runs first.
    pub fn ready(&self) -> Vec<usize> {
        self.in_order(Thread::is_ready)
    }

    /// The thread that runs when no handler does.
    pub fn running(&self) -> Option<usize> {
        self.ready().first().copied()
    }

    /// The threads that wait for something, in the order in which they are served.
    pub(crate) fn waiting(&self, what: impl Fn(&Wait) -> bool) -> Vec<usize> {
        self.in_order(|thread| thread.waits_for(&what))
    }

    /// Its own priority or, if greater, that of a thread that waits for a mutex it holds. `chain`
    /// has a bit for each thread whose priority is being computed: a thread that waits for itself
    /// adds nothing.
    fn priority_due(&self, thread: usize, chain: u32) -> u8 {
        let chain = chain | 1 << thread;
        let of = |wait: &Wait| match wait {
            Wait::Mutex(mutex, _) => self.owner(*mutex) == Some(thread),
            _ => false,
        };
        let waiters = self.waiting(of).into_iter().filter(|waiter| chain & 1 << waiter == 0);
        let inherited = waiters.map(|waiter| self.priority_due(waiter, chain));
        inherited.fold(self.threads[thread].base, u8::max)
    }

    /// Gives every thread its due priority. A thread whose priority changes goes behind its new
    /// equals; one that no longer inherits may have been in the middle of its slice, and then keeps
    /// its place before them.
    pub(crate) fn inherit(&mut self) {
        for index in 0..self.threads.len() {
            let due = self.priority_due(index, 0);
            let thread = &mut self.threads[index];
            if thread.is_alive() && thread.priority != due {
                thread.returns = due == thread.base && due < thread.priority && thread.is_ready();
                thread.priority = due;
                self.go_behind(index);
            }
        }
    }

    /// Threads that may go before their equals, since they have just gone back to their own priority.
    pub(crate) fn returning(&self) -> Vec<usize> {
        (0..self.threads.len()).filter(|index| self.threads[*index].returns).collect()
    }

    /// Such a thread goes first.
    pub(crate) fn go_before(&mut self, thread: usize) {
        self.threads[thread].returns = false;
        self.threads[thread].place = 0;
    }

    /// No thread may go first any more.
    pub(crate) fn settle_places(&mut self) {
        self.threads.iter_mut().for_each(|thread| thread.returns = false);
    }

    /// Whether the first two ready threads are equals, which take turns.
    pub(crate) fn has_equals(&self) -> bool {
        let ready = self.ready();
        ready.len() > 1 && self.threads[ready[0]].priority == self.threads[ready[1]].priority
    }

    /// The running thread goes behind its equals.
    pub(crate) fn rotate(&mut self) {
        if let Some(running) = self.running() {
            self.go_behind(running);
        }
    }
}

/// Waiting, and its end.
impl Model {
    /// The calling thread waits.
    pub(crate) fn wait(&mut self, thread: usize, wait: Wait, until: Until) {
        self.go_behind(thread);
        self.threads[thread].deadline = match until {
            Until::Ever => None,
            Until::At(us) => self.moment(us),
        };
        self.threads[thread].life = Life::Waiting(wait);
    }

    /// The call of a waiting thread ends: it is ready, behind its equals. After a condition it must
    /// lock its mutex first.
    pub(crate) fn wake(&mut self, thread: usize, result: i32, value: u32) {
        let woken = &mut self.threads[thread];
        woken.deadline = None;
        match std::mem::replace(&mut woken.life, Life::Ready) {
            Life::Waiting(Wait::Condition(_, mutex)) => {
                woken.doing = Some(Doing::Relock(mutex, result));
            }
            Life::Waiting(Wait::Mutex(_, otherwise)) if result == error::NONE => {
                woken.answer = Answer::result(otherwise);
            }
            _ => woken.answer = Answer::Exact(result, value),
        }
        // The owner of the mutex that it waited for inherits less from now on.
        self.inherit();
        self.go_behind(thread);
    }

    pub(crate) fn wake_all(&mut self, what: impl Fn(&Wait) -> bool) {
        for thread in self.waiting(what) {
            self.wake(thread, error::NONE, 0);
        }
    }

    /// The deadline of a waiting thread has passed. A sleep has ended well.
    pub(crate) fn time_out(&mut self, thread: usize) {
        let sleeps = self.threads[thread].life == Life::Waiting(Wait::Time);
        self.wake(thread, if sleeps { error::NONE } else { error::TIMEOUT }, 0);
    }
}

/// Threads' lives.
impl Model {
    pub(crate) fn start(&mut self, thread: usize) -> i32 {
        if self.threads[thread].is_alive() {
            return error::BUSY;
        }
        let declared = self.threads[thread].declared;
        self.threads[thread] = Thread { life: Life::Ready, ..Thread::declared(declared) };
        self.go_behind(thread);
        error::NONE
    }

    /// A thread ends, whatever it was doing: it no longer waits, its mutexes go to their next
    /// owners, and the threads that join it continue.
    pub(crate) fn end(&mut self, thread: usize) {
        if !self.threads[thread].is_alive() {
            return;
        }
        self.threads[thread] = Thread::declared(self.threads[thread].declared);
        self.inherit();
        self.abandon(thread);
        self.wake_all(|wait| *wait == Wait::Join(thread));
    }

    /// The calls on threads.
    pub(crate) fn thread_call(&mut self, caller: Option<usize>, call: Call) -> Option<Answer> {
        match call {
            Call::ThreadStart(thread) | Call::ThreadCreate(thread) => {
                return Some(Answer::result(self.start(thread)));
            }
            Call::ThreadDestroy(thread) => {
                self.end(thread);
                if caller == Some(thread) {
                    return None;
                }
            }
            Call::ThreadPause(thread) => {
                self.threads[thread].paused |= self.threads[thread].is_alive();
            }
            Call::ThreadResume(thread)
                if std::mem::take(&mut self.threads[thread].paused)
                    && self.threads[thread].life == Life::Ready =>
            {
                self.go_behind(thread);
            }
            Call::ThreadSetPriority(thread, priority) if self.threads[thread].is_alive() => {
                self.threads[thread].base = priority;
                self.inherit();
                self.threads[thread].returns = false;
            }
            Call::ThreadJoin(thread, until) if self.threads[thread].is_alive() => {
                self.wait(caller?, Wait::Join(thread), until);
                return None;
            }
            Call::ThreadYield => self.go_behind(caller?),
            _ => {}
        }
        Some(Answer::result(error::NONE))
    }

    /// Sleeping: waiting only for a deadline.
    pub(crate) fn sleep(&mut self, thread: usize, call: Call, since: Tick) {
        self.wait(thread, Wait::Time, Until::Ever);
        self.threads[thread].deadline = match call {
            Call::SleepUs(us) => Some(self.after(us, since)),
            Call::SleepUntil(Until::At(us)) => self.moment(us),
            _ => None,
        };
    }
}
