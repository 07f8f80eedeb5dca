/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ready list, and turns among equals.
 *
 * The first ready thread has the turn if it has equals. The slice timer counts the processor time
 * that it gets, with the interrupts and events that come meanwhile, and nothing else: while the
 * timer runs, `threshold` sends whoever is more urgent here, and the timer stops; what is left of
 * the turn is kept in the thread, and the timer goes on with it when the thread is the first again.
 * So a turn is a slice of processor time, however often it is interrupted. A thread that yields or
 * waits gives up the rest.
 *
 * A thread that inherits a priority is in two turns. That of its own priority is kept for it, and
 * so is its place, before its equals: none of them can have run meanwhile. The other one is among
 * those whose priority it inherits.
 *
 * What is left of turns is counted in cycles of the processor, and converted when its clock
 * changes: before it becomes slower and after it has become faster, so that a slice is too short
 * for a moment and never too long.
 *
 * The fast ways of switch.S and ready.h put a thread first, take off the first one, or move it
 * behind its equals, by themselves. The second leaves the timer running if the next thread has no
 * equals. It is stopped when the time is up, or before idling.
 */
#include "kernel/thread/ready.h"

#include <stdbool.h>

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"

/* 2^20 / 200: the cycles of 5 ms are the clock's hertz divided by 200, here to 1 in 5,000. A
 * division would take 280 bytes, a multiplication of 64 bits 90, and the kernel has no other use
 * for them. */
#define SLICE_FACTOR 5243u

/* Turns are kept in units of 4 cycles: a slice at 48 MHz is 60,000 of them. */
#define LEFT_SHIFT 2u

static uint32_t slice; /* cycles, at the present clock */

static uint32_t slice_at(uint32_t hz)
{
    return (hz >> 8) * SLICE_FACTOR >> 12;
}

static inline unsigned turn_of(const struct thread *thread)
{
    return TURN_OWN + (thread->priority != thread->base);
}

/* The first ready thread's turn begins or goes on, if it has equals. The idle thread has none. */
static __attribute__((noinline)) void turn_begin(void)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    uint8_t priority = first->priority;
    if (priority == PRIORITY_IDLE || first->next->priority != priority) {
        state->threshold = priority;
        return;
    }
    unsigned turn = turn_of(first);
    uint32_t left = slice;
    if (first->turns & turn) {
        first->turns ^= (uint8_t)turn;
        left = (uint32_t)first->turn_left[turn - 1] << LEFT_SHIFT;
    }
    state->threshold = KERNEL_TURNS;
    arch_slice_start(left, slice);
}

/* Before another thread becomes the first, or the first one has no equals any more. What is left is
 * rounded up, and never 0: a turn whose time is up ends when it goes on. */
static void turn_interrupt(void)
{
    struct kernel *state = kernel_state();
    if (state->threshold == KERNEL_TURNS) {
        struct thread *first = state->ready;
        unsigned turn = turn_of(first);
        first->turn_left[turn - 1] = (uint16_t)((arch_slice_stop() >> LEFT_SHIFT) + 1);
        first->turns |= (uint8_t)turn;
    }
}

void ready_begin(struct thread *idle)
{
    kernel.ready = idle;
    slice = slice_at(chip_clock_hz());
}

/* Puts a thread behind those of at least a priority. */
static __attribute__((noinline)) void link(struct thread *thread, unsigned priority)
{
    struct thread **link = &kernel.ready;
    while ((*link)->priority >= priority) {
        link = &(*link)->next;
    }
    thread->next = *link;
    *link = thread;
}

static void unlink(const struct thread *thread)
{
    struct thread **link = &kernel.ready;
    while (*link != thread) {
        link = &(*link)->next;
    }
    *link = thread->next;
}

/* Where turns are concerned: the first one's is interrupted, or it has an equal now. Not inlined:
 * all others would pay for it with registers. */
static __attribute__((noinline)) void insert_beside_turns(struct thread *thread)
{
    struct kernel *state = kernel_state();
    unsigned priority = thread->priority;
    bool first = priority > state->ready->priority;
    if (first) {
        turn_interrupt();
    }
    link(thread, priority);
    if (first || state->threshold == priority) {
        turn_begin();
    }
}

void ready_insert_behind(struct thread *thread, struct thread *before, unsigned priority,
                         unsigned threshold)
{
    if (threshold != priority && threshold != KERNEL_TURNS) {
        struct thread *other;
        while ((other = before->next)->priority >= priority) {
            before = other;
        }
        thread->next = other;
        before->next = thread;
    } else {
        insert_beside_turns(thread);
    }
}

void ready_insert(struct thread *thread)
{
    ready_insert_inline(thread);
}

/* The first thread is the same as before, and may have lost its equals, or got some. Its turn goes
 * on meanwhile: what is done about others is done in its time. */
static void turn_check(void)
{
    struct kernel *state = kernel_state();
    const struct thread *first = state->ready;
    bool has_equals = first->priority != PRIORITY_IDLE && first->next->priority == first->priority;
    if (has_equals != (state->threshold == KERNEL_TURNS)) {
        turn_interrupt();
        turn_begin();
    }
}

void ready_remove(struct thread *thread)
{
    struct kernel *state = kernel_state();
    if (state->ready != thread) {
        unlink(thread);
        turn_check();
        return;
    }
    state->ready = thread->next;
    turn_begin();
    if (state->ready->priority == PRIORITY_IDLE) {
        (void)arch_slice_stop();
        arch_kernel_request(); /* to choose how deep to sleep, if nothing wakes a thread before */
    }
}

void ready_move(struct thread *thread, unsigned priority)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    if (thread == first) {
        turn_interrupt();
    }
    unsigned place = priority;
    if (priority == thread->base) {
        thread->turns &= TURN_OWN;
        place += thread->turns; /* before its equals if that turn goes on */
    }
    if (thread != first && place > first->priority) {
        turn_interrupt();
    }
    unlink(thread);
    thread->priority = (uint8_t)priority;
    link(thread, place);
    if (thread == first || state->ready != first) {
        turn_begin();
    } else {
        turn_check();
    }
}

/* What `left` of a slice of `from` cycles is of one of `to`: as a part of 2^13, found bit by bit.
 * Rounded down. */
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
    for (unsigned turn = TURN_OWN; turn <= TURN_INHERITED; turn++) {
        if (thread->turns & turn) {
            uint32_t left = (uint32_t)thread->turn_left[turn - 1] << LEFT_SHIFT;
            left = rescaled(left, from, to);
            thread->turn_left[turn - 1] = (uint16_t)((left >> LEFT_SHIFT) + 1);
        }
    }
}

void kernel_clock_changes(uint32_t hz)
{
    uint32_t cycles = slice_at(hz);
    turn_interrupt();
    for (struct thread *thread = kernel.ready; thread->priority != PRIORITY_IDLE;
         thread = thread->next) {
        rescale(thread, slice, cycles);
    }
    slice = cycles;
    turn_begin();
}

void kernel_slice(void)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    if (state->threshold != KERNEL_TURNS) {
        (void)arch_slice_stop();
        return;
    }
    state->ready = first->next;
    link(first, first->priority);
    turn_begin();
    arch_kernel_request();
}
