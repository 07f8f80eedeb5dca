// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beginnings of programs made from histories.

/// All of them.
pub(crate) const ALL: &str = r#"/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/coop.h>
#include <lichen/interrupt.h>
#include <lichen/print.h>

#include "compute.h"
#include "machine.h"
#include "software_interrupt.h"

/* What was returned, in this order. */
static volatile struct {
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
"#;

/// For programs with threads: the objects of `test/model/frame/objects.c`.
pub(crate) const OBJECTS: &str = r#"
#include <lichen/alarm.h>
#include <lichen/barrier.h>
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>
#include <lichen/woven.h>

MUTEX(mutexes[3]);
SEMAPHORE(semaphore_0, 0);
SEMAPHORE(semaphore_1, 2);
SEMAPHORE_RT(semaphore_rt, 0);
SEMAPHORE(semaphore_3, 65534);
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
ALARM(alarm_0, event_0);
ALARM(alarm_1, event_1);
ALARM(alarm_2, event_2);
ALARM(alarm_3, event_3);
extern struct thread thread_0, thread_1, thread_2, thread_3, thread_4;
struct thread_created thread_5;

static void levels_enable(void)
{
    software_interrupts_enable();
}
INIT(levels_enable);
"#;

/// For programs with cooperative threads.
pub(crate) const COOPS: &str = r#"
COOP_EXTERN(coop_0);
COOP_EXTERN(coop_1);
COOP_EXTERN(coop_2);
COOP_EXTERN(coop_3);
"#;

/// For programs without a kernel level, which would enable the lines.
pub(crate) const ALONE: &str = r#"
COOP(a_start)
{
    COOP_BEGIN();
    software_interrupts_enable();
    COOP_END();
}
"#;

/// At the end: prints what was returned.
pub(crate) const TELL: &str = r#"
    for (unsigned index = 0; index < returns; index++) {
        print("step %u returned %d (%lu)\n", returned[index].step, returned[index].result,
              (unsigned long)returned[index].value);
    }
"#;
