/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that gives the processor another clock at random moments, up to 1,500 cycles apart, for
 * tests of what must not notice. In one file of a program. */
#ifndef TEST_MOTE_FRAME_CLOCK_DISTURBER_H
#define TEST_MOTE_FRAME_CLOCK_DISTURBER_H

#include <lichen/notify.h>
#include <lichen/thread.h>

#include "chip/chip.h"
#include "machine.h"
#include "timed_interrupt.h"

enum {
    DISTURBER_CYCLES = 1500,
    DISTURBER_LEAST = 100,
};

NOTIFY(disturb);
static volatile bool disturbs;
static volatile uint32_t disturbances;

TIMED_INTERRUPT()
{
    notify_post_from(&disturb, LEVEL_DRIVER);
}

/* Marsaglia's xorshift of 32 bits. */
static uint32_t disturber_random(void)
{
    static uint32_t number = 2463534242u;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    return number;
}

static void disturb_soon(void)
{
    timed_interrupt_in((uint16_t)(DISTURBER_LEAST + disturber_random() % DISTURBER_CYCLES));
}

THREAD(disturber, SMALL_STACK, PRIORITY_HIGH)
{
    static const enum chip_clock clocks[] = {CHIP_CLOCK_4_MHZ, CHIP_CLOCK_8_MHZ, CHIP_CLOCK_48_MHZ};

    timed_interrupt_enable();
    for (;;) {
        notify_wait(&disturb);
        if (disturbs) {
            chip_clock_set(clocks[disturber_random() % 3]);
            disturbances++;
            disturb_soon();
        }
    }
}

static void disturber_start(void)
{
    disturbances = 0;
    disturbs = true;
    disturb_soon();
}

static void disturber_stop(void)
{
    disturbs = false;
    chip_clock_set(CHIP_CLOCK_8_MHZ);
}

#endif
