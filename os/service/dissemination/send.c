/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the mote says. A frame that is lost, or for which the channel is never free, is noticed by
 * those that wait for it, so the results of sending do not matter. */
#include "service/dissemination/dissemination.h"

enum {
    TRIES = 4, /* requests without an answer until the mote waits for another announcement */
};

static struct dissemination *const self = &dissemination_state;

static uint8_t *put16(uint8_t *at, uint16_t number)
{
    *at++ = (uint8_t)(number >> 8);
    *at++ = (uint8_t)number;
    return at;
}

static uint8_t *put32(uint8_t *at, uint32_t number)
{
    return put16(put16(at, (uint16_t)(number >> 16)), (uint16_t)number);
}

static uint8_t *put_head(uint8_t *at, uint16_t kind)
{
    at = put16(at, kind);
    at = put16(at, self->object.number);
    at = put16(at, self->object.length);
    at = put32(at, self->object.crc);
    return put16(at, self->have);
}

void dissemination_announce(uint8_t *bytes)
{
    if (self->heard == 0 && !self->is_refused && !dissemination_is_armed(DUE_REQUEST) &&
        self->wanted == 0) {
        (void)put_head(bytes, KIND_ANNOUNCEMENT);
        (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, ANNOUNCEMENT_BYTES);
    }
}

/* The source does not answer. What was only announced is forgotten in favour of what is stored. */
static void give_up(void)
{
    self->tries = 0;
    if (!self->is_stored) {
        dissemination_open();
    }
    dissemination_hurry();
}

void dissemination_request(uint8_t *bytes)
{
    uint16_t left = (uint16_t)(self->parts - self->have);
    uint32_t missing = left < WINDOW ? ((uint32_t)1 << left) - 1 : UINT32_MAX;

    if (self->tries++ == TRIES) {
        give_up();
        return;
    }
    (void)put32(put16(put_head(bytes, KIND_REQUEST), self->source), missing & ~self->got);
    (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, REQUEST_BYTES);
    dissemination_arm(DUE_REQUEST, 4u * dissemination_part_time +
                                       dissemination_random(8u * dissemination_part_time));
}

/* Forgets that a part is wanted, and all before it. */
static void pass(uint8_t parts)
{
    self->wanted = parts < WINDOW ? self->wanted >> parts : 0;
    self->wanted_from += parts;
}

void dissemination_send_part(uint8_t *bytes)
{
    while (self->wanted != 0 &&
           ((self->wanted & 1) == 0 || !dissemination_has(self->wanted_from))) {
        pass(1);
    }
    if (self->wanted == 0) {
        return;
    }
    uint16_t index = self->wanted_from;
    uint8_t *at = put16(put16(bytes, index), dissemination_tag(&self->object));
    uint8_t count = dissemination_give(index, at);
    pass(1);
    self->heard = 1;
    (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, (uint8_t)(count + 4));
    dissemination_arm(DUE_PART, dissemination_part_pause);
}
