// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queues: messages in order, threads that wait for one, threads that wait for room.

use crate::{Answer, Model, Until, Wait, error};
use std::collections::VecDeque;

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Queue {
    messages: VecDeque<u32>,
    length: usize,
}

impl Queue {
    pub fn of_length(length: usize) -> Queue {
        Queue { messages: VecDeque::new(), length }
    }

    fn put(&mut self, message: u32) -> bool {
        let room = self.messages.len() < self.length;
        if room {
            self.messages.push_back(message);
        }
        room
    }
}

impl Model {
    /// A message goes to the first thread that waits for one, otherwise into the queue.
    pub(crate) fn queue_try_send(&mut self, queue: usize, message: u32) -> i32 {
        if let Some(first) = self.waiting(|wait| *wait == Wait::Receive(queue)).first() {
            self.wake(*first, error::NONE, message);
            return error::NONE;
        }
        if self.queues[queue].put(message) { error::NONE } else { error::FULL }
    }

    /// The oldest message, unless a thread waits for one; the message of the first thread that
    /// waits for room takes its place.
    pub(crate) fn queue_try_receive(&mut self, queue: usize) -> Result<u32, i32> {
        if !self.waiting(|wait| *wait == Wait::Receive(queue)).is_empty() {
            return Err(error::EMPTY);
        }
        let message = self.queues[queue].messages.pop_front().ok_or(error::EMPTY)?;
        let senders = self.waiting(|wait| matches!(wait, Wait::Send(q, _) if *q == queue));
        if let Some(first) = senders.first()
            && let crate::Life::Waiting(Wait::Send(_, next)) = self.threads[*first].life
        {
            self.queues[queue].put(next);
            self.wake(*first, error::NONE, 0);
        }
        Ok(message)
    }

    pub(crate) fn queue_send(
        &mut self,
        thread: usize,
        queue: usize,
        message: u32,
        until: Until,
    ) -> Option<Answer> {
        if self.queue_try_send(queue, message) == error::NONE {
            return Some(Answer::result(error::NONE));
        }
        self.wait(thread, Wait::Send(queue, message), until);
        None
    }

    pub(crate) fn queue_receive(
        &mut self,
        thread: usize,
        queue: usize,
        until: Until,
    ) -> Option<Answer> {
        if let Ok(message) = self.queue_try_receive(queue) {
            return Some(Answer::Exact(error::NONE, message));
        }
        self.wait(thread, Wait::Receive(queue), until);
        None
    }

    pub(crate) fn queue_held(&self, queue: usize) -> u32 {
        self.queues[queue].messages.len() as u32
    }

    /// An interrupt puts a message; a waiting thread is served when the kernel gets to it.
    pub(crate) fn queue_put_from(&mut self, message: u32) -> i32 {
        if self.queues[crate::QUEUE_RT].put(message) { error::NONE } else { error::FULL }
    }

    /// The first waiting thread gets the oldest message. False if no thread waits, or there is no
    /// message.
    pub(crate) fn queue_rt_deliver(&mut self) -> bool {
        let waiting = self.waiting(|wait| *wait == Wait::Receive(crate::QUEUE_RT));
        let Some(first) = waiting.first() else { return false };
        let message = self.queues[crate::QUEUE_RT].messages.pop_front();
        if let Some(message) = message {
            self.wake(*first, error::NONE, message);
        }
        message.is_some()
    }
}
