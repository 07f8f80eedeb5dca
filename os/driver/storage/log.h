/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the log share. All of it is called with the caller's lock (lock.h), for a log
 * that has been opened. */
#ifndef DRIVER_STORAGE_LOG_H
#define DRIVER_STORAGE_LOG_H

#include <lichen/log.h>

#include "driver/storage/page.h"

enum {
    LOG_AHEAD = 2, /* copies of an open page are this far ahead of its place, at most */
    LOG_SPARE = 3, /* places that cannot be read: those of two copies, and of the open page */
    LOG_TRIES = 8, /* places that are tried for a page, before the log gives up */
};

/* A position is the number of a page, and an offset in it. */
#define LOG_OFFSETS   256u
#define LOG_LAST      UINT32_C(0xfffffd) /* the last number for which there are positions */
#define LOG_UNCHECKED UINT32_MAX

static inline uint32_t log_position(uint32_t number)
{
    return number * LOG_OFFSETS;
}

/* The tag of a page: how many of its bytes are used, and how many numbers before its own were
 * skipped, because their places keep nothing or are needed. */
static inline uint8_t log_used(const struct storage_header *header)
{
    return (uint8_t)header->tag;
}

static inline uint8_t log_gap(const struct storage_header *header)
{
    return (uint8_t)(header->tag >> 8);
}

/* Looks at a place, as page_ring_look. */
static inline int log_look(const struct log *log, uint16_t place, struct found *found)
{
    struct ring ring = {log->places, log->count, LOG_AHEAD};

    return page_ring_look(&ring, place, found);
}

/* The place of a page with this number, and where that is in storage. */
uint16_t log_place(const struct log *log, uint32_t number);
uint16_t log_storage(const struct log *log, uint32_t number);

/* Takes the lock, and finds the log's end if that is not known. The caller releases it,
 * also after an error. */
int log_enter(struct log *log);

/* Begins the page `number`. */
void log_begin_page(struct log *log, uint32_t number);

/* Writes the page, complete or as a copy, under the next number for which there is a place that
 * keeps it. */
int log_write_page(struct log *log, bool is_complete);

/* The number of the oldest page that can be read. */
uint32_t log_oldest(const struct log *log);

#endif
