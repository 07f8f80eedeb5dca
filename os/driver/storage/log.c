/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs: appending and synchronizing. The format is described in doc/spec/storage.md.
 *
 * A page that is full is written once, to its own place: its number modulo the ring's length.
 * Synchronizing a page that is not full writes a copy of it to one of the two places behind its
 * own, in turn, so that the newest copy is never overwritten before there is a newer one; these
 * places are free again when the page is in its own. Hence a torn write loses only what was not
 * acknowledged.
 *
 * A place that does not keep what is written is left behind by skipping the page's number: the page
 * gets the next one, and with it other places. So a number still says where its page is.
 */
#include "driver/storage/log.h"

#include <string.h>

#include "driver/storage/lock.h"

/* A linear log ends where copies of a page would be in the places of its first ones. */
static bool has_place(const struct log *log)
{
    uint32_t number = log->page->header.number;

    return number <= LOG_LAST &&
           (log->is_circular || log_place(log, number) <= log->count - LOG_SPARE);
}

/* Writes the page to a place, except over its newest copy. */
static int write_to(struct log *log, uint8_t ahead)
{
    uint16_t place = log_place(log, log->page->header.number + ahead);

    if (place == log->safe) {
        return ERR_CORRUPT;
    }
    int error = page_write(page_at(log->places, place), log->page);
    if (error == 0) {
        log->safe = place;
        log->synced = log_used(&log->page->header);
        log->checked = LOG_UNCHECKED;
    }
    return error;
}

static int write_copy(struct log *log)
{
    int error = write_to(log, 1);

    return error == ERR_CORRUPT ? write_to(log, LOG_AHEAD) : error;
}

int log_write_page(struct log *log, bool is_complete)
{
    uint32_t number = log->page->header.number;
    uint16_t tag = log->page->header.tag;
    int error = ERR_CORRUPT;

    for (unsigned tries = LOG_TRIES; error == ERR_CORRUPT && tries > 0; tries--) {
        if (!has_place(log)) {
            error = ERR_FULL;
            break;
        }
        error = is_complete ? write_to(log, 0) : write_copy(log);
        if (error == ERR_CORRUPT) {
            log->page->header.number++;
            log->page->header.tag += 1u << 8;
        }
    }
    if (error != 0) {
        log->page->header.number = number;
        log->page->header.tag = tag;
    } else if (log->reader / LOG_OFFSETS == number) {
        log->reader += log_position(log->page->header.number - number);
    }
    return error == ERR_CORRUPT ? ERR_IO : error;
}

/* Completes the page if it has not so much room. */
static int make_room(struct log *log, size_t bytes)
{
    if (!has_place(log)) {
        return ERR_FULL;
    }
    if (log_used(&log->page->header) + bytes <= STORAGE_ROOM) {
        return 0;
    }
    int error = log_write_page(log, true);
    if (error == 0) {
        log_begin_page(log, log->page->header.number + 1);
        error = has_place(log) ? 0 : ERR_FULL;
    }
    return error;
}

int log_append(struct log *log, const void *record, size_t length)
{
    if (length == 0 || length > LOG_RECORD_MAX) {
        return ERR_INVALID;
    }
    int error = log_enter(log);
    if (error == 0) {
        error = make_room(log, length + 1);
    }
    if (error == 0) {
        uint8_t *at = log->page->bytes + log_used(&log->page->header);
        *at = (uint8_t)length;
        memcpy(at + 1, record, length);
        log->page->header.tag += (uint16_t)(length + 1);
    }
    storage_leave();
    return error;
}

int log_sync(struct log *log)
{
    int error = log_enter(log);

    if (error == 0 && log_used(&log->page->header) != log->synced) {
        error = log_write_page(log, false);
    }
    storage_leave();
    return error;
}
