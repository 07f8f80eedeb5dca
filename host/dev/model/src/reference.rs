// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reference counters.

use crate::{Answer, Model, Until, Wait, error};

impl Model {
    pub(crate) fn reference_take(&mut self, reference: usize) -> i32 {
        match self.references[reference] {
            u16::MAX => error::FULL,
            _ => {
                self.references[reference] += 1;
                error::NONE
            }
        }
    }

    /// The last user releases all waiting threads.
    pub(crate) fn reference_give(&mut self, reference: usize) {
        self.references[reference] -= 1;
        if self.references[reference] == 0 {
            self.wake_all(|wait| *wait == Wait::Reference(reference));
        }
    }

    pub(crate) fn reference_wait(
        &mut self,
        thread: usize,
        reference: usize,
        until: Until,
    ) -> Option<Answer> {
        if self.references[reference] == 0 {
            return Some(Answer::result(error::NONE));
        }
        self.wait(thread, Wait::Reference(reference), until);
        None
    }

    pub(crate) fn has_users(&self, reference: usize) -> bool {
        self.references[reference] != 0
    }
}
