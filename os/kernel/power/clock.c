/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The policy of the processor's clock, in programs that request it to be fast (lichen/clock.h): the
 * two functions at the end take the places of others of the kernel level (os/features.cmake).
 *
 * chip_sleep_prepare is called when nothing is ready. Waiting takes as long with a slow clock and
 * costs a quarter, so the clock becomes slow there, and nowhere else.
 *
 * While threads wait with a request in force, the kernel's threshold is above all priorities. So
 * whatever wakes a thread comes to ready_insert_behind, which makes the clock fast first. No other
 * wake-up pays for this: neither those of drivers and events, nor any in programs without requests.
 */
#include <lichen/clock.h>

#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "chip/chip.h"
#include "kernel/coop/coop.h"
#include "kernel/power/power.h"
#include "kernel/thread/ready.h"

extern const volatile uint8_t clock_requests_begin[], clock_requests_end[];

/* Absent in programs without threads, which never call it. */
#pragma weak ready_insert_others

static uint8_t strongest_request(void)
{
    uint8_t strongest = 0;
    for (const volatile uint8_t *need = clock_requests_begin; need < clock_requests_end; need++) {
        if (*need > strongest) {
            strongest = *need;
        }
    }
    return strongest;
}

/* Cooperative threads run while the kernel is idle. */
static bool is_coop_ready(void)
{
    for (const struct coop *thread = coop_states; thread < coop_states_end; thread++) {
        if (*(const volatile uint8_t *)&thread->state == COOP_READY) {
            return true;
        }
    }
    return false;
}

void clock_rise(void)
{
    chip_clock_set(CHIP_CLOCK_FAST);
}

static void wait_slowly(uint8_t threshold)
{
    chip_clock_set(CHIP_CLOCK_SLOW);
    if (ready_insert_others != 0) {
        kernel.threshold = threshold;
    }
}

void power_sleep_slowly(uint8_t mode)
{
    uint8_t need = strongest_request();
    if (need < CLOCK_FAST_IDLE && !is_coop_ready()) {
        wait_slowly(need == 0 ? PRIORITY_IDLE : KERNEL_WAITS_SLOWLY);
    }
    chip_sleep_slowly(mode);
}

/* The idle thread is the first while all wait. The change of the clock leaves its threshold. */
void ready_insert_fast(struct thread *thread, struct thread *first, uint_fast8_t priority,
                       uint_fast8_t threshold)
{
    if (threshold == KERNEL_WAITS_SLOWLY) {
        chip_clock_set(CHIP_CLOCK_FAST);
        kernel.threshold = (uint8_t)priority;
        thread->next = first;
        kernel.ready = thread;
    } else {
        ready_insert_others(thread, first, priority, threshold);
    }
}
