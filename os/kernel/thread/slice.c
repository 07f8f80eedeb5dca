/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time slices of equals.
 *
 * The first ready thread has a slice of processor time if it has equals. The slice timer counts
 * only the time that this thread gets, including the interrupts and events in it: while the timer
 * runs, `threshold` sends every more urgent thread that becomes ready through this file, and the
 * timer stops; the rest of the slice is kept in the thread, and the timer resumes with it when the
 * thread is the first again. So a slice lasts its full time, however often it is interrupted. A
 * thread that yields or waits gives up the rest.
 *
 * A thread that inherits a priority has two slices. The rest of the slice of its own priority is
 * kept for it, and so is its place ahead of its equals: none of them can have run in the meantime.
 * The other slice is that of the priority that it inherits.
 *
 * The rest of a slice is counted in cycles of the processor, and converted when its clock changes:
 * before it becomes slower and after it has become faster, so that a slice may be too short for a
 * moment but never too long.
 *
 * Where a thread is removed without coming here (ready.c) and the next one has no equals, the timer
 * keeps running. It is stopped when its time is up, or before idling.
 */
#include "kernel/thread/ready.h"

#include <stdbool.h>
#include <stdint.h>

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/start.h"
#include "kernel/thread/thread.h"

/* 2^20 / 200: the cycles of 5 ms are the clock's hertz divided by 200, here to 1 in 5,000. A
 * division would take 280 bytes, a multiplication of 64 bits 90, and the kernel has no other use
 * for them. */
#define SLICE_FACTOR 5243u

/* The rest of a slice is kept in units of 4 cycles: a slice at 48 MHz is 60,000 of them. */
#define LEFT_SHIFT 2u

static uint32_t whole; /* cycles of a whole slice, at the present clock */

static uint32_t cycles_of_slice(uint32_t hz)
{
    return (hz >> 8) * SLICE_FACTOR >> 12;
}

/* At start-up the clock is known already: chip and board come first. */
static void slices_begin(void)
{
    whole = cycles_of_slice(chip_clock_hz());
}
START(slices_begin);

static inline uint_fast8_t slice_of(const struct thread *thread)
{
    return SLICE_OWN + (thread->priority != thread->base);
}

void slice_begin(void)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    uint8_t priority = first->priority;
    if (priority == PRIORITY_IDLE || first->next->priority != priority) {
        state->threshold = priority;
        if (priority == PRIORITY_IDLE) {
            (void)arch_slice_stop();
        }
        return;
    }
    uint_fast8_t which = slice_of(first);
    uint32_t left = whole;
    if (first->slices & which) {
        first->slices ^= (uint8_t)which;
        left = (uint32_t)first->slice_left[which - 1] << LEFT_SHIFT;
    }
    state->threshold = KERNEL_SLICED;
    arch_slice_start(left, whole);
}

/* The rest is rounded up, and never 0: a slice whose time is up ends when it resumes. */
void slice_interrupt(void)
{
    struct kernel *state = kernel_state();
    if (state->threshold == KERNEL_SLICED) {
        struct thread *first = state->ready;
        uint_fast8_t which = slice_of(first);
        first->slice_left[which - 1] = (uint16_t)((arch_slice_stop() >> LEFT_SHIFT) + 1);
        first->slices |= (uint8_t)which;
    }
}

void slice_insert(struct thread *thread)
{
    struct kernel *state = kernel_state();
    uint_fast8_t priority = thread->priority;
    bool first = priority > state->ready->priority;
    if (first) {
        slice_interrupt();
    }
    ready_link(thread, priority);
    if (first || state->threshold == priority) {
        slice_begin();
    }
}

void slice_check(void)
{
    struct kernel *state = kernel_state();
    const struct thread *first = state->ready;
    bool has_equals = first->next->priority == first->priority;
    if (has_equals != (state->threshold == KERNEL_SLICED)) {
        slice_interrupt();
        slice_begin();
    }
}

/* Converts `left` of a slice of `from` cycles to one of `to` cycles: as a part of 2^13, found bit
 * by bit. Rounded down. */
static uint32_t rescaled(uint32_t left, uint32_t from, uint32_t to)
{
    uint32_t part = 0;
    for (unsigned bit = 0; bit < 13; bit++) {
        left <<= 1;
        part <<= 1;
        if (left >= from) {
            left -= from;
            part |= 1;
        }
    }
    return part * to >> 13;
}

static void rescale(struct thread *thread, uint32_t from, uint32_t to)
{
    for (uint_fast8_t which = SLICE_OWN; which <= SLICE_INHERITED; which++) {
        if (thread->slices & which) {
            uint32_t left = (uint32_t)thread->slice_left[which - 1] << LEFT_SHIFT;
            left = rescaled(left, from, to);
            thread->slice_left[which - 1] = (uint16_t)((left >> LEFT_SHIFT) + 1);
        }
    }
}

void kernel_clock_changes(uint32_t hz)
{
    uint32_t cycles = cycles_of_slice(hz);
    slice_interrupt();
    for (struct thread *thread = kernel.ready; thread->priority != PRIORITY_IDLE;
         thread = thread->next) {
        rescale(thread, whole, cycles);
    }
    whole = cycles;
    (void)arch_slice_stop(); /* it may run, though nobody has a slice */
    slice_begin();
}

void kernel_slice(void)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    if (state->threshold != KERNEL_SLICED) {
        (void)arch_slice_stop();
        return;
    }
    state->ready = first->next;
    ready_link(first, first->priority);
    slice_begin();
    arch_kernel_request();
}
