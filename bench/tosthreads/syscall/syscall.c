/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls around services that do nothing: the least that every service costs.
 *
 *   null_call .. null_return     the call to the kernel level, the wait, the end of the wait,
 *                                and back in the thread
 *   event_call .. event_return   the same with the end in an event that the service posts
 */
#include <lichen/event.h>
#include <lichen/syscall.h>
#include <lichen/thread.h>

#include "../../kernel/mark.h"

static struct syscall *waiting;

static int null(void *call)
{
    (void)syscall_wait_in(call, &waiting);
    syscall_end(waiting, 0);
    return 0;
}

EVENT(done)
{
    syscall_end(waiting, 0);
}

static int begin(void *call)
{
    event_post_from(&done, ARCH_LEVEL_KERNEL);
    return syscall_wait_in(call, &waiting);
}

/* What the processor runs while the caller waits. */
volatile uint32_t rounds;
THREAD(computes, 256, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

THREAD(calls, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(null_call);
        (void)syscall_run_on(null, 0);
        BENCH_MARK(null_return);
        BENCH_MARK(event_call);
        (void)syscall_run_on(begin, 0);
        BENCH_MARK(event_return);
    }
}
