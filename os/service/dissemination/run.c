/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The loop: takes what has come, and does what is due. One thread does it all, flash included,
 * since only threads write flash. */
#include <lichen/random.h>
#include <lichen/time.h>

#include "service/dissemination/dissemination.h"

/* Messages are taken: messages.c. */
__asm__(".global dissemination_handle_usual");

MUTEX(dissemination_turn);

static struct dissemination *const self = &dissemination_state;

static uint32_t now(void)
{
    return (uint32_t)(time_now_us() >> 10);
}

void dissemination_arm(enum due due, uint32_t delay)
{
    self->at[due] = now() + delay;
    self->armed |= (uint8_t)(1u << due);
}

void dissemination_disarm(enum due due)
{
    self->armed &= (uint8_t) ~(1u << due);
}

bool dissemination_is_armed(enum due due)
{
    return (self->armed >> due & 1) != 0;
}

uint32_t dissemination_random(uint32_t below)
{
    return random_below(below);
}

static void act(enum due due, uint8_t *bytes)
{
    switch (due) {
    case DUE_ANNOUNCEMENT:
        dissemination_announce(bytes);
        break;
    case DUE_INTERVAL:
        dissemination_end_interval();
        break;
    case DUE_REQUEST:
        dissemination_request(bytes);
        break;
    default:
        dissemination_send_part(bytes);
        break;
    }
}

/* Does what is due. `bytes` has room for a message. Returns how long there is nothing to do. */
static uint32_t do_due(uint8_t *bytes)
{
    uint32_t least = (uint32_t)1 << INTERVAL_MOST;
    uint32_t time = now();

    for (uint8_t due = 0; due < DUES; due++) {
        uint32_t left = self->at[due] - time;
        if (!dissemination_is_armed((enum due)due)) {
            continue;
        }
        if (left == 0 || left > INT32_MAX) {
            dissemination_disarm((enum due)due);
            act((enum due)due, bytes);
            least = 0;
        } else if (left < least) {
            least = left;
        }
    }
    return least;
}

void dissemination_begin_once(void)
{
    if (self->interval == 0) {
        self->interval = INTERVAL_LEAST;
        dissemination_open();
        dissemination_start_interval();
    }
}

/* Until an object has been fed, nobody is heard. */
enum { FED_LOOK = 1024 };

/* Takes a message, if `length` is not 0, and does what is due, for which it uses the message's
 * memory. Returns how long there is nothing to do. */
static uint32_t step(uint16_t source, uint8_t *bytes, uint8_t length)
{
    uint32_t left = FED_LOOK;

    (void)mutex_lock(&dissemination_turn);
    dissemination_begin_once();
    if (!self->is_fed) {
        if (length > 0) {
            dissemination_handle(source, bytes, length);
        }
        left = do_due(bytes);
    }
    mutex_unlock(&dissemination_turn);
    return left;
}

uint64_t dissemination_step(void)
{
    struct am_message message;
    uint8_t bytes[DISSEMINATION_FRAME];
    uint32_t left;
    int error;

    do {
        error = am_try_receive(&dissemination_messages, &message, bytes, sizeof(bytes));
        left = step(message.source, bytes, error == 0 ? message.length : 0);
    } while (left == 0 || error == 0);
    return time_now_us() + ((uint64_t)left << 10);
}

void dissemination_run(void)
{
    struct am_message message;
    uint8_t bytes[DISSEMINATION_FRAME];
    uint32_t left = 0;

    for (;;) {
        uint64_t until = left == 0 ? 0 : time_now_us() + ((uint64_t)left << 10);
        int error = am_receive(&dissemination_messages, &message, bytes, sizeof(bytes), until);
        left = step(message.source, bytes, error == 0 ? message.length : 0);
    }
}
