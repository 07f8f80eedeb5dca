/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two handlers of level 1: the second's interrupt comes at each cycle of what the first one's does,
 * its entry, its exit and the kernel level that follows. */
#include <avr/io.h>

#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "test.h"

#define CYCLES 1200u

/* Longer than all of it, in rounds of a loop. */
#define LONG 400u

/* The direct slot of the kernel level holds an address. That of the first notification, which the
 * linker places at the beginning of RAM, ends in 0: one half of it is as in an empty slot. */
NOTIFY(by_second);
NOTIFY(by_first);

static volatile bool posts;
static volatile uint8_t first, second;
static volatile uint8_t first_delivered, second_delivered;

INTERRUPT(EE_READY)
{
    first++;
    if (posts) {
        notify_post_from(&by_first, LEVEL_DRIVER);
    }
}

INTERRUPT(TIMER3_COMPB)
{
    TCCR3B = 0;
    second++;
    if (posts) {
        notify_post_from(&by_second, LEVEL_DRIVER);
    }
}

THREAD(of_first, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&by_first);
        first_delivered++;
    }
}

THREAD(of_second, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&by_second);
        second_delivered++;
    }
}

/* Both interrupts, the second one some cycles after the first. */
static void both(uint16_t cycles)
{
    first = second = first_delivered = second_delivered = 0;
    ETIMSK |= 1 << OCIE3B;
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3B = cycles;
    ETIFR = 1 << OCF3B;
    __asm__ volatile("cli" : : : "memory");
    EECR = 1 << EERIE;
    TCCR3B = 1 << CS30;
    __asm__ volatile("sei" : : : "memory");
    for (volatile uint16_t rounds = 0; rounds < LONG; rounds++) {
    }
}

TEST(no_handler_that_waits_for_another_is_forgotten)
{
    posts = false;
    for (uint16_t cycles = 1; cycles < CYCLES; cycles++) {
        both(cycles);
        uint8_t handled = second; /* before a call into the kernel would let it run */
        expect_equal(first, 1);
        expect_equal(handled, 1);
    }
}

TEST(no_notification_is_lost_or_delivered_twice)
{
    posts = true;
    expect_equal((uintptr_t)&by_first & 0xffu, 0);
    expect((uintptr_t)&by_second - (uintptr_t)&by_first < 256);
    for (uint16_t cycles = 1; cycles < CYCLES; cycles++) {
        both(cycles);
        uint8_t delivered = second_delivered;
        expect_equal(first_delivered, 1);
        expect_equal(delivered, 1);
    }
}
