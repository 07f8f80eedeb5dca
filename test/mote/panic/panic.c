/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything that can end a program, one after the other: each leaves its record, starts the mote
 * again, and the next start looks at what the one before it left.
 *
 * A word that start-up leaves alone counts the starts; after power-on it holds chance, so the first
 * start is known by its cause.
 */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "software_interrupt.h"
#include "test.h"

extern struct thread tests;
extern uint8_t kernel_stack_bottom[];

static __attribute__((section(".noinit"))) unsigned start;

#define NOWHERE ((volatile uint32_t *)0x30000000)

/* Fills the stack down to an address. Calls through a variable, or the compiler makes a loop of it.
 */
static uint32_t fill_down_to(uintptr_t address);
static uint32_t (*volatile next)(uintptr_t address) = fill_down_to;

static uint32_t fill_down_to(uintptr_t address)
{
    volatile uint32_t room[4];
    for (unsigned i = 0; i < 4; i++) {
        room[i] = i;
    }
    return (uintptr_t)room <= address ? room[0] : next(address) + room[0];
}

SEMAPHORE(go_deep, 0);
THREAD(goes_deep, 256, PRIORITY_HIGH)
{
    semaphore_wait(&go_deep);
    uint8_t *stack = thread_info_of(&goes_deep)->stack;
    (void)fill_down_to((uintptr_t)stack - 64); /* into the stack below */
    sleep_ms(1);
}

SEMAPHORE(go_home, 0);
THREAD(goes_home, 256, PRIORITY_HIGH)
{
    semaphore_wait(&go_home);
}

EVENT(fills_kernel_stack)
{
    (void)fill_down_to((uintptr_t)kernel_stack_bottom + 48);
}

EVENT(faults)
{
    *NOWHERE = 1;
}

static void end_by(unsigned way)
{
    switch (way) {
    case 1:
        assert(way == 0);
        break;
    case 2:
        panic(0x1234);
        break;
    case 3:
        *NOWHERE = 1;
        break;
    case 4:
        semaphore_post(&go_deep);
        break;
    case 5:
        semaphore_post(&go_home);
        break;
    case 6:
        software_interrupts_enable();
        software_interrupts(1u << 1);
        break;
    case 7:
        event_post(&faults);
        break;
    case 8:
        event_post(&fills_kernel_stack);
        break;
    default:
        break;
    }
    sleep_ms(1000);
}

/* What the record of the way before this start must say. */
static const struct expected {
    uint32_t reason;
    struct thread *thread;
    uint32_t detail;
    bool any_detail;
    bool in_handler;
} expected[] = {
    {PANIC_ASSERT, &tests, 0, false, false},
    {PANIC_ASSERT, &tests, 0x1234, false, false},
    {PANIC_FAULT, &tests, 0, true, false},
    {PANIC_STACK, &goes_deep, 0, true, false},
    {PANIC_THREAD_RETURNED, &goes_home, (uint32_t)(uintptr_t)&goes_home, false, false},
    {PANIC_INTERRUPT, &tests, 16 + TCC0_LINE + 1, false, true},
    {PANIC_FAULT, &tests, 0, true, true},
    {PANIC_KERNEL_STACK, &tests, 0, true, true},
};
#define WAYS (sizeof(expected) / sizeof(*expected))

static void expect_record(unsigned way)
{
    const struct expected *wanted = &expected[way - 1];
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(record->reason, wanted->reason);
    expect_equal(record->count, way);
    expect_equal(record->thread, (uint32_t)(uintptr_t)wanted->thread);
    if (!wanted->any_detail) {
        expect_equal(record->detail, wanted->detail);
    }
    expect(((record->status & 0x3f) != 0) == wanted->in_handler);
    expect(record->pc != 0);
    expect(record->stack_free < 1536);
}

TEST(every_end_leaves_its_record)
{
    if (reset_cause() == RESET_POWER) {
        panic_forget();
        start = 1;
    } else {
        expect_equal(reset_cause(), RESET_SOFTWARE);
        expect_record(start);
        start++;
    }
    if (start <= WAYS) {
        end_by(start);
    }
    expect_equal(start, WAYS + 1);
}

TEST(a_record_can_be_forgotten)
{
    expect(panic_last() != 0);
    panic_forget();
    expect(panic_last() == 0);
}
