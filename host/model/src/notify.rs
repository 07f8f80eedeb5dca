// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notifications: a flag, or the one thread that waits for it.

use crate::{Answer, Model, Until, Wait, error};

impl Model {
    pub(crate) fn notify_waiter(&self, notify: usize) -> Option<usize> {
        self.waiting(|wait| *wait == Wait::Notify(notify)).first().copied()
    }

    /// The notification arrives.
    pub(crate) fn notify_deliver(&mut self, notify: usize) {
        match self.notify_waiter(notify) {
            Some(waiter) => self.wake(waiter, error::NONE, 0),
            None => self.notifies[notify] = true,
        }
    }

    pub(crate) fn notify_wait(
        &mut self,
        thread: usize,
        notify: usize,
        until: Until,
    ) -> Option<Answer> {
        if std::mem::take(&mut self.notifies[notify]) {
            return Some(Answer::result(error::NONE));
        }
        self.wait(thread, Wait::Notify(notify), until);
        None
    }
}
