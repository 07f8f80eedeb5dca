/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Handlers do not use the stack of the thread that they interrupt: one with a large frame
 * interrupts a thread whose stack is small, in a function and in calls of the kernel.
 */
#include <lichen/interrupt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "compute.h"
#include "test.h"
#include "timed_interrupt.h"

/* More than a small stack has. */
#define DEEP_BYTES (SMALL_STACK + 32u)

static volatile unsigned handled;
static volatile bool spoilt;
SEMAPHORE_RT(came, 0);

static __attribute__((noinline)) void use_stack(void)
{
    volatile uint8_t frame[DEEP_BYTES];
    for (unsigned i = 0; i < DEEP_BYTES; i++) {
        frame[i] = (uint8_t)i;
    }
    for (unsigned i = 0; i < DEEP_BYTES; i++) {
        spoilt = spoilt || frame[i] != (uint8_t)i;
    }
}

TIMED_INTERRUPT()
{
    use_stack();
    handled++;
    semaphore_post_from(&came, LEVEL_DRIVER);
}

static volatile bool calls;
static volatile unsigned rounds;
THREAD(small, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
        if (calls) {
            thread_yield();
        }
    }
}

/* Interrupts the small thread once, some cycles from now. */
static void interrupt_small(uint16_t cycles)
{
    unsigned before = handled;
    timed_interrupt_in(cycles);
    semaphore_wait(&came.semaphore);
    expect_equal(handled, before + 1);
}

static void expect_room(void)
{
    expect(thread_stack_free(thread_info_of(&small)) > 0);
    expect(!spoilt);
}

TEST(a_deep_handler_leaves_the_threads_stack_alone)
{
    timed_interrupt_enable();
    interrupt_small(3000);
    expect_room();
}

TEST(nor_does_one_that_interrupts_the_kernel_level_of_a_call)
{
    calls = true;
    for (uint16_t cycles = 2000; cycles < 2200; cycles++) {
        interrupt_small(cycles);
    }
    calls = false;
    expect_room();
    expect(rounds > 0);
}
