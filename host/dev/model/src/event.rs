// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pending posts, and the order in which they arrive at the kernel level.
//!
//! An object that was posted and has not run yet is pending, and further posts of it merge. It is
//! in the queue of each level that posted it. The kernel takes the oldest entry of the most urgent
//! level; an object that is no longer pending when it is taken has run in another level's place.
//! The first pending notification or semaphore of the drivers' level bypasses the queues, and
//! arrives when these are empty.
//!
//! All this happens in parts, and an interrupt may come before each of them: an entry is taken out
//! of its queue, then the kernel checks whether it is pending. The kernel's own work has parts,
//! too: it counts the posts of a semaphore level by level, passes messages one by one, and checks
//! woven pairs one by one.

use crate::woven::Weaving;
use crate::{Actor, LEVELS, Model};
use std::collections::{BTreeSet, VecDeque};

/// What can be posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Postable {
    Event(usize),
    Notify(usize),
    SemaphoreRt,
    QueueRt,
    /// Alarms of sleeping threads have fired.
    Sleeps,
}

/// The kernel's next part of the work on posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// All queues were found empty: checks for a post that bypassed them.
    Direct,
    /// This was taken out of its queue: checks whether it is pending.
    Taken(Postable),
    /// Counts what interrupts of a level have posted to the semaphore.
    Count(usize),
    /// Passes a message of interrupts to the first thread that waits for one.
    Deliver,
    /// Finds out what runs for an event that has pairs.
    Weave(Weaving),
}

/// Pending posts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Posts {
    pub pending: BTreeSet<Postable>,
    queues: [VecDeque<Postable>; 4],
    direct: Option<Postable>,
    /// What the kernel is in the middle of.
    part: Option<Part>,
}

impl Posts {
    /// Whether nothing is pending.
    pub fn are_none(&self) -> bool {
        let empty = self.queues.iter().all(VecDeque::is_empty);
        empty && self.direct.is_none() && self.part.is_none()
    }

    /// Whether the kernel is not in the middle of something.
    pub fn part_is_none(&self) -> bool {
        self.part.is_none()
    }

    /// What the kernel does next when it is not in the middle of something.
    fn take(&mut self) -> Part {
        let queue = self.queues.iter_mut().find(|queue| !queue.is_empty());
        queue.and_then(VecDeque::pop_front).map_or(Part::Direct, Part::Taken)
    }
}

impl Model {
    pub(crate) fn post(&mut self, what: Postable, level: usize) {
        self.posts.pending.insert(what);
        if !self.posts.queues[level].contains(&what) {
            self.posts.queues[level].push_back(what);
        }
    }

    /// A notification, or a post of a semaphore, by an interrupt.
    pub(crate) fn post_directly(&mut self, what: Postable, level: usize) {
        if level == self.port.driver && self.posts.direct.is_none_or(|direct| direct == what) {
            self.posts.direct = Some(what);
        } else {
            self.post(what, level);
        }
    }

    /// The kernel does one part of the work on posts.
    pub(crate) fn arrive(&mut self) {
        self.posts.part = match self.posts.part.take() {
            None => Some(self.posts.take()),
            Some(Part::Direct) => self.posts.direct.take().and_then(|what| self.serve(what)),
            Some(Part::Taken(post)) if self.posts.pending.remove(&post) => self.serve(post),
            Some(Part::Taken(_)) => None,
            Some(Part::Count(level)) => {
                self.semaphore_rt_collect(level);
                (level + 1 < LEVELS).then_some(Part::Count(level + 1))
            }
            Some(Part::Deliver) => self.queue_rt_deliver().then_some(Part::Deliver),
            Some(Part::Weave(weaving)) => self.weave(weaving).map(Part::Weave),
        };
    }

    /// A pending object is served: its handler begins, or it has parts of its own.
    fn serve(&mut self, post: Postable) -> Option<Part> {
        match post {
            Postable::Event(event) if self.has_pairs(event) => {
                return Some(Part::Weave(self.weaving(event)));
            }
            Postable::Event(event) => self.enter(Actor::Event(event)),
            Postable::Notify(notify) => self.notify_deliver(notify),
            Postable::SemaphoreRt => return Some(Part::Count(0)),
            Postable::QueueRt => return Some(Part::Deliver),
            Postable::Sleeps => self.end_sleeps(),
        }
        None
    }
}
