/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stacks that overflow: the panic comes at the next call of the kernel, or where a thread that
 * makes none is preempted.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"
#include "ways.h"

/* Fills the stack down to an address. It calls itself through a variable; otherwise the compiler
 * would turn it into a loop.
 */
static uint32_t fill_down_to(uintptr_t address);
static uint32_t (*volatile next)(uintptr_t address) = fill_down_to;
static void nothing(void)
{
}
static void (*volatile at_the_bottom)(void) = nothing;

static uint32_t fill_down_to(uintptr_t address)
{
    volatile uint32_t room[4];
    for (unsigned i = 0; i < 4; i++) {
        room[i] = i;
    }
    if ((uintptr_t)room > address) {
        return next(address) + room[0];
    }
    at_the_bottom();
    return room[0];
}

SEMAPHORE(go_deep, 0);
THREAD(goes_deep, SMALL_STACK, PRIORITY_HIGH)
{
    semaphore_wait(&go_deep);
    uint8_t *stack = thread_info_of(&goes_deep)->stack;
    (void)fill_down_to((uintptr_t)stack - 64); /* into the stack below */
    sleep_ms(1);
}

/* The same, and then calls the kernel in another way. No call returns to it. */
static void (*volatile deep_call)(void);
THREAD_STOPPED(calls_deep, SMALL_STACK, PRIORITY_HIGH)
{
    (void)fill_down_to((uintptr_t)thread_info_of(&calls_deep)->stack - 64);
    deep_call();
    returned();
}

SEMAPHORE(never, 0);
NOTIFY(never_told);
static void wait(void)
{
    semaphore_wait(&never);
}
static void wait_for_notification(void)
{
    notify_wait(&never_told);
}
static void wake(void)
{
    (void)semaphore_post(&go_deep);
}
static void pause(void)
{
    thread_pause(&goes_deep);
}

/* Makes no call at the end of its stack: when it is preempted, there is no room for its registers.
 */
static void stay(void)
{
    for (;;) {
    }
}
THREAD_STOPPED(stays_deep, SMALL_STACK, PRIORITY_LOW)
{
    at_the_bottom = stay;
    uint8_t *stack = thread_info_of(&stays_deep)->stack;
    (void)fill_down_to((uintptr_t)stack + 72);
}

/* Yields there. */
THREAD_STOPPED(yields_deep, SMALL_STACK, PRIORITY_APP)
{
    at_the_bottom = thread_yield;
    (void)fill_down_to((uintptr_t)thread_info_of(&yields_deep)->stack + 40);
    returned();
}

/* Waits where its registers do not fit, and its last word is as it was: that is behind room for 8
 * bytes, the frame, and what waiting saves. */
THREAD_STOPPED(waits_at_the_end, SMALL_STACK, PRIORITY_HIGH)
{
    uint8_t *sp = thread_info_of(&waits_at_the_end)->stack + 8 + 32 + 72;
    register struct semaphore *semaphore __asm__("r0") = &never;
    __asm__ volatile("mov sp, %1\n\t"
                     "bl semaphore_take"
                     :
                     : "r"(semaphore), "r"(sp)
                     : "r1", "r2", "r3", "r12", "lr", "cc", "memory");
    returned();
    for (;;) {
        sleep_ms(1000);
    }
}

EVENT(fills_kernel_stack)
{
    (void)fill_down_to((uintptr_t)kernel_stack_bottom + 36);
}

void overflow(void)
{
    semaphore_post(&go_deep);
}

void overflow_kernel_stack(void)
{
    event_post(&fills_kernel_stack);
}

void overflow_and_stay(void)
{
    expect(thread_start(&stays_deep, 0) == 0);
}

static void overflow_and(void (*call)(void))
{
    expect(thread_start(&waits_for_one, 0) == 0);
    deep_call = call;
    expect(thread_start(&calls_deep, 0) == 0);
}

void overflow_and_wait(void)
{
    overflow_and(wait);
}

void overflow_and_wait_for_notification(void)
{
    overflow_and(wait_for_notification);
}

void overflow_and_wake(void)
{
    overflow_and(wake);
}

void overflow_and_notify(void)
{
    overflow_and(notify_one);
}

void overflow_and_pause(void)
{
    overflow_and(pause);
}

void overflow_and_exit(void)
{
    overflow_and(thread_exit);
}

void overflow_and_yield(void)
{
    expect(thread_start(&yields_deep, 0) == 0);
    thread_yield();
}

void wait_at_the_end(void)
{
    expect(thread_start(&waits_at_the_end, 0) == 0);
}
