// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls in C.

use lichen_model::{Actor, CREATED, Call, QUEUE_RT, SEMAPHORE_RT, Until};

fn thread(index: usize) -> String {
    if index == CREATED { "&thread_5.thread".to_string() } else { format!("&thread_{index}") }
}

fn semaphore(index: usize) -> String {
    match index {
        SEMAPHORE_RT => "&semaphore_rt.semaphore".to_string(),
        _ => format!("&semaphore_{index}"),
    }
}

fn queue(index: usize) -> String {
    if index == QUEUE_RT { "&queue_rt.queue".to_string() } else { format!("&queue_{index}") }
}

/// A call in C, and what to do with its result.
pub(crate) fn statement(number: usize, actor: Actor, call: Call) -> String {
    let level = match actor {
        Actor::Interrupt(level) => Some(level),
        _ => None,
    };
    let gives = |text: String| format!("result({number}, {text}, 0);");
    let nothing = |text: String| format!("{text}; result({number}, 0, 0);");
    let until = |name: &str, arguments: String, until: Until, returns: bool| match until {
        Until::At(us) => gives(format!("{name}_until({arguments}, {us})")),
        Until::Ever if returns => gives(format!("{name}({arguments})")),
        Until::Ever => nothing(format!("{name}({arguments})")),
    };
    let moment = |until| match until {
        Until::At(us) => us.to_string(),
        Until::Ever => "TIME_NEVER".to_string(),
    };
    let message = |text: String, message: u32| format!("message = {message}; {text}");
    match call {
        // A cooperative thread jumps to the end of its body.
        Call::Return if matches!(actor, Actor::Coop(_)) => String::new(),
        Call::Return => "return;".to_string(),
        Call::Compute(us) => nothing(format!("compute_us({us})")),
        Call::Now => format!("result({number}, 0, (uint32_t)time_now_us());"),
        Call::SemaphoreWait(s, at) => until("semaphore_wait", semaphore(s), at, false),
        Call::SemaphoreTry(s) => gives(format!("semaphore_try({})", semaphore(s))),
        Call::SemaphorePost(s) => gives(format!("semaphore_post({})", semaphore(s))),
        Call::SemaphorePostFrom => {
            nothing(format!("semaphore_post_from(&semaphore_rt, {})", level.unwrap_or_default()))
        }
        Call::MutexLock(m, at) => until("mutex_lock", format!("&mutexes[{m}]"), at, true),
        Call::MutexTry(m) => gives(format!("mutex_try(&mutexes[{m}])")),
        Call::MutexUnlock(m) => nothing(format!("mutex_unlock(&mutexes[{m}])")),
        Call::ConditionWait(c, m, at) => {
            until("condition_wait", format!("&condition_{c}, &mutexes[{m}]"), at, true)
        }
        Call::ConditionSignal(c) => nothing(format!("condition_signal(&condition_{c})")),
        Call::ConditionBroadcast(c) => nothing(format!("condition_broadcast(&condition_{c})")),
        Call::BarrierWait(b, at) => until("barrier_wait", format!("&barrier_{b}"), at, false),
        Call::ReferenceTake(r) => gives(format!("reference_take(&reference_{r})")),
        Call::ReferenceGive(r) => nothing(format!("reference_give(&reference_{r})")),
        Call::ReferenceWait(r, at) => until("reference_wait", format!("&reference_{r}"), at, false),
        Call::QueueSend(q, m, at) => {
            message(until("queue_send", format!("{}, &message", queue(q)), at, false), m)
        }
        Call::QueueTrySend(q, m) => {
            message(gives(format!("queue_try_send({}, &message)", queue(q))), m)
        }
        Call::QueueSendFrom(m) => {
            message(gives("queue_send_from(&queue_rt, &message, 1)".into()), m)
        }
        Call::QueueReceive(q, at) => {
            let text = until("queue_receive", format!("{}, &message", queue(q)), at, false);
            message(text.replace(", 0);", ", message);"), 0)
        }
        Call::QueueTryReceive(q) => message(
            format!("result({number}, queue_try_receive({}, &message), message);", queue(q)),
            0,
        ),
        Call::QueueHeld(q) => format!("result({number}, 0, queue_held({}));", queue(q)),
        Call::NotifyPost(n) => nothing(match level {
            Some(level) => format!("notify_post_from(&notify_{n}, {level})"),
            None => format!("notify_post(&notify_{n})"),
        }),
        Call::NotifyWait(n, at) => until("notify_wait", format!("&notify_{n}"), at, false),
        Call::EventPost(e) => nothing(match level {
            Some(level) => format!("event_post_from(&event_{e}, {level})"),
            None => format!("event_post(&event_{e})"),
        }),
        Call::TimerArm(t, at) => gives(format!("timer_arm(&timer_{t}, {})", moment(at))),
        Call::TimerArmAfter(t, us) => gives(format!("timer_arm_after(&timer_{t}, {us})")),
        Call::TimerArmEvery(t, first, us) => {
            gives(format!("timer_arm_every(&timer_{t}, {}, {us})", moment(first)))
        }
        Call::TimerCancel(t) => gives(format!("timer_cancel(&timer_{t})")),
        Call::AlarmSet(a, us) => gives(format!("alarm_set(&alarm_{a}, {us})")),
        Call::AlarmCancel(a) => gives(format!("alarm_cancel(&alarm_{a})")),
        Call::SleepExact(us) => nothing(format!("sleep_exact_us({us})")),
        Call::SleepUs(us) => nothing(format!("sleep_us({us})")),
        Call::SleepUntil(at) => nothing(format!("sleep_until_us({})", moment(at))),
        Call::ThreadStart(t) => gives(format!("thread_start({}, 0)", thread(t))),
        Call::ThreadCreate(_) => gives("thread_create(&thread_5, 0)".to_string()),
        Call::ThreadDestroy(t) => nothing(format!("thread_destroy({})", thread(t))),
        Call::ThreadJoin(t, at) => until("thread_join", thread(t), at, false),
        Call::ThreadPause(t) => nothing(format!("thread_pause({})", thread(t))),
        Call::ThreadResume(t) => nothing(format!("thread_resume({})", thread(t))),
        Call::ThreadSetPriority(t, p) => {
            nothing(format!("thread_set_priority({}, {p})", thread(t)))
        }
        Call::CoopSignal(c) => nothing(format!("coop_signal(&coop_{c})")),
        Call::CoopAdd(c) => nothing(format!("coop_add(&coop_{c})")),
        Call::CoopHold(c) => nothing(format!("coop_hold(&coop_{c})")),
        Call::CoopKill(c) => nothing(format!("coop_kill(&coop_{c})")),
        Call::CoopYield => nothing("coop_yield()".to_string()),
        Call::CoopWait => nothing("coop_wait()".to_string()),
        Call::CoopSleep(ms) => nothing(format!("coop_sleep_ms({ms})")),
        Call::ThreadYield => nothing("thread_yield()".to_string()),
    }
}
