/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The events that act for the stretch, and for interrupts that may not perform their operation. */
#include "carry.h"

#include "run.h"

volatile uint8_t force_goes[FORCE_ACTORS];

EVENT(force_stretch_event)
{
    if (force_choice.place == FORCE_IN_EVENT) {
        force_operation_of(FORCE_STRETCH)->in_event(FORCE_STRETCH);
    }
}

void force_stretch_in_event(unsigned actor __attribute__((unused)))
{
    event_post(&force_stretch_event);
}

static inline void carry(unsigned level)
{
    const struct force_operation *operation = force_operation_of(1 + level);
    if (force_goes[1 + level] == EVENT_GOES && operation->in_event != 0) {
        force_goes[1 + level] = NOBODY_GOES;
        operation->in_event(1 + level);
        force_ended[1 + level]++;
    }
}

#define CARRIER(level, name)                                                                       \
    EVENT(force_carry_event_##level)                                                               \
    {                                                                                              \
        carry(level);                                                                              \
    }
SOFTWARE_EACH_LEVEL(CARRIER, )

static inline __attribute__((always_inline)) void post(unsigned level, struct event *carrier)
{
    force_goes[1 + level] = EVENT_GOES;
    event_post_from(carrier, level);
    force_queued(carrier, level);
}

#define POST(is_level, name)                                                                       \
    if (level == is_level) {                                                                       \
        post(is_level, &force_carry_event_##is_level);                                             \
    }

void force_carry(unsigned level)
{
    SOFTWARE_EACH_LEVEL(POST, )
}

static struct event *const carriers[FORCE_LEVELS] = FORCE_OBJECTS(force_carry_event);

void force_check_event(const struct event *event)
{
    force_expect(!event->pending);
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        force_expect(!event->queued[level]);
    }
}

void force_check_carriers(void)
{
    force_check_event(&force_stretch_event);
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        force_check_event(carriers[level]);
    }
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        force_expect(kernel.in[level] < KERNEL_SLOTS);
        force_expect(kernel.in[level] == kernel.out[level]);
    }
    force_expect(kernel.direct == 0);
}
