/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that declares neither threads nor events, but has the switch, since a call that may
 * block brings it. When the kernel starts, the idle thread is alone on the ready list. Its
 * cooperative thread blocks, which ends the program, and after the next start makes two threads.
 */
#include <lichen/coop.h>
#include <lichen/panic.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../event_alone/report.h"

#define ROUNDS  UINT32_C(200000) /* several slices of time */
#define STACK   256u
#define WORKERS 2u

SEMAPHORE(nothing, 0);

/* `lichen build` refuses the call, but does not follow pointers. */
static void (*volatile wait_for)(struct semaphore *semaphore) = semaphore_wait;

static THREAD_STACK(first_stack, STACK);
static THREAD_STACK(second_stack, STACK);
static struct thread_created workers[WORKERS];
static volatile uint32_t rounds[WORKERS];
static volatile uint32_t rounds_of_other; /* of the slower one when the other had ended */
static volatile uint8_t ended;

static int begin(struct thread_created *worker, uint8_t *stack);

/* A worker is its own argument. The first one, which runs before its maker goes on, makes the
 * second. */
static void work(void *argument)
{
    unsigned self = argument != &workers[0];
    if (self == 0) {
        EXPECT(begin(&workers[1], second_stack) == 0);
    }
    while (rounds[self] < ROUNDS) {
        rounds[self]++;
    }
    if (ended++ == 0) {
        rounds_of_other = rounds[!self];
    }
}

static int begin(struct thread_created *worker, uint8_t *stack)
{
    worker->info.entry = work;
    worker->info.stack = stack;
    worker->info.stack_bytes = STACK;
    worker->info.name = "worker";
    worker->info.priority = PRIORITY_APP;
    return thread_create(worker, worker);
}

COOP(alone)
{
    COOP_BEGIN();
    if (panic_last() == 0) {
        wait_for(&nothing);
    }
    report_begin();
    EXPECT(panic_last() != 0 && panic_last()->reason == PANIC_ASSERT);
    report("a_cooperative_thread_that_blocks_asserts");

    EXPECT(begin(&workers[0], first_stack) == 0);
    while (ended < WORKERS) {
        coop_sleep_ms(1);
    }
    EXPECT(rounds_of_other > ROUNDS / 2);
    report("threads_made_at_run_time_take_turns");
    report_all();
    COOP_END();
}
