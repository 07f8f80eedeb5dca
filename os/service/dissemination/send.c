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

static uint8_t *put_head(uint8_t *at, uint16_t kind, const struct identity *object, uint16_t have)
{
    at = put16(at, kind);
    at = put16(at, object->number);
    at = put16(at, object->length);
    at = put32(at, object->crc);
    return put16(at, have);
}

/* Without children, it has one caller. */
static inline __attribute__((always_inline)) void announce(uint8_t *bytes)
{
    (void)put_head(bytes, KIND_ANNOUNCEMENT, &self->object, self->have);
    (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, ANNOUNCEMENT_BYTES);
}

void dissemination_announce_usual(uint8_t *bytes)
{
    bool has_to = self->heard == 0 || self->was_silent;

    if ((self->heard & HEARD_PARTS) != 0) {
        return;
    }
    self->was_silent = true;
    if (has_to && !self->is_refused && !dissemination_is_armed(DUE_REQUEST) && self->wanted == 0) {
        self->was_silent = false;
        announce(bytes);
    }
}

void dissemination_announce_now(uint8_t *bytes)
{
    announce(bytes);
}

/* Of an object's parts from `have` on, those without a bit in `got`. */
static void request(uint8_t *bytes, const struct identity *object, uint16_t have, uint32_t got,
                    uint16_t source)
{
    uint16_t left = (uint16_t)(dissemination_parts(object) - have);
    uint32_t missing = left < WINDOW ? ((uint32_t)1 << left) - 1 : UINT32_MAX;

    uint8_t *at = put_head(bytes, KIND_REQUEST, object, have);
    (void)put32(put16(at, source), missing & ~got);
    (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, REQUEST_BYTES);
}

void dissemination_request(uint8_t *bytes)
{
    if (self->asks_newer) {
        self->asks_newer = false;
        request(bytes, &self->newer, 0, 0, self->newer_source);
    } else if (self->has_source && self->tries++ < TRIES) {
        request(bytes, &self->object, self->have, self->got, self->source);
    } else if (self->has_source) {
        self->has_source = false;
        dissemination_hurry();
    }
    if (self->has_source) {
        uint32_t time = dissemination_part_time;
        dissemination_arm(DUE_REQUEST, 4u * time + dissemination_random(8u * time));
    }
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
    self->heard |= HEARD_PARTS;
    self->was_silent = false;
    (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, (uint8_t)(count + 4));
    dissemination_arm(DUE_PART, dissemination_part_pause);
}
