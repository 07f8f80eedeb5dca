// SPDX-License-Identifier: MIT OR Apache-2.0
//! Duties of callers: calls that would fail an assertion, or that this program must not make.

use crate::actor::Doing;
use crate::{Actor, CREATED, Call, Model, QUEUE_RT, QUEUE_RT_LEVEL};

impl Model {
    /// Whether the asking actor may make a call.
    pub fn allows(&self, call: Call) -> bool {
        match self.actor() {
            _ if self.doing().is_some() => false,
            Some(Actor::Thread(thread)) => self.thread_may(thread, call),
            Some(Actor::Event(_) | Actor::Pair(_)) => self.event_may(call),
            Some(Actor::Coop(coop)) => self.coop_may(coop, call),
            Some(Actor::Interrupt(level)) => self.interrupt_may(level, call),
            None => false,
        }
    }

    fn thread_may(&self, thread: usize, call: Call) -> bool {
        match call {
            Call::MutexLock(mutex, _) => !self.would_deadlock(thread, mutex),
            Call::MutexUnlock(mutex) => self.owner(mutex) == Some(thread),
            // A thread that holds another mutex could wait for itself when it locks this one again.
            Call::ConditionWait(_, mutex, _) => {
                let holds = |other: usize| self.owner(other) == Some(thread);
                (0..self.mutexes.len()).all(|other| holds(other) == (other == mutex))
            }
            Call::QueueSend(queue, ..) => queue != QUEUE_RT,
            Call::NotifyWait(notify, _) => !self.is_notify_wanted(notify),
            Call::ThreadJoin(other, _) => other != thread && self.may_touch(other),
            Call::ThreadDestroy(other) => self.may_touch(other),
            Call::ThreadCreate(other) => {
                other == CREATED && !self.threads[other].is_alive() && !self.is_begun(call)
            }
            Call::SemaphoreWait(..)
            | Call::MutexTry(_)
            | Call::BarrierWait(..)
            | Call::ReferenceWait(..)
            | Call::QueueReceive(..)
            | Call::SleepUs(_)
            | Call::SleepExact(_)
            | Call::SleepUntil(_)
            | Call::ThreadYield => true,
            _ => self.event_may(call),
        }
    }

    /// Whether a thread was interrupted before it could make this call, which it then will make
    /// without asking.
    fn is_begun(&self, call: Call) -> bool {
        let begun = |doing| matches!(doing, Some(Doing::Call(other, _)) if other == call);
        self.threads.iter().any(|thread| begun(thread.doing))
    }

    /// The control block of the thread that is made at run time is meaningful only while that is
    /// alive.
    fn may_touch(&self, thread: usize) -> bool {
        thread != CREATED || self.threads[thread].is_alive()
    }

    fn event_may(&self, call: Call) -> bool {
        match call {
            Call::ReferenceGive(reference) => self.has_users(reference) && !self.is_begun(call),
            Call::QueueTrySend(queue, _) => queue != QUEUE_RT,
            Call::ThreadStart(thread) => thread != CREATED,
            Call::ThreadPause(thread)
            | Call::ThreadResume(thread)
            | Call::ThreadSetPriority(thread, _) => self.may_touch(thread),
            Call::CoopSignal(coop) | Call::CoopAdd(coop) => coop < self.coops.len(),
            Call::Return
            | Call::Compute(_)
            | Call::Now
            | Call::SemaphoreTry(_)
            | Call::SemaphorePost(_)
            | Call::ConditionSignal(_)
            | Call::ConditionBroadcast(_)
            | Call::ReferenceTake(_)
            | Call::QueueTryReceive(_)
            | Call::QueueHeld(_)
            | Call::NotifyPost(_)
            | Call::EventPost(_)
            | Call::TimerArm(..)
            | Call::TimerArmAfter(..)
            | Call::TimerArmEvery(..)
            | Call::TimerCancel(_)
            | Call::AlarmSet(..)
            | Call::AlarmCancel(_) => true,
            _ => false,
        }
    }

    /// A cooperative thread that has been held or has killed itself must yield, or end.
    fn coop_may(&self, coop: usize, call: Call) -> bool {
        match call {
            Call::CoopWait | Call::CoopSleep(_) => self.coops[coop].may_leave(),
            Call::CoopSignal(other) | Call::CoopAdd(other) | Call::CoopKill(other) => {
                other < self.coops.len()
            }
            Call::CoopHold(other) => self.coops.get(other).is_some_and(|other| !other.is_dead()),
            Call::CoopYield | Call::Return | Call::Compute(_) => true,
            _ => false,
        }
    }

    fn interrupt_may(&self, level: usize, call: Call) -> bool {
        let is_alone = self.threads.is_empty();
        match call {
            Call::QueueSendFrom(_) => level == QUEUE_RT_LEVEL && !is_alone,
            Call::EventPost(_) | Call::NotifyPost(_) | Call::SemaphorePostFrom => !is_alone,
            Call::CoopSignal(coop) => coop < self.coops.len(),
            Call::Compute(us) => self.may_hold_up(us),
            Call::Return => true,
            _ => false,
        }
    }
}
