/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread may use its stack up to the limit, where its saved registers still fit, when it yields
 * and when it waits.
 */
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "test.h"

#define FRAME_BYTES 32u /* what an exception saves */

NOTIFY(go);
static volatile unsigned yielded;
static volatile unsigned waited;

/* Enters the kernel with the stack pointer where its frame ends at the limit. */
static void enter_at_limit(void (*how)(void), arch_call_fn *fn, void *argument)
{
    uint8_t *limit = thread_self()->stack_limit;
    register void *first __asm__("r0") = argument;
    register uint8_t *low __asm__("r1") = limit + FRAME_BYTES;
    register arch_call_fn *call __asm__("r2") = fn;
    register void (*entry)(void) __asm__("r3") = how;
    __asm__ volatile("mov r12, sp\n\tmov sp, r1\n\tsvc 0\n\tmov sp, r12"
                     : "+r"(first)
                     : "r"(low), "r"(call), "r"(entry)
                     : "r12", ARCH_CALL_CLOBBERS);
}

THREAD(tight, 256, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go);
        enter_at_limit(svc_yield, 0, 0);
        yielded++;
        enter_at_limit(svc_wait, (arch_call_fn *)(uintptr_t)notify_wait_call, &go);
        waited++;
    }
}

/* Until every equal has had its turn. */
static void let_equals_run(void)
{
    for (unsigned turn = 0; turn < 8; turn++) {
        thread_yield();
    }
}

TEST(a_stack_may_be_used_up_to_its_limit)
{
    notify_post(&go);
    let_equals_run();
    expect_equal(yielded, 1);
    expect_equal(waited, 0);
    notify_post(&go);
    let_equals_run();
    expect_equal(waited, 1);
}
