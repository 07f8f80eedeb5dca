/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs: the reader. */
#include "driver/storage/log.h"

#include <string.h>

#include "driver/storage/lock.h"

/* There is no record in the rest of a page. For the open page it means the log's end, hence the
 * value. */
enum {
    SKIPPED = ERR_EMPTY,
};

/* Why a page is not at its place: the next page that there is says whether its number was skipped.
 * returns   SKIPPED; ERR_CORRUPT: it was not; ERR_IO
 */
static int why_missing(struct log *log, uint32_t number)
{
    for (uint8_t behind = 1; behind <= LOG_TRIES; behind++) {
        struct storage_header header = log->page->header;
        int error = 0;
        if (++number != header.number) {
            error = page_check(log_storage(log, number), &header);
        }
        if (error == ERR_IO) {
            return error;
        }
        if (error == 0 && header.number == number) {
            return behind <= log_gap(&header) ? SKIPPED : ERR_CORRUPT;
        }
    }
    return ERR_CORRUPT;
}

/* Finds out whether a complete page can be read.
 * returns   0; SKIPPED: it has no records; ERR_CORRUPT; ERR_IO
 */
static int check(struct log *log, uint32_t number)
{
    struct storage_header header;

    if (log->checked == number) {
        return 0;
    }
    int error = page_check(log_storage(log, number), &header);
    if (error == ERR_CORRUPT && header.number == PAGE_ERASED) {
        return SKIPPED;
    }
    if (error == 0 && header.number != number) {
        error = ERR_CORRUPT;
    }
    if (error == 0) {
        log->checked = number;
    }
    return error == ERR_CORRUPT ? why_missing(log, number) : error;
}

/* Reads bytes of a page, which is the open one or has been checked. */
static int read_bytes(struct log *log, uint32_t number, uint8_t offset, void *bytes, uint8_t length)
{
    if (number == log->page->header.number) {
        memcpy(bytes, log->page->bytes + offset, length);
        return 0;
    }
    return medium_read(log_storage(log, number), (uint8_t)(sizeof(struct storage_header) + offset),
                       bytes, length);
}

/* The length of the record at the reader; behind the last record of a page, 0xff or the page's
 * end.
 * returns   0; SKIPPED: there is no record in the rest of this page; ERR_CORRUPT; ERR_IO
 */
static int length_here(struct log *log, uint8_t *length)
{
    uint32_t number = log->reader / LOG_OFFSETS;
    uint8_t offset = (uint8_t)log->reader;
    int error = number == log->page->header.number ? 0 : check(log, number);

    if (error != 0) {
        return error;
    }
    if (offset >= STORAGE_ROOM) {
        return SKIPPED;
    }
    error = read_bytes(log, number, offset, length, 1);
    return error == 0 && *length > LOG_RECORD_MAX ? SKIPPED : error;
}

/* Moves the reader to the next record that there is, and reads its length.
 * returns   0; ERR_EMPTY; ERR_CORRUPT: it has left the page; ERR_IO
 */
static int find_record(struct log *log, uint8_t *length)
{
    if (log->reader < log_position(log_oldest(log))) {
        log->reader = log_position(log_oldest(log));
    }
    for (;;) {
        int error = length_here(log, length);
        uint32_t number = log->reader / LOG_OFFSETS;
        if ((error != SKIPPED && error != ERR_CORRUPT) || number == log->page->header.number) {
            return error;
        }
        log->reader = log_position(number + 1);
        if (error == ERR_CORRUPT) {
            return error;
        }
    }
}

static void pass_record(struct log *log, uint8_t length)
{
    log->reader += 1u + length;
}

int log_read(struct log *log, void *record, size_t *length)
{
    uint8_t bytes;
    int error = log_enter(log);

    if (error == 0) {
        error = find_record(log, &bytes);
    }
    if (error == 0) {
        size_t room = *length;
        *length = bytes;
        error = bytes > room ? ERR_FULL
                             : read_bytes(log, log->reader / LOG_OFFSETS,
                                          (uint8_t)(log->reader + 1), record, bytes);
    }
    if (error == 0) {
        pass_record(log, bytes);
    }
    storage_leave();
    return error;
}

/* Records are found from the beginning of their page. */
static int seek(struct log *log, uint32_t position)
{
    uint32_t end = log_position(log->page->header.number) + log_used(&log->page->header);
    uint8_t length;

    if (position >= end) {
        log->reader = end;
        return 0;
    }
    log->reader = position / LOG_OFFSETS * LOG_OFFSETS;
    for (;;) {
        int error = find_record(log, &length);
        if (error != 0 || log->reader >= position) {
            return error == ERR_IO ? ERR_IO : 0;
        }
        pass_record(log, length);
    }
}

int log_seek(struct log *log, uint32_t position)
{
    int error = log_enter(log);

    if (error == 0) {
        error = seek(log, position);
    }
    storage_leave();
    return error;
}

int log_tell(struct log *log, uint32_t *position)
{
    int error = log_enter(log);

    *position = log->reader;
    storage_leave();
    return error;
}
