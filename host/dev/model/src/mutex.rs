// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutexes: their owners, and the next owners.

use crate::actor::Doing;
use crate::{Answer, Call, Life, Model, Thread, Until, Wait, error};

/// A mutex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mutex {
    pub owner: Option<usize>,
    /// Its last owner ended while it held it.
    pub abandoned: bool,
}

impl Thread {
    /// The mutex that it waits for, or is about to lock.
    fn wants(&self) -> Option<usize> {
        match (self.life, self.doing) {
            (Life::Waiting(Wait::Mutex(mutex, _)), _) => Some(mutex),
            (_, Some(Doing::Call(Call::MutexLock(mutex, _), _) | Doing::Relock(mutex, _))) => {
                Some(mutex)
            }
            _ => None,
        }
    }
}

impl Model {
    pub(crate) fn owner(&self, mutex: usize) -> Option<usize> {
        self.mutexes[mutex].owner
    }

    /// Whether waiting for `mutex` would make `thread` wait for itself, through any chain of
    /// threads.
    pub(crate) fn would_deadlock(&self, thread: usize, mutex: usize) -> bool {
        let mut next = self.owner(mutex);
        for _ in 0..=self.threads.len() {
            let Some(owner) = next else { return false };
            if owner == thread {
                return true;
            }
            next = self.threads[owner].wants().and_then(|other| self.owner(other));
        }
        true
    }

    /// Locks if it is free.
    pub(crate) fn mutex_try(&mut self, thread: usize, mutex: usize) -> i32 {
        let mutex = &mut self.mutexes[mutex];
        if mutex.owner.is_some() {
            return error::BUSY;
        }
        mutex.owner = Some(thread);
        if std::mem::take(&mut mutex.abandoned) { error::ABANDONED } else { error::NONE }
    }

    /// Locks, or waits for it: then its owner inherits the caller's priority. Returns `otherwise`
    /// in place of 0.
    pub(crate) fn mutex_lock(
        &mut self,
        thread: usize,
        mutex: usize,
        until: Until,
        otherwise: i32,
    ) -> Option<Answer> {
        match self.mutex_try(thread, mutex) {
            error::BUSY => {
                self.wait(thread, Wait::Mutex(mutex, otherwise), until);
                self.inherit();
                None
            }
            error::NONE => Some(Answer::result(otherwise)),
            abandoned => Some(Answer::result(abandoned)),
        }
    }

    /// Passes it to the first waiting thread, with `result`. False if there is none.
    fn pass_on(&mut self, mutex: usize, result: i32) -> bool {
        let waiting = self.waiting(|wait| matches!(wait, Wait::Mutex(m, _) if *m == mutex));
        self.mutexes[mutex].owner = waiting.first().copied();
        if let Some(next) = waiting.first() {
            self.wake(*next, result, 0);
        }
        !waiting.is_empty()
    }

    pub(crate) fn mutex_unlock(&mut self, mutex: usize) {
        self.pass_on(mutex, error::NONE);
    }

    /// For a thread that ends: the next owner of each of its mutexes is woken.
    pub(crate) fn abandon(&mut self, thread: usize) {
        for mutex in 0..self.mutexes.len() {
            if self.owner(mutex) == Some(thread) && !self.pass_on(mutex, error::ABANDONED) {
                self.mutexes[mutex].abandoned = true;
            }
        }
    }
}
