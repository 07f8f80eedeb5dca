// SPDX-License-Identifier: MIT OR Apache-2.0
//! A history as a C program of the public API, to be run, looked at with a debugger, or kept as a test.
//!
//! Each actor makes its calls in their order; who acts when is left to the kernel, as in any program. An
//! interrupt is requested by who was about to make a call when it came, or, if everybody waited, by the
//! thread `teller`, which at the end prints what each call has returned. Moments are those of the run
//! that was compared. One that came within a call is requested behind it.

use crate::{Difference, Step};
use lichen_model::{
    Actor, CREATED, Call, EVENTS, LEVELS, QUEUE_RT, SEMAPHORE_RT, Seen, Until, us_of_tick,
};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Threads as in `test/model/threads/threads.c`: priority, and whether the kernel starts them.
const THREADS: [(u8, bool); 5] = [(10, true), (8, true), (8, true), (4, true), (4, false)];

/// Woven pairs as there.
const PAIRS: [&str; lichen_model::PAIRS] =
    ["event_3, event_4", "pair_0, event_5", "event_3, event_6"];

const HEAD: &str = r#"/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/barrier.h>
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/print.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>
#include <lichen/woven.h>

#include "software_interrupt.h"

MUTEX(mutexes[3]);
SEMAPHORE(semaphore_0, 0);
SEMAPHORE(semaphore_1, 2);
SEMAPHORE_RT(semaphore_rt, 0);
CONDITION(condition_0);
CONDITION(condition_1);
BARRIER(barrier_0, 2);
BARRIER(barrier_1, 3);
REFERENCE(reference_0);
QUEUE(queue_0, uint32_t, 1);
QUEUE(queue_1, uint32_t, 3);
QUEUE_RT(queue_rt, uint32_t, 2, 1);
NOTIFY(notify_0);
NOTIFY(notify_1);
EVENT_EXTERN(event_0);
EVENT_EXTERN(event_1);
EVENT_EXTERN(event_2);
TIMER(timer_0, event_0);
TIMER(timer_1, event_1);
TIMER(timer_2, event_2);
EVENT_EXTERN(event_3);
EVENT_EXTERN(event_4);
EVENT_EXTERN(event_5);
EVENT_EXTERN(event_6);
TIMER(timer_3, event_3);
TIMER(timer_4, event_4);
TIMER(timer_5, event_5);
TIMER(timer_6, event_6);
extern struct thread thread_0, thread_1, thread_2, thread_3, thread_4;
struct thread_created thread_5;

/* What was returned, in this order. */
static struct {
    unsigned step;
    int result;
    uint32_t value;
} returned[256];
static unsigned returns;

static __attribute__((unused)) void result(unsigned step, int result, uint32_t value)
{
    unsigned index = returns++;
    returned[index].step = step;
    returned[index].result = result;
    returned[index].value = value;
}

static inline void compute(uint32_t us)
{
    uint32_t turns = us * 8u / 3u;
    __asm__ volatile(".syntax unified\n1:\tsubs %0, #1\n\tbhi 1b" : "+l"(turns) : : "cc");
}

static void levels_enable(void)
{
    software_interrupts_enable();
}
INIT(levels_enable);
"#;

/// What each actor does: in each of its runs, lines.
#[derive(Default)]
struct Parts {
    runs: BTreeMap<Actor, Vec<Vec<String>>>,
    teller: Vec<String>,
}

impl Parts {
    fn line(&mut self, actor: Actor, line: String) {
        let runs = self.runs.entry(actor).or_default();
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        if let Some(run) = runs.last_mut() {
            run.push(line);
        }
    }

    /// An actor begins anew, if it has begun before.
    fn begins(&mut self, actor: Actor) {
        self.runs.entry(actor).or_default().push(Vec::new());
    }

    fn body(&self, actor: Actor) -> String {
        let runs = self.runs.get(&actor).map(Vec::as_slice).unwrap_or_default();
        let mut text = String::from(
            "    static unsigned run;\n    uint32_t message;\n    (void)message;\n    switch (run++) {\n",
        );
        for (number, lines) in runs.iter().enumerate() {
            let _ = writeln!(text, "    case {number}:");
            lines.iter().for_each(|line| {
                let _ = writeln!(text, "        {line}");
            });
            text.push_str("        break;\n");
        }
        text.push_str("    }\n");
        text
    }
}

/// The program.
pub fn listing(difference: &Difference) -> String {
    let mut parts = Parts::default();
    let mut end = 0;
    for (number, done) in difference.done.iter().enumerate() {
        let us = us_of_tick(done.tick);
        end = us;
        match done.step {
            Step::Call(actor, call) => {
                parts.line(
                    actor,
                    format!("{} /* {us} us: {} */", statement(number, actor, call), done.words),
                );
            }
            Step::Within(actor, call, strike) => {
                let level = strike.level;
                let comes = format!("an interrupt of level {level}, {}", done.words);
                parts.line(actor, format!("/* Within this call came {comes}. */"));
                parts.line(actor, statement(number, actor, call));
                parts.line(actor, format!("software_interrupts(1u << {level}); /* {us} us */"));
            }
            Step::Interrupt(level) => {
                let line = format!("software_interrupts(1u << {level}); /* {us} us */");
                match done.seen[0] {
                    Some(Seen::Asks(actor, ..)) => parts.line(actor, line),
                    _ => parts.teller.extend([format!("sleep_until_us({us});"), line]),
                }
            }
            Step::Idle(_) => {}
        }
        if let Some(Seen::Asks(actor, -1, _)) = done.seen[1]
            && !begins_again(&done.step, done.seen[0], actor)
        {
            parts.begins(actor);
        }
    }
    if let Some(Some(Seen::Asks(actor, -1, _))) = difference.done.first().map(|done| done.seen[0]) {
        let runs = parts.runs.entry(actor).or_default();
        if runs.is_empty() {
            runs.push(Vec::new());
        }
    }
    write_out(difference, &parts, end)
}

/// An actor that has only been interrupted says once more that it begins.
fn begins_again(step: &Step, before: Option<Seen>, actor: Actor) -> bool {
    let interrupted = matches!(
        step,
        Step::Call(Actor::Interrupt(_) | Actor::Event(_) | Actor::Pair(_), Call::Return)
    );
    let same = matches!(before, Some(Seen::Asks(other, -1, _)) if other == actor);
    (interrupted && matches!(actor, Actor::Thread(_))) || same
}

fn write_out(difference: &Difference, parts: &Parts, end: u64) -> String {
    let mut text = HEAD.to_string();
    let _ = write!(
        text,
        "\n/* The mote:  {}\n * The model: {} */\n",
        difference.seen,
        difference.allowed.join("; or ")
    );
    for event in 0..EVENTS {
        let _ = write!(text, "\nEVENT(event_{event})\n{{\n{}}}\n", parts.body(Actor::Event(event)));
    }
    for (pair, halves) in PAIRS.iter().enumerate() {
        let body = parts.body(Actor::Pair(pair));
        let _ = write!(text, "\nWOVEN(pair_{pair}, {halves})\n{{\n{body}}}\n");
    }
    for level in 0..LEVELS {
        let body = parts.body(Actor::Interrupt(level));
        let _ = write!(text, "\nINTERRUPT(TCC{level})\n{{\n{body}}}\n");
    }
    for (thread, (priority, starts)) in THREADS.iter().enumerate() {
        let kind = if *starts { "THREAD" } else { "THREAD_STOPPED" };
        let body = parts.body(Actor::Thread(thread));
        let _ = write!(text, "\n{kind}(thread_{thread}, 512, {priority})\n{{\n{body}}}\n");
    }
    let body = parts.body(Actor::Thread(CREATED));
    let _ = write!(
        text,
        "\nstatic void created_entry(void *argument)\n{{\n    (void)argument;\n{body}}}\n\
         static THREAD_STACK(created_stack, 512);\n\
         struct thread_created thread_5 = {{\n    .info = {{.entry = created_entry,\n             \
         .stack = created_stack,\n             .stack_bytes = sizeof(created_stack),\n             \
         .name = \"thread_5\",\n             .priority = 6}},\n    .thread = {{.state = THREAD_STOPPED}}}};\n"
    );
    let _ = write!(
        text,
        "\nTHREAD(teller, 512, 1)\n{{\n{}    sleep_until_us({});\n    \
         for (unsigned index = 0; index < returns; index++) {{\n        \
         print(\"step %u returned %d (%lu)\\n\", returned[index].step, returned[index].result,\n              \
         (unsigned long)returned[index].value);\n    }}\n}}\n",
        parts.teller.iter().fold(String::new(), |text, line| format!("{text}    {line}\n")),
        end + 100_000
    );
    text
}

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

/// A call in C, and what to do with what it returns.
fn statement(number: usize, actor: Actor, call: Call) -> String {
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
        Call::Return => "return;".to_string(),
        Call::Compute(us) => nothing(format!("compute({us})")),
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
