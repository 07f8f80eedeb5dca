// SPDX-License-Identifier: MIT OR Apache-2.0
//! The public calls. Objects are numbered.

/// A deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// None.
    Ever,
    /// A moment, microseconds since start-up.
    At(u64),
}

/// A call with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Returns from the actor's function: a thread or a handler ends.
    Return,
    /// Computes for this many microseconds.
    Compute(u32),
    /// `time_now_us`.
    Now,
    /// `semaphore_wait`, `semaphore_wait_until`.
    SemaphoreWait(usize, Until),
    /// `semaphore_try`.
    SemaphoreTry(usize),
    /// `semaphore_post`.
    SemaphorePost(usize),
    /// `semaphore_post_from`.
    SemaphorePostFrom,
    /// `mutex_lock`, `mutex_lock_until`.
    MutexLock(usize, Until),
    /// `mutex_try`.
    MutexTry(usize),
    /// `mutex_unlock`.
    MutexUnlock(usize),
    /// `condition_wait`, `condition_wait_until`: condition, mutex.
    ConditionWait(usize, usize, Until),
    /// `condition_signal`.
    ConditionSignal(usize),
    /// `condition_broadcast`.
    ConditionBroadcast(usize),
    /// `barrier_wait`, `barrier_wait_until`.
    BarrierWait(usize, Until),
    /// `reference_take`.
    ReferenceTake(usize),
    /// `reference_give`.
    ReferenceGive(usize),
    /// `reference_wait`, `reference_wait_until`.
    ReferenceWait(usize, Until),
    /// `queue_send`, `queue_send_until`: queue, message.
    QueueSend(usize, u32, Until),
    /// `queue_try_send`.
    QueueTrySend(usize, u32),
    /// `queue_send_from`.
    QueueSendFrom(u32),
    /// `queue_receive`, `queue_receive_until`.
    QueueReceive(usize, Until),
    /// `queue_try_receive`.
    QueueTryReceive(usize),
    /// `queue_held`.
    QueueHeld(usize),
    /// `notify_post`, or `notify_post_from` in an interrupt.
    NotifyPost(usize),
    /// `notify_wait`, `notify_wait_until`.
    NotifyWait(usize, Until),
    /// `event_post`, or `event_post_from` in an interrupt.
    EventPost(usize),
    /// `timer_arm`.
    TimerArm(usize, Until),
    /// `timer_arm_after`, microseconds.
    TimerArmAfter(usize, u64),
    /// `timer_arm_every`: first moment, period in microseconds.
    TimerArmEvery(usize, Until, u64),
    /// `timer_cancel`.
    TimerCancel(usize),
    /// `alarm_set`, microseconds.
    AlarmSet(usize, u32),
    /// `alarm_cancel`.
    AlarmCancel(usize),
    /// `sleep_exact_us`.
    SleepExact(u32),
    /// `sleep_us`.
    SleepUs(u64),
    /// `sleep_until_us`.
    SleepUntil(Until),
    /// `thread_start`.
    ThreadStart(usize),
    /// `thread_create`, of the one that is made at run time.
    ThreadCreate(usize),
    /// `thread_destroy`; of itself, `thread_exit`.
    ThreadDestroy(usize),
    /// `thread_join`, `thread_join_until`.
    ThreadJoin(usize, Until),
    /// `thread_pause`.
    ThreadPause(usize),
    /// `thread_resume`.
    ThreadResume(usize),
    /// `thread_set_priority`.
    ThreadSetPriority(usize, u8),
    /// `thread_yield`.
    ThreadYield,
    /// `coop_yield`.
    CoopYield,
    /// `coop_wait`.
    CoopWait,
    /// `coop_sleep_ms`.
    CoopSleep(u32),
    /// `coop_signal`.
    CoopSignal(usize),
    /// `coop_add`.
    CoopAdd(usize),
    /// `coop_hold`.
    CoopHold(usize),
    /// `coop_kill`.
    CoopKill(usize),
}
