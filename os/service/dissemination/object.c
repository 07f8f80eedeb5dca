/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the mote has of an object, in the store and in RAM.
 *
 * Parts are written as they come, in any order within the window. Before one is written, all pages
 * up to the end of the next one are erased. So the first part that is blank tells after a power cut
 * how far an object has come, whatever was there before. That part and all later ones count as
 * missing, and so does the one before, whose writing may have been cut short: it comes again, and
 * what is there already is not written again. Had the cut hit one that came late, to fill a gap,
 * the CRC of the whole tells, and all of it comes again.
 *
 * The head, which says which object it is, lies in the last page. It is erased before the first
 * page of another object, and written after that.
 */
#include "base/crc32.h"
#include "service/dissemination/dissemination.h"
#include "service/dissemination/store.h"

enum {
    HEAD_MAGIC = 0xd155,
    HEAD_BYTES = 12,
    DONE_AT = 64, /* behind the head: blank, or a mark */
};

struct dissemination dissemination_state;

static struct dissemination *const self = &dissemination_state;

/* -------- parts */

uint8_t dissemination_part_bytes(uint16_t index)
{
    uint16_t rest = (uint16_t)(self->object.length - index * (uint16_t)DISSEMINATION_PART);

    return rest < DISSEMINATION_PART ? (uint8_t)rest : (uint8_t)DISSEMINATION_PART;
}

bool dissemination_has(uint16_t index)
{
    uint16_t ahead = (uint16_t)(index - self->have);

    return index < self->have || (ahead < WINDOW && (self->got >> ahead & 1) != 0);
}

/* All of it, or what is in one of its pages: that may have been erased again after a power cut. */
static bool is_blank(uint16_t index)
{
    uint16_t offset = (uint16_t)(index * DISSEMINATION_PART);
    uint16_t end = (uint16_t)(offset + dissemination_part_bytes(index));
    bool is_blank = true;

    for (uint16_t at = offset; at < end; at += 2) {
        if (at % STORE_PAGE == 0 && at != offset) {
            if (is_blank) {
                break;
            }
            is_blank = true;
        }
        is_blank = is_blank && dissemination_store_read(at) == UINT16_MAX;
    }
    return is_blank;
}

uint8_t dissemination_give(uint16_t index, uint8_t *bytes)
{
    uint8_t count = dissemination_part_bytes(index);

    for (uint8_t i = 0; i < count; i += 2) {
        uint16_t offset = (uint16_t)(index * DISSEMINATION_PART + i);
        uint16_t halfword = dissemination_store_read(offset);
        bytes[i] = (uint8_t)halfword;
        if (i + 1 < count) {
            bytes[i + 1] = (uint8_t)(halfword >> 8);
        }
    }
    return count;
}

uint32_t dissemination_crc(void)
{
    uint32_t crc = CRC32_BEGIN;

    for (uint16_t offset = 0; offset < self->object.length; offset += 2) {
        uint16_t halfword = dissemination_store_read(offset);
        crc = crc32_add(crc, (uint8_t)halfword);
        if (offset + 1 < self->object.length) {
            crc = crc32_add(crc, (uint8_t)(halfword >> 8));
        }
    }
    return crc32_end(crc);
}

/* -------- which object */

uint16_t dissemination_tag(const struct identity *object)
{
    return (uint16_t)(object->number ^ object->crc ^ object->crc >> 16);
}

static uint16_t head_at(void)
{
    return (uint16_t)(dissemination_store_bytes() - STORE_PAGE);
}

bool dissemination_is_valid(const struct identity *object)
{
    return object->number != 0 && object->length != 0 && object->length <= LENGTH_MAX &&
           object->length <= head_at();
}

uint16_t dissemination_parts(const struct identity *object)
{
    return (uint16_t)((object->length + (DISSEMINATION_PART - 1u)) / DISSEMINATION_PART);
}

static void begin_anew(void)
{
    self->have = 0;
    self->got = 0;
    self->erased = 0;
}

void dissemination_adopt(const struct identity *object)
{
    self->object = *object; /* `object` may be `newer` */
    self->parts = dissemination_parts(object);
    self->wanted = 0;
    self->tries = 0;
    self->newer.number = 0;
    self->asks_newer = false;
    self->has_source = false;
    self->is_stored = false;
    self->is_complete = false;
    self->is_done = false;
    self->was_wrong = false;
    if (self->object.number > self->last) {
        self->last = self->object.number;
    }
    begin_anew();
}

/* -------- the store */

int dissemination_prepare(uint16_t index)
{
    uint32_t end = (uint32_t)(index + 2u) * DISSEMINATION_PART;

    if (end > self->object.length) {
        end = self->object.length;
    }
    while ((uint32_t)self->erased * STORE_PAGE < end) {
        int error = dissemination_store_erase((uint16_t)(self->erased * STORE_PAGE));
        if (error != 0) {
            return error;
        }
        self->erased++;
    }
    return 0;
}

static uint16_t head_check(const uint16_t *words)
{
    uint16_t check = HEAD_MAGIC;

    for (uint8_t i = 1; i < HEAD_BYTES / 2 - 1; i++) {
        check = (uint16_t)((check << 3 | check >> 13) ^ words[i]);
    }
    return check;
}

static void make_head(uint16_t *words)
{
    words[0] = HEAD_MAGIC;
    words[1] = self->object.number;
    words[2] = self->object.length;
    words[3] = (uint16_t)self->object.crc;
    words[4] = (uint16_t)(self->object.crc >> 16);
    words[5] = head_check(words);
}

int dissemination_write_head(void)
{
    uint16_t words[HEAD_BYTES / 2];
    int error = dissemination_store_erase(head_at());

    make_head(words);
    if (error == 0) {
        error = dissemination_prepare(0);
    }
    if (error == 0) {
        error = dissemination_store_add(head_at(), (const uint8_t *)words, sizeof(words));
    }
    self->is_stored = error == 0;
    return error;
}

void dissemination_write_done(void)
{
    static const uint8_t mark[2];

    self->is_done = true;
    (void)!dissemination_store_add((uint16_t)(head_at() + DONE_AT), mark, sizeof(mark));
}

int dissemination_forget(void)
{
    static const struct identity none = {0};

    dissemination_adopt(&none);
    return dissemination_store_erase(head_at());
}

/* All parts are there. Noise, or a power cut at the very end, may have made one of them wrong: then
 * all of them are taken again, once. */
static void finish(void)
{
    if (dissemination_crc() == self->object.crc) {
        self->is_complete = true;
        event_post(dissemination_arrived);
    } else if (!self->was_wrong) {
        self->was_wrong = true;
        begin_anew();
    } else {
        self->refused = dissemination_tag(&self->object);
        self->is_refused = true;
        (void)!dissemination_forget();
    }
}

static bool write(uint16_t index, const uint8_t *bytes, uint8_t count)
{
    return (self->is_stored || dissemination_write_head() == 0) &&
           dissemination_prepare(index) == 0 &&
           dissemination_store_add((uint16_t)(index * DISSEMINATION_PART), bytes, count) == 0;
}

bool dissemination_take(uint16_t index, const uint8_t *bytes, uint8_t count)
{
    if (self->is_complete || index >= self->parts || index - self->have >= WINDOW ||
        dissemination_has(index) || count != dissemination_part_bytes(index) ||
        !write(index, bytes, count)) {
        return false;
    }
    self->got |= (uint32_t)1 << (index - self->have);
    while ((self->got & 1) != 0) {
        self->got >>= 1;
        self->have++;
    }
    if (self->have == self->parts) {
        finish();
    }
    return true;
}

/* Reads which object is in the store. */
static bool read_head(struct identity *object)
{
    uint16_t words[HEAD_BYTES / 2];

    for (uint8_t i = 0; i < HEAD_BYTES / 2; i++) {
        words[i] = dissemination_store_read((uint16_t)(head_at() + 2u * i));
    }
    object->number = words[1];
    object->length = words[2];
    object->crc = words[3] | (uint32_t)words[4] << 16;
    return words[0] == HEAD_MAGIC && words[5] == head_check(words) &&
           dissemination_is_valid(object);
}

void dissemination_open(void)
{
    struct identity object;
    uint16_t blank = 0;

    if (!read_head(&object)) {
        object = (struct identity){0};
    }
    dissemination_adopt(&object);
    if (object.number == 0) {
        return;
    }
    self->is_stored = true;
    if (dissemination_crc() == object.crc) {
        self->have = self->parts;
        self->is_complete = true;
        self->is_done = dissemination_store_read((uint16_t)(head_at() + DONE_AT)) != UINT16_MAX;
        if (!self->is_done) {
            event_post(dissemination_arrived);
        }
    } else {
        while (blank < self->parts && !is_blank(blank)) {
            blank++;
        }
        self->have = blank > 0 ? (uint16_t)(blank - 1u) : 0;
        self->erased = (uint8_t)(blank * (uint32_t)DISSEMINATION_PART / STORE_PAGE + 1u);
    }
}
