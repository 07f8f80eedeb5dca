// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notifications: a flag, or the one thread that waits for it.

use crate::actor::Doing;
use crate::{Answer, Call, Model, Thread, Until, Wait, error};

impl Model {
    pub(crate) fn notify_waiter(&self, notify: usize) -> Option<usize> {
        self.waiting(|wait| *wait == Wait::Notify(notify)).first().copied()
    }

    /// Whether a thread waits for it, or is about to.
    pub(crate) fn is_notify_wanted(&self, notify: usize) -> bool {
        let about_to = |thread: &Thread| match thread.doing {
            Some(Doing::Call(Call::NotifyWait(other, _), _)) => other == notify,
            _ => false,
        };
        self.notify_waiter(notify).is_some() || self.threads.iter().any(about_to)
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
