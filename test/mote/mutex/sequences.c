/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Another thread preempts before each instruction of locking and unlocking. */
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"
#include "timed_interrupt.h"

/* The sequences of os/arch/armv6m/mutex.S. */
void mutex_enter(void);
void mutex_leave(void);

#define INSTRUCTIONS 6u /* up to the store */

MUTEX(contested);
NOTIFY(now);
SEMAPHORE(rival_done, 0);
static volatile bool rival_holds;
static volatile unsigned rival_rounds;
static volatile uint32_t met_entering, met_leaving; /* one bit per instruction */

static uint32_t bit_of(uintptr_t place, void (*sequence)(void))
{
    uintptr_t offset = place - ((uintptr_t)sequence & ~(uintptr_t)1);
    return offset < 2 * INSTRUCTIONS ? 1u << (offset / 2) : 0;
}

INTERRUPT(TC3)
{
    timed_interrupt_clear();
    met_entering |= bit_of(timed_interrupt_place(), mutex_enter);
    met_leaving |= bit_of(timed_interrupt_place(), mutex_leave);
    notify_post_from(&now, LEVEL_DRIVER);
}

THREAD(rival, 256, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&now);
        mutex_lock(&contested);
        rival_holds = true;
        sleep_us(100); /* the tests' thread continues where it was */
        rival_holds = false;
        mutex_unlock(&contested);
        rival_rounds++;
        semaphore_post(&rival_done);
    }
}

static void lock_and_unlock_after(uint16_t cycles)
{
    timed_interrupt_in(cycles);
    __asm__ volatile("nop; nop; nop; nop"); /* starting the counter takes this long */
    mutex_lock(&contested);
    expect(!rival_holds);
    mutex_unlock(&contested);
    expect_equal(semaphore_wait_until(&rival_done, time_now_us() + 10 * TIME_US_PER_MS), 0);
}

TEST(exclusion_holds_whichever_instruction_is_interrupted)
{
    timed_interrupt_enable();
    for (uint16_t cycles = 1; cycles < 80; cycles++) {
        lock_and_unlock_after(cycles);
        expect_equal(rival_rounds, cycles);
        expect_equal(contested.owner, 0);
    }
    expect_equal(met_entering, (1u << INSTRUCTIONS) - 1);
    expect_equal(met_leaving, (1u << INSTRUCTIONS) - 1);
}
