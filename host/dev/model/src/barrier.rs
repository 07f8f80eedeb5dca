// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barriers: the parties that have arrived are the threads that wait.

use crate::{Answer, Model, Until, Wait, error};

impl Model {
    /// The last thread to arrive releases all others and does not wait.
    pub(crate) fn barrier_wait(
        &mut self,
        thread: usize,
        barrier: usize,
        until: Until,
    ) -> Option<Answer> {
        let come = self.waiting(|wait| *wait == Wait::Barrier(barrier)).len();
        if come + 1 < self.barriers[barrier] {
            self.wait(thread, Wait::Barrier(barrier), until);
            return None;
        }
        self.wake_all(|wait| *wait == Wait::Barrier(barrier));
        Some(Answer::result(error::NONE))
    }
}
