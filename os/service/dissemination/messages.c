/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What neighbours say. Anybody can send it, so all of it is checked: an object fits the store, a
 * part has its place in the window and its length, and an announced object costs a request until a
 * part of it comes.
 */
#include "service/dissemination/dissemination.h"

static struct dissemination *const self = &dissemination_state;

/* An announcement or a request. */
struct said {
    struct identity object;
    uint32_t wanted;
    uint16_t source;
    uint16_t have;
    uint16_t destination;
    bool is_request;
};

static uint16_t get16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t get32(const uint8_t *at)
{
    return (uint32_t)get16(at) << 16 | get16(at + 2);
}

/* -------- requests */

static uint8_t count_of(uint32_t bits)
{
    uint8_t count = 0;

    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* Keeps quiet while others are served. */
static void wait_for(uint8_t parts)
{
    uint32_t time = dissemination_part_time;

    dissemination_arm(DUE_REQUEST, (parts + 2u) * time + dissemination_random(8u * time));
}

/* The same while others are sent what this mote has. */
static void wait_on(void)
{
    if (dissemination_is_armed(DUE_REQUEST)) {
        wait_for(1);
    }
}

/* The earliest part that somebody wants comes first; what is too far behind it is asked for again.
 */
static void add_wanted(uint16_t from, uint32_t bits)
{
    if (self->wanted == 0) {
        self->wanted_from = from;
    } else if (from < self->wanted_from) {
        uint16_t behind = (uint16_t)(self->wanted_from - from);
        self->wanted = behind < WINDOW ? self->wanted << behind : 0;
        self->wanted_from = from;
    }
    uint16_t ahead = (uint16_t)(from - self->wanted_from);
    self->wanted |= ahead < WINDOW ? bits << ahead : 0;
}

static bool is_own(uint16_t address)
{
    struct link_address own;

    link_own(&own);
    return own.short_address == address;
}

/* Of this mote's object. */
static void handle_request(const struct said *said)
{
    if (is_own(said->destination)) {
        if (said->have < self->parts) {
            add_wanted(said->have, said->wanted);
            if (!dissemination_is_armed(DUE_PART)) {
                dissemination_arm(DUE_PART, 1);
            }
        }
    } else if (dissemination_is_armed(DUE_REQUEST)) {
        wait_for(count_of(said->wanted));
    }
}

/* -------- announcements */

/* Asks soon, unless that is planned. */
static void plan_request(const struct said *said)
{
    if (!dissemination_is_armed(DUE_REQUEST)) {
        wait_for(said->is_request ? count_of(said->wanted) : 0);
    }
}

/* The neighbour has what this mote lacks. One that has less than the known source, such as a mote
 * that asks that one itself, is likely to lack the same parts. */
static void ask(const struct said *said)
{
    if (!self->has_source || said->have >= self->source_has) {
        self->source = said->source;
        self->source_has = said->have;
    }
    if (!self->has_source) {
        self->has_source = true;
        self->tries = 0;
    }
    plan_request(said);
}

static bool is_same(const struct identity *one, const struct identity *other)
{
    return one->number == other->number && one->length == other->length && one->crc == other->crc;
}

/* Whether the first one takes the place of the other one. */
static bool is_newer(const struct identity *one, const struct identity *other)
{
    return one->number != other->number ? one->number > other->number : one->crc > other->crc;
}

static bool is_refused(const struct identity *object)
{
    return self->is_refused && dissemination_tag(object) == self->refused;
}

/* It is asked for once. The mote keeps what it has until a part comes. */
static void handle_newer(const struct said *said)
{
    if (said->have > 0) {
        self->newer = said->object;
        self->newer_source = said->source;
        self->asks_newer = true;
        plan_request(said);
        dissemination_hurry();
    } else if (said->is_request && is_same(&said->object, &self->newer) && self->asks_newer) {
        self->asks_newer = false; /* somebody else has asked */
        wait_on();
    }
}

static void handle_other(const struct said *said)
{
    if (!is_newer(&said->object, &self->object)) {
        dissemination_hurry();
    } else if (is_refused(&said->object)) {
        self->heard |= HEARD_SAME;
    } else if (dissemination_is_valid(&said->object) &&
               said->have <= dissemination_parts(&said->object) &&
               !(self->asks_newer && is_newer(&self->newer, &said->object))) {
        handle_newer(said);
    }
}

static void handle_same(const struct said *said)
{
    if (said->is_request) {
        handle_request(said);
    }
    if (said->have > self->have) {
        if (said->have <= self->parts) {
            ask(said);
        }
    } else if (said->have == self->have) {
        self->heard |= HEARD_SAME;
    } else if (!said->is_request) {
        dissemination_hurry();
    }
}

static void handle_said(const struct said *said)
{
    if (is_same(&said->object, &self->object)) {
        handle_same(said);
    } else {
        handle_other(said);
    }
}

/* -------- parts */

/* One that was asked for takes the place of the mote's object with its first part. */
static bool is_of_object(uint16_t tag)
{
    if (self->newer.number != 0 && tag == dissemination_tag(&self->newer)) {
        dissemination_adopt(&self->newer);
        self->is_refused = false;
    }
    return self->object.number != 0 && tag == dissemination_tag(&self->object);
}

/* It is one that this mote may lack. */
static void take_part(uint16_t source, uint16_t index, const uint8_t *bytes, uint8_t count)
{
    if (!self->has_source) {
        self->has_source = true;
        self->source = source;
        self->source_has = index;
    }
    if (dissemination_take(index, bytes, count)) {
        self->tries = 0;
    }
    if (self->is_complete || self->object.number == 0) {
        self->has_source = false;
        dissemination_disarm(DUE_REQUEST);
        self->interval = INTERVAL_LEAST;
        self->was_silent = true; /* it announces what it has, whoever else does */
        dissemination_start_interval();
    } else {
        wait_for(1);
    }
}

static void handle_part(uint16_t source, const uint8_t *bytes, uint8_t length)
{
    uint16_t index = get16(bytes);

    if (!is_of_object(get16(bytes + 2)) || index >= self->parts) {
        return;
    }
    self->heard |= HEARD_PARTS;
    uint16_t ahead = (uint16_t)(index - self->wanted_from);
    if (ahead < WINDOW) {
        self->wanted &= ~((uint32_t)1 << ahead);
    }
    if (self->is_complete || index < self->have) {
        wait_on();
    } else {
        take_part(source, index, bytes + 4, (uint8_t)(length - 4));
    }
}

void dissemination_handle_usual(uint16_t source, uint8_t *bytes, uint8_t length)
{
    struct said said;

    if (length < 5) {
        return;
    }
    uint16_t kind = get16(bytes);
    if ((kind & KIND_MASK) == 0 && length <= DISSEMINATION_FRAME) {
        handle_part(source, bytes, length);
    } else if ((kind == KIND_ANNOUNCEMENT && length == ANNOUNCEMENT_BYTES) ||
               (kind == KIND_REQUEST && length == REQUEST_BYTES)) {
        said.source = source;
        said.is_request = kind == KIND_REQUEST;
        said.object.number = get16(bytes + 2);
        said.object.length = get16(bytes + 4);
        said.object.crc = get32(bytes + 6);
        said.have = get16(bytes + 10);
        said.destination = get16(bytes + 12);
        said.wanted = said.is_request ? get32(bytes + 14) : 0;
        handle_said(&said);
    }
}
