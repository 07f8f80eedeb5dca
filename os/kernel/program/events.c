/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events and timers of programs, in images that have spare slots for them (`[programs] events`).
 *
 * The rings have room for each event of the image and for as many of programs as there are spare
 * slots. A program takes its slots when it begins, and gives them back when it has left the rings:
 * its events are posted at the kernel level alone, by calls of the program, by its timers and by
 * the link, so their entries are in the kernel's own ring, which nothing else reads or writes.
 *
 * Each event is run by program_event_run, in place of its handler: that finds the program, and ends
 * it if the handler fails.
 */
#include "kernel/program/events.h"

#include <lichen/event.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/program/end.h"
#include "kernel/program/walk.h"
#include "kernel/time/time.h"

static uint8_t taken; /* spare slots */

/* -------- an event */

/* One whose program has ended is none. */
void program_event_run(struct event *event)
{
    struct program *program = program_of(event);
    if (program == 0) {
        return;
    }
    arch_do_fn *run = (arch_do_fn *)(uintptr_t)program_events(program)[event->woven].run;
    if (!arch_guarded(event, run, program_crash_record())) {
        program_crashed_in_event(program);
        program_stop_service(program);
    }
}

/* -------- soundness */

static bool is_sound(const struct program *program, const struct event *event)
{
    uintptr_t at = (uintptr_t)event - (uintptr_t)program->objects;
    uint16_t bytes = program->header->object_bytes;
    return bytes >= sizeof(*event) && at <= bytes - sizeof(*event) &&
           (uintptr_t)event % _Alignof(struct event) == 0;
}

bool program_events_are_sound(const struct program *program)
{
    const ARCH_FLASH struct event_row *row = program_events(program);
    for (uint8_t left = program->header->events; left > 0; left--, row++) {
        if (!is_sound(program, row->event)) {
            return false;
        }
    }
    return true;
}

/* -------- beginning and end */

int program_events_begin(const struct program *program)
{
    uint8_t count = program->header->events;
    if (count > program_event_slots() - taken) {
        return ERR_FULL;
    }
    taken += count;
    const ARCH_FLASH struct event_row *row = program_events(program);
    for (uint8_t index = 0; index < count; index++, row++) {
        row->event->run = program_event_run;
        row->event->woven = index;
    }
    return 0;
}

static uint8_t next_slot(uint8_t slot)
{
    return (uint8_t)(slot != 0 ? slot - 1u : KERNEL_SLOTS - 1u);
}

/* Takes its entries out of the kernel's ring; those behind them move up. */
static void leave_ring(const struct program *program)
{
    const unsigned level = ARCH_LEVEL_KERNEL;
    struct kernel *state = kernel_state();
    uint8_t from = state->out[KERNEL_INDEX(level)];
    uint8_t to = from;
    while (from != state->in[KERNEL_INDEX(level)]) {
        struct event *event = state->slot[from][level];
        if (!program_has(program, event)) {
            state->slot[to][level] = event;
            to = next_slot(to);
        }
        from = next_slot(from);
    }
    state->in[KERNEL_INDEX(level)] = to;
}

/* Its threads wait for nothing any more: what is left are timers. */
static void cancel_timers(const void *begin, size_t bytes)
{
    struct deadline *deadline;
    while ((deadline = deadline_in(begin, bytes)) != 0) {
        deadline_remove(deadline);
    }
}

void program_events_end(const struct program *program)
{
    const ARCH_FLASH struct container_header *header = program->header;
    cancel_timers(program->objects, (size_t)header->object_bytes + header->stack_bytes);
    cancel_timers(program->data, header->data_bytes);
    leave_ring(program);
    taken -= program->header->events;
}
