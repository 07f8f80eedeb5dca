// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions: they have no state but who waits.

use crate::{Model, Until, Wait, error};

impl Model {
    /// Unlocks the mutex and waits, in one step. Who is woken locks the mutex when it runs.
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
