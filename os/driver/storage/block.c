/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Volumes: reading, writing and synchronizing. The format is described in doc/spec/storage.md.
 *
 * One page is kept in RAM, that which was written last. It is written to the journal of its volume
 * first and to its own place then, so that one of the two is whole at any moment; block_open.c
 * repeats the second step if power has failed in it.
 */
#include "driver/storage/block.h"

#include <string.h>

#include "driver/storage/crc.h"
#include "driver/storage/lock.h"

struct block_cache block_cache;

/* The page of storage that was checked last; NOT_CHECKED if there is none. */
enum {
    NOT_CHECKED = 0xffff,
    CHUNK = 16, /* bytes of a volume that a CRC reads at a time */
};
static uint16_t checked = NOT_CHECKED;

void block_forget_checked(void)
{
    checked = NOT_CHECKED;
}

/* Writes the page under a number that no page has had, where the journal keeps it. */
static int write_journal(struct volume *volume)
{
    struct ring journal = block_journal(volume);
    int error = ERR_CORRUPT;

    for (uint16_t tries = journal.count; error == ERR_CORRUPT && tries > 0; tries--) {
        uint16_t place = (uint16_t)(volume->next % journal.count);
        block_cache.page.header.number = volume->next++;
        error = page_write(page_at(journal.places, place), &block_cache.page);
    }
    return error;
}

int block_flush(void)
{
    struct volume *volume = block_cache.volume;

    if (block_cache.state == BLOCK_CLEAN) {
        return 0;
    }
    block_forget_checked();
    block_cache.page.header.tag = block_cache.index;
    int error = write_journal(volume);
    if (error == 0) {
        error = page_write(page_at(volume->places, block_cache.index), &block_cache.page);
    }
    if (error == 0) {
        block_cache.state = BLOCK_CLEAN;
    } else if (error == ERR_CORRUPT) {
        block_cache.state = BLOCK_WORN;
    }
    return error == 0 ? 0 : ERR_IO;
}

int block_evict(void)
{
    int error = block_cache.state == BLOCK_WORN ? 0 : block_flush();

    if (error == 0 || block_cache.state == BLOCK_WORN) {
        block_cache.volume = 0;
        block_cache.state = BLOCK_CLEAN;
    }
    return error;
}

static bool is_kept(const struct volume *volume, uint16_t index)
{
    return block_cache.volume == volume && block_cache.index == index;
}

/* Takes a page into RAM, empty if `is_new`. */
static int keep(struct volume *volume, uint16_t index, bool is_new)
{
    if (is_kept(volume, index)) {
        return 0;
    }
    int error = block_evict();
    if (error != 0) {
        return error;
    }
    if (!is_new) {
        error = page_load(page_at(volume->places, index), &block_cache.page);
        is_new = error == ERR_CORRUPT && block_cache.page.header.number == PAGE_ERASED;
    }
    if (is_new) {
        memset(block_cache.page.bytes, 0xff, STORAGE_ROOM);
        error = 0;
    }
    if (error == 0) {
        block_cache.volume = volume;
        block_cache.index = index;
    }
    return error;
}

/* Checks a page in storage, unless it was the last one.
 * returns   0; ERR_EMPTY: it is erased; ERR_CORRUPT; ERR_IO
 */
static int check(uint16_t page)
{
    struct storage_header header;

    if (page == checked) {
        return 0;
    }
    block_forget_checked();
    int error = page_check(page, &header);
    if (error == ERR_CORRUPT && header.number == PAGE_ERASED) {
        return ERR_EMPTY;
    }
    if (error == 0) {
        checked = page;
    }
    return error;
}

/* A part of a page, as the functions below take one after the other. */
struct part {
    uint16_t index;
    uint8_t offset;
    uint8_t length;
};

/* Most volumes are small, and an AVR divides 16 bits in a third of the time. */
static struct part part_at(uint32_t offset, size_t length)
{
    struct part part;

    if (offset <= UINT16_MAX) {
        part.index = (uint16_t)((uint16_t)offset / STORAGE_ROOM);
        part.offset = (uint8_t)((uint16_t)offset % STORAGE_ROOM);
    } else {
        part.index = (uint16_t)(offset / STORAGE_ROOM);
        part.offset = (uint8_t)(offset % STORAGE_ROOM);
    }
    uint8_t most = (uint8_t)(STORAGE_ROOM - part.offset);
    part.length = length < most ? (uint8_t)length : most;
    return part;
}

static int read_part(struct volume *volume, const struct part *part, void *bytes)
{
    uint16_t page = page_at(volume->places, part->index);

    if (is_kept(volume, part->index)) {
        memcpy(bytes, block_cache.page.bytes + part->offset, part->length);
        return 0;
    }
    int error = check(page);
    if (error == ERR_EMPTY) {
        memset(bytes, 0xff, part->length);
        return 0;
    }
    if (error == 0) {
        error = medium_read(page, (uint8_t)(sizeof(struct storage_header) + part->offset), bytes,
                            part->length);
    }
    return error;
}

static int write_part(struct volume *volume, const struct part *part, const void *bytes)
{
    int error = keep(volume, part->index, part->length == STORAGE_ROOM);

    if (error == 0) {
        memcpy(block_cache.page.bytes + part->offset, bytes, part->length);
        block_cache.state = BLOCK_DIRTY;
    }
    return error;
}

static int enter(struct volume *volume, uint32_t offset, size_t length)
{
    int error = block_enter(volume);

    if (error == 0 && (offset > volume->size || length > volume->size - offset)) {
        error = ERR_INVALID;
    }
    return error;
}

int block_read(struct volume *volume, uint32_t offset, void *bytes, size_t length)
{
    int error = enter(volume, offset, length);

    for (uint8_t *at = bytes; error == 0 && length > 0;) {
        struct part part = part_at(offset, length);
        error = read_part(volume, &part, at);
        at += part.length;
        offset += part.length;
        length -= part.length;
    }
    storage_leave();
    return error;
}

int block_write(struct volume *volume, uint32_t offset, const void *bytes, size_t length)
{
    int error = enter(volume, offset, length);

    for (const uint8_t *at = bytes; error == 0 && length > 0;) {
        struct part part = part_at(offset, length);
        error = write_part(volume, &part, at);
        at += part.length;
        offset += part.length;
        length -= part.length;
    }
    storage_leave();
    return error;
}

int block_sync(struct volume *volume)
{
    int error = block_enter(volume);

    if (error == 0 && block_cache.volume == volume) {
        error = block_flush();
    }
    storage_leave();
    return error;
}

int block_crc(struct volume *volume, uint32_t offset, size_t length, uint16_t *crc)
{
    int error = enter(volume, offset, length);

    while (error == 0 && length > 0) {
        uint8_t bytes[CHUNK];
        struct part part = part_at(offset, length < CHUNK ? length : CHUNK);
        error = read_part(volume, &part, bytes);
        *crc = page_crc_of(*crc, bytes, part.length);
        offset += part.length;
        length -= part.length;
    }
    storage_leave();
    return error;
}
