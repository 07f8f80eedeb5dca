// SPDX-License-Identifier: MIT OR Apache-2.0
//! Semaphores: a count, or the threads that wait.

use crate::{Answer, Model, Until, Wait, error};

/// A semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Semaphore {
    count: u16,
}

impl Semaphore {
    pub fn with(count: u16) -> Semaphore {
        Semaphore { count }
    }
}

impl Model {
    pub(crate) fn semaphore_try(&mut self, semaphore: usize) -> i32 {
        let semaphore = &mut self.semaphores[semaphore];
        match semaphore.count {
            0 => error::EMPTY,
            _ => {
                semaphore.count -= 1;
                error::NONE
            }
        }
    }

    pub(crate) fn semaphore_wait(
        &mut self,
        thread: usize,
        semaphore: usize,
        until: Until,
    ) -> Option<Answer> {
        if self.semaphore_try(semaphore) == error::NONE {
            return Some(Answer::result(error::NONE));
        }
        self.wait(thread, Wait::Semaphore(semaphore), until);
        None
    }

    /// The first waiting thread gets it at once.
    pub(crate) fn semaphore_post(&mut self, semaphore: usize) -> i32 {
        if let Some(first) = self.waiting(|wait| *wait == Wait::Semaphore(semaphore)).first() {
            self.wake(*first, error::NONE, 0);
            return error::NONE;
        }
        match self.semaphores[semaphore].count {
            u16::MAX => error::FULL,
            _ => {
                self.semaphores[semaphore].count += 1;
                error::NONE
            }
        }
    }

    /// The kernel counts what interrupts of a level have posted.
    pub(crate) fn semaphore_rt_collect(&mut self, level: usize) {
        for _ in 0..std::mem::take(&mut self.semaphore_posts[level]) {
            self.semaphore_post(crate::SEMAPHORE_RT);
        }
    }
}
