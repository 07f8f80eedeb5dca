/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Objects that come from this mote's program, and those that it takes. */
#include "service/dissemination/dissemination.h"
#include "service/dissemination/store.h"

static struct dissemination *const self = &dissemination_state;

static int begin(uint16_t number, uint16_t length)
{
    struct identity object = {.number = number, .length = length};

    dissemination_begin_once();
    if (number == 0) {
        object.number = (uint16_t)(self->last + 1u);
    }
    if (!dissemination_is_valid(&object)) {
        return ERR_INVALID;
    }
    int error = dissemination_forget();
    self->is_fed = error == 0;
    dissemination_adopt(&object);
    return error;
}

/* While it is fed, `have` counts bytes. */
static int feed(const uint8_t *bytes, uint16_t count)
{
    if (!self->is_fed || (self->have & 1) != 0 || count > self->object.length - self->have) {
        return ERR_INVALID;
    }
    while (count > 0) {
        uint8_t some = count < DISSEMINATION_PART ? (uint8_t)count : (uint8_t)DISSEMINATION_PART;
        int error = dissemination_prepare((uint16_t)(self->have / DISSEMINATION_PART));
        if (error == 0) {
            error = dissemination_store_add(self->have, bytes, some);
        }
        if (error != 0) {
            return error;
        }
        self->have += some;
        bytes += some;
        count -= some;
    }
    return 0;
}

static int end(void)
{
    bool is_whole = self->is_fed && self->have == self->object.length;

    self->is_fed = false;
    if (!is_whole) {
        (void)!dissemination_forget();
        return ERR_INVALID;
    }
    self->object.crc = dissemination_crc();
    int error = dissemination_write_head();
    if (error == 0) {
        self->have = self->parts;
        self->is_complete = true;
        self->is_refused = false;
        self->interval = INTERVAL_LEAST;
        dissemination_start_interval();
    }
    return error;
}

static int look(struct dissemination_object *object)
{
    if (self->is_fed) {
        return ERR_BUSY;
    }
    dissemination_begin_once();
    uint32_t bytes = (uint32_t)self->have * DISSEMINATION_PART;
    if (self->object.number == 0) {
        return ERR_EMPTY;
    }
    object->crc = self->object.crc;
    object->number = self->object.number;
    object->length = self->object.length;
    object->have = bytes < object->length ? (uint16_t)bytes : object->length;
    object->complete = self->is_complete;
    object->done = self->is_done;
    return 0;
}

static bool is_still(const struct dissemination_object *object)
{
    return !self->is_fed && self->is_complete && object->number == self->object.number &&
           object->crc == self->object.crc;
}

static int read(const struct dissemination_object *object, uint16_t offset, uint8_t *bytes,
                uint16_t count)
{
    if (!is_still(object)) {
        return ERR_EMPTY;
    }
    if (offset > object->length || count > object->length - offset) {
        return ERR_INVALID;
    }
    for (uint16_t i = 0; i < count; i++) {
        uint16_t at = (uint16_t)(offset + i);
        uint16_t halfword = dissemination_store_read(at & (uint16_t)~1u);
        bytes[i] = (uint8_t)((at & 1) != 0 ? halfword >> 8 : halfword);
    }
    return 0;
}

int dissemination_begin(uint16_t number, uint16_t length)
{
    (void)mutex_lock(&dissemination_turn);
    int error = begin(number, length);
    mutex_unlock(&dissemination_turn);
    return error;
}

int dissemination_feed(const void *bytes, uint16_t count)
{
    (void)mutex_lock(&dissemination_turn);
    int error = feed(bytes, count);
    mutex_unlock(&dissemination_turn);
    return error;
}

int dissemination_end(void)
{
    (void)mutex_lock(&dissemination_turn);
    int error = end();
    mutex_unlock(&dissemination_turn);
    return error;
}

int dissemination_look(struct dissemination_object *object)
{
    (void)mutex_lock(&dissemination_turn);
    int error = look(object);
    mutex_unlock(&dissemination_turn);
    return error;
}

int dissemination_read(const struct dissemination_object *object, uint16_t offset, void *bytes,
                       uint16_t count)
{
    (void)mutex_lock(&dissemination_turn);
    int error = read(object, offset, bytes, count);
    mutex_unlock(&dissemination_turn);
    return error;
}

void dissemination_done(const struct dissemination_object *object)
{
    (void)mutex_lock(&dissemination_turn);
    if (is_still(object) && !self->is_done) {
        dissemination_write_done();
    }
    mutex_unlock(&dissemination_turn);
}

void dissemination_refuse(const struct dissemination_object *object)
{
    (void)mutex_lock(&dissemination_turn);
    if (is_still(object)) {
        self->refused = dissemination_tag(&self->object);
        self->is_refused = true;
        (void)!dissemination_forget();
    }
    mutex_unlock(&dissemination_turn);
}
