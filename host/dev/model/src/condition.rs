// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions: their only state is the waiting threads.

use crate::{Model, Until, Wait, error};

impl Model {
    /// Unlocks the mutex and waits, in one step. A woken thread locks the mutex when it runs.
    pub(crate) fn condition_wait(
        &mut self,
        thread: usize,
        condition: usize,
        mutex: usize,
        until: Until,
    ) {
        self.mutex_unlock(mutex);
        self.wait(thread, Wait::Condition(condition, mutex), until);
    }

    pub(crate) fn condition_signal(&mut self, condition: usize) {
        let waiting = self.waiting(|wait| matches!(wait, Wait::Condition(c, _) if *c == condition));
        if let Some(first) = waiting.first() {
            self.wake(*first, error::NONE, 0);
        }
    }

    pub(crate) fn condition_broadcast(&mut self, condition: usize) {
        self.wake_all(|wait| matches!(wait, Wait::Condition(c, _) if *c == condition));
    }
}
