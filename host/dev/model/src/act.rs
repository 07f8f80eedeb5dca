// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of a call: the running actor does its next step.

use crate::actor::Doing;
use crate::event::Postable;
use crate::{Actor, Answer, Call, Model, Tick, Until, error};

impl Model {
    pub(crate) fn act(&mut self) {
        let (Some(actor), Some(doing)) = (self.actor(), self.doing()) else { return };
        match actor {
            Actor::Thread(thread) => {
                self.threads[thread].doing = None;
                let answer = match doing {
                    Doing::Relock(mutex, result) => {
                        self.mutex_lock(thread, mutex, Until::Ever, result)
                    }
                    Doing::Call(call, since) => self.call_in_thread(thread, call, since),
                };
                if let Some(answer) = answer {
                    self.threads[thread].answer = answer;
                }
            }
            Actor::Coop(coop) => {
                let Doing::Call(call, since) = doing else { return };
                self.coops[coop].doing = None;
                self.call_in_coop(coop, call, since);
            }
            _ => {
                let Doing::Call(call, since) = doing else { return };
                if call == Call::Return {
                    self.handlers.pop();
                    return;
                }
                let answer = match actor {
                    Actor::Interrupt(level) => self.call_in_interrupt(call, level),
                    _ => self.call_anywhere(None, call, since),
                };
                if let Some(handler) = self.handlers.last_mut() {
                    handler.doing = None;
                    handler.answer = answer.unwrap_or(Answer::BEGIN);
                }
            }
        }
    }

    fn call_in_interrupt(&mut self, call: Call, level: usize) -> Option<Answer> {
        let mut result = error::NONE;
        match call {
            Call::EventPost(event) => self.post(Postable::Event(event), level),
            Call::NotifyPost(notify) => self.post_directly(Postable::Notify(notify), level),
            Call::SemaphorePostFrom => {
                self.semaphore_posts[level] += 1;
                self.post_directly(Postable::SemaphoreRt, level);
            }
            Call::QueueSendFrom(message) => {
                result = self.queue_put_from(message);
                if result == error::NONE {
                    self.post(Postable::QueueRt, level);
                }
            }
            _ => self.coop_call(call),
        }
        Some(Answer::result(result))
    }

    /// Returns nothing if the caller waits or has ended.
    fn call_in_thread(&mut self, thread: usize, call: Call, since: Tick) -> Option<Answer> {
        match call {
            Call::Return => {
                self.end(thread);
                None
            }
            Call::SemaphoreWait(object, until) => self.semaphore_wait(thread, object, until),
            Call::MutexLock(mutex, until) => self.mutex_lock(thread, mutex, until, error::NONE),
            Call::MutexTry(mutex) => Some(Answer::result(self.mutex_try(thread, mutex))),
            Call::MutexUnlock(mutex) => {
                self.mutex_unlock(mutex);
                Some(Answer::result(error::NONE))
            }
            Call::ConditionWait(condition, mutex, until) => {
                self.condition_wait(thread, condition, mutex, until);
                None
            }
            Call::BarrierWait(barrier, until) => self.barrier_wait(thread, barrier, until),
            Call::ReferenceWait(object, until) => self.reference_wait(thread, object, until),
            Call::QueueSend(queue, message, until) => {
                self.queue_send(thread, queue, message, until)
            }
            Call::QueueReceive(queue, until) => self.queue_receive(thread, queue, until),
            Call::NotifyWait(notify, until) => self.notify_wait(thread, notify, until),
            Call::SleepUs(_) | Call::SleepUntil(_) => {
                self.sleep(thread, call, since);
                None
            }
            Call::SleepExact(us) => {
                self.sleep_exact(thread, us);
                None
            }
            _ => self.call_anywhere(Some(thread), call, since),
        }
    }

    /// The calls that threads and events may make.
    fn call_anywhere(&mut self, thread: Option<usize>, call: Call, since: Tick) -> Option<Answer> {
        let result = match call {
            Call::Now => {
                let moment = |tick| self.port.us_of_tick(tick);
                return Some(Answer::Clock(moment(since.max(self.reported)), moment(self.now)));
            }
            Call::SemaphoreTry(object) => self.semaphore_try(object),
            Call::SemaphorePost(object) => self.semaphore_post(object),
            Call::ConditionSignal(object) => {
                self.condition_signal(object);
                error::NONE
            }
            Call::ConditionBroadcast(object) => {
                self.condition_broadcast(object);
                error::NONE
            }
            Call::ReferenceTake(object) => self.reference_take(object),
            Call::ReferenceGive(object) => {
                self.reference_give(object);
                error::NONE
            }
            Call::QueueTrySend(queue, message) => self.queue_try_send(queue, message),
            Call::QueueTryReceive(queue) => {
                return Some(match self.queue_try_receive(queue) {
                    Ok(message) => Answer::Exact(error::NONE, message),
                    Err(error) => Answer::result(error),
                });
            }
            Call::QueueHeld(queue) => {
                return Some(Answer::Exact(error::NONE, self.queue_held(queue)));
            }
            Call::NotifyPost(notify) => {
                self.notify_deliver(notify);
                error::NONE
            }
            Call::EventPost(event) => {
                self.post(Postable::Event(event), crate::LEVEL_KERNEL);
                error::NONE
            }
            Call::TimerArm(..)
            | Call::TimerArmAfter(..)
            | Call::TimerArmEvery(..)
            | Call::TimerCancel(_) => self.timer_call(call, since),
            Call::AlarmSet(..) | Call::AlarmCancel(_) => self.alarm_call(call),
            Call::Compute(_) => error::NONE,
            Call::CoopSignal(_) | Call::CoopAdd(_) => {
                self.coop_call(call);
                error::NONE
            }
            _ => return self.thread_call(thread, call),
        };
        Some(Answer::result(result))
    }
}
