// SPDX-License-Identifier: MIT OR Apache-2.0
//! Posts on their way to the kernel level, and the order in which they arrive.
//!
//! What was posted and has not run yet is pending, and posts of it coalesce. It stands in the queue of
//! each level that posted it. The kernel takes the oldest of the most urgent level; what is no longer
//! pending when it is taken ran at another level's place. The first notification of the drivers'
//! level on its way goes past the queues, and arrives when these are empty.

use crate::{LEVEL_DRIVER, Model};
use std::collections::{BTreeSet, VecDeque};

/// What can be posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Postable {
    Event(usize),
    Notify(usize),
    SemaphoreRt,
    QueueRt,
}

/// Posts on their way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Posts {
    pending: BTreeSet<Postable>,
    queues: [VecDeque<Postable>; 4],
    direct: Option<usize>,
}

impl Posts {
    fn next(&mut self) -> Option<Postable> {
        while let Some(queue) = self.queues.iter_mut().find(|queue| !queue.is_empty()) {
            if let Some(post) = queue.pop_front()
                && self.pending.remove(&post)
            {
                return Some(post);
            }
        }
        self.direct.take().map(Postable::Notify)
    }
}

impl Model {
    pub(crate) fn post(&mut self, what: Postable, level: usize) {
        self.posts.pending.insert(what);
        if !self.posts.queues[level].contains(&what) {
            self.posts.queues[level].push_back(what);
        }
    }

    /// A notification by an interrupt.
    pub(crate) fn notify_from(&mut self, notify: usize, level: usize) {
        if level == LEVEL_DRIVER && self.posts.direct.is_none_or(|direct| direct == notify) {
            self.posts.direct = Some(notify);
        } else {
            self.post(Postable::Notify(notify), level);
        }
    }

    /// While no handler is active, what was posted arrives. An event begins, and asks.
    pub(crate) fn arrive(&mut self) {
        while self.handlers.is_empty() {
            match self.posts.next() {
                Some(Postable::Event(event)) => self.enter(crate::Actor::Event(event)),
                Some(Postable::Notify(notify)) => self.notify_deliver(notify),
                Some(Postable::SemaphoreRt) => self.semaphore_rt_collect(),
                Some(Postable::QueueRt) => self.queue_rt_deliver(),
                None => return,
            }
        }
    }
}
