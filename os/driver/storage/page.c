/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/page.h"

#include "driver/storage/crc.h"

enum {
    HEADER = sizeof(struct storage_header),
    COVERED = offsetof(struct storage_header, crc), /* bytes of the header */
};

uint16_t page_crc_of(uint16_t crc, const void *bytes, uint16_t length)
{
    const uint8_t *at = bytes;

    for (; length > 0; length--) {
        crc = crc16_add(crc, *at++);
    }
    return crc;
}

static int check(uint16_t page, struct storage_header *header, uint16_t *crc)
{
    int error = medium_read(page, 0, header, HEADER);

    *crc = page_crc_of(CRC16_BEGIN, header, COVERED);
    if (error == 0) {
        error = medium_crc(page, HEADER, STORAGE_ROOM, crc);
    }
    if (error == 0 && (header->number == PAGE_ERASED || *crc != header->crc)) {
        error = ERR_CORRUPT;
    }
    return error;
}

/* A part that fails for moments makes no good page a torn one: a torn page has the same wrong CRC
 * twice. Where cells are half written it may have another one each time, so the fourth decides. */
int page_check(uint16_t page, struct storage_header *header)
{
    uint16_t crc = CRC16_BEGIN;
    int error = ERR_CORRUPT;

    for (uint8_t tries = 4; error == ERR_CORRUPT && tries > 0; tries--) {
        uint16_t before = crc;
        error = check(page, header, &crc);
        if (crc == before) {
            break;
        }
    }
    return error;
}

static uint16_t crc_of_page(const struct storage_page *image)
{
    return page_crc_of(page_crc_of(CRC16_BEGIN, &image->header, COVERED), image->bytes,
                       STORAGE_ROOM);
}

int page_load(uint16_t page, struct storage_page *image)
{
    int error = medium_read(page, 0, image, sizeof(*image));

    if (error == 0 &&
        (image->header.number == PAGE_ERASED || image->header.crc != crc_of_page(image))) {
        error = ERR_CORRUPT;
    }
    return error;
}

int page_write(uint16_t page, struct storage_page *image)
{
    image->header.crc = crc_of_page(image);
    return medium_write(page, image);
}

int page_ring_look(const struct ring *ring, uint16_t place, struct found *found)
{
    int error = medium_read(page_at(ring->places, place), 0, &found->header, HEADER);
    uint16_t home = (uint16_t)(found->header.number % ring->count);
    uint16_t ahead = place >= home ? place - home : place + ring->count - home;

    found->place = place;
    found->ahead = (uint8_t)ahead;
    if (error == 0 && (found->header.number == PAGE_ERASED || ahead > ring->ahead)) {
        error = ERR_EMPTY;
    }
    return error;
}

static bool is_older(const struct found *a, const struct found *b)
{
    if (a->header.number != b->header.number) {
        return a->header.number < b->header.number;
    }
    if (a->header.tag != b->header.tag) {
        return a->header.tag < b->header.tag;
    }
    return a->ahead > b->ahead;
}

/* The newest header, among those that are older than `limit`. */
static int newest_header(const struct ring *ring, const struct found *limit, struct found *newest)
{
    int result = ERR_EMPTY;

    for (uint16_t place = 0; place < ring->count; place++) {
        struct found found;
        int error = page_ring_look(ring, place, &found);
        if (error == ERR_IO) {
            return error;
        }
        if (error == 0 && is_older(&found, limit) && (result != 0 || is_older(newest, &found))) {
            *newest = found;
            result = 0;
        }
    }
    return result;
}

int page_ring_newest(const struct ring *ring, struct found *newest)
{
    struct found limit = {.header = {.number = PAGE_ERASED}};
    int error;

    for (;;) {
        error = newest_header(ring, &limit, newest);
        if (error != 0) {
            return error;
        }
        error = page_check(page_at(ring->places, newest->place), &newest->header);
        if (error != ERR_CORRUPT) {
            return error;
        }
        limit = *newest;
    }
}
