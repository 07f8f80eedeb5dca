/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Another thread preempts before each instruction of locking and unlocking. */
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"
#include "timed_interrupt.h"

/* The code of the two sequences. */
extern const uint8_t entering[] __asm__("mutex_enter");
extern const uint8_t leaving[] __asm__("mutex_leave");

MUTEX(contested);
NOTIFY(now);
SEMAPHORE(rival_done, 0);
static volatile bool rival_holds;
static volatile unsigned rival_rounds;
static volatile uint32_t met_entering, met_leaving; /* one bit per two bytes */

static uint32_t bit_of(uintptr_t place, const uint8_t *sequence, uint32_t places)
{
    uintptr_t offset = place - ((uintptr_t)sequence & ~(uintptr_t)1);
    return offset < 64 ? UINT32_C(1) << (offset / 2) & places : 0;
}

TIMED_INTERRUPT()
{
    met_entering |= bit_of(timed_interrupt_place(), entering, MUTEX_ENTER_PLACES);
    met_leaving |= bit_of(timed_interrupt_place(), leaving, MUTEX_LEAVE_PLACES);
    notify_post_from(&now, LEVEL_DRIVER);
}

THREAD(rival, SMALL_STACK, PRIORITY_HIGH)
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
    for (uint16_t cycles = 1; cycles < 160; cycles++) {
        lock_and_unlock_after(cycles);
        expect_equal(rival_rounds, cycles);
        expect_equal(contested.owner, 0);
    }
    expect_equal(met_entering, MUTEX_ENTER_PLACES);
    expect_equal(met_leaving, MUTEX_LEAVE_PLACES);
}
