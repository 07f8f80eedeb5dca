/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs: finding the end, and erasing. */
#include "driver/storage/log.h"

#include "driver/storage/lock.h"

uint16_t log_place(const struct log *log, uint32_t number)
{
    return (uint16_t)(number % log->count);
}

uint16_t log_storage(const struct log *log, uint32_t number)
{
    return page_at(log->places, log_place(log, number));
}

void log_begin_page(struct log *log, uint32_t number)
{
    log->page->header.number = number;
    log->page->header.tag = 0;
    for (unsigned i = 0; i < STORAGE_ROOM; i++) {
        log->page->bytes[i] = 0xff;
    }
    log->safe = log->count;
    log->synced = 0;
}

uint32_t log_oldest(const struct log *log)
{
    uint32_t number = log->page->header.number;
    uint16_t kept = log->count - LOG_SPARE;

    if (!log->is_circular) {
        return number - log_place(log, number);
    }
    return number > kept ? number - kept : 0;
}

/* The newest page is complete if it is in its own place; else it is a copy of the open one. */
static int resume(struct log *log, const struct found *newest)
{
    if (newest->ahead == 0) {
        log_begin_page(log, newest->header.number + 1);
        return 0;
    }
    log->safe = newest->place;
    log->synced = log_used(&newest->header);
    return page_load(page_at(log->places, newest->place), log->page);
}

static int find_end(struct log *log)
{
    struct ring ring = {log->places, log->count, LOG_AHEAD};
    struct found newest;
    int error = page_ring_newest(&ring, &newest);

    if (error == 0) {
        error = resume(log, &newest);
    } else if (error == ERR_EMPTY) {
        log_begin_page(log, 0);
        error = 0;
    }
    log->reader = log_position(log_oldest(log));
    log->checked = LOG_UNCHECKED;
    return error == 0 ? 0 : ERR_IO;
}

int log_enter(struct log *log)
{
    storage_enter();
    if (log->epoch == storage_epoch) {
        return 0;
    }
    int error = find_end(log);
    log->epoch = error == 0 ? storage_epoch : 0;
    return error;
}

/* What was never written need not be erased. */
static int erase_place(struct log *log, uint16_t place)
{
    struct found found;
    int error = log_look(log, place, &found);

    if (error == 0) {
        error = medium_erase(page_at(log->places, place));
    }
    return error == ERR_EMPTY ? 0 : error;
}

/* Puts an empty page in the place of all records, whose positions are smaller than those of what
 * will be appended. Its number is such that a linear log begins at its first place again. */
static int begin_again(struct log *log, uint16_t newest)
{
    uint32_t number = log->page->header.number;

    log_begin_page(log, number - log_place(log, number) + log->count);
    log->safe = newest;
    return log_write_page(log, false);
}

/* The newest page last: what is left, if power fails, is a log without its oldest records. */
int log_erase(struct log *log)
{
    int error = log_enter(log);
    uint16_t place = log_place(log, log->page->header.number);
    uint16_t newest = log->safe < log->count ? log->safe : (place == 0 ? log->count : place) - 1;

    for (uint16_t left = log->count; error == 0 && left > 0; left--) {
        error = place == newest ? 0 : erase_place(log, place);
        place = place + 1 == log->count ? 0 : place + 1;
    }
    if (error == 0 && (log->page->header.number != 0 || log_used(&log->page->header) != 0)) {
        error = begin_again(log, newest);
    }
    if (error == 0) {
        error = erase_place(log, newest);
    }
    log->epoch = 0;
    storage_leave();
    return error;
}
