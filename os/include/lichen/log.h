/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs: records that are appended to the board's storage and survive power cuts.
 *
 *     LOG(readings, 16 * 1024);
 *
 *     int error = log_append(&readings, &sample, sizeof(sample));
 *     if (error == 0) {
 *         error = log_sync(&readings);
 *     }
 *
 * A record is 1 to 247 bytes, and is read whole or not at all, in the order in which records were
 * appended. Appended records are collected in RAM, a page of 248 bytes for each log, with a byte
 * of overhead per record. A record is safe against power cuts and resets when a log_sync that
 * began after its log_append has returned 0. A record that was not yet synchronized may be lost or
 * be there after a cut, but never a part of it, and never one without those before it.
 *
 * A LOG that is full refuses records; a LOG_CIRCULAR drops the oldest page of records instead.
 * Pages are written in turn, so they wear evenly. A page that does not keep what is written to it
 * is skipped, and a circular log keeps up to 744 bytes less: pages whose copies need its place are
 * skipped, too.
 *
 * Each log has one reader, which starts at the oldest record and reads all records, including those
 * that are not synchronized. The first call for a log after a start finds its end: it reads the
 * header of each page, 0.4 ms a page on the MICAs.
 *
 * All logs and volumes of a program share one lock: threads wait for each other. If a thread is
 * destroyed in one of these calls, all logs and volumes revert to what is in storage.
 *
 * The log of a loaded program is the partition of that name that its image has
 * (lichen/partition.h): PROGRAM_LOG.
 *
 * On the SAM R21 the processor cannot read its flash while a page is erased, 6 ms, and then
 * written, four times 2.5 ms: it stands still. Interrupts and real-time tasks are late by up to
 * 6 ms, and deadlines shorter than that are missed. A task in RAM (RT_TASK_IN_RAM, lichen/rt.h) is
 * in time, unless an interrupt whose handler is in flash comes in between (test/mote/storage_rt).
 * A program with tasks in flash says RT_MAY_WAIT_FOR_FLASH, or is refused.
 * Threads that are less urgent than the caller wait until its call returns: log_erase of 100 KB
 * keeps them from feeding a watchdog for 0.9 s.
 * On the MICAs the data flash is a part of its own, and only the calling thread waits, asleep.
 */
#ifndef LICHEN_LOG_H
#define LICHEN_LOG_H

#include <lichen/storage.h>

/* The largest record. */
#define LOG_RECORD_MAX (STORAGE_ROOM - 1u)

/* Positions for log_seek. */
#define LOG_OLDEST UINT32_C(0)
#define LOG_NEWEST UINT32_MAX

/* A log. The fields are its own. */
struct log {
    const uint8_t *places;     /* STORAGE_TAKE */
    struct storage_page *page; /* the page that is being filled */
    uint16_t count;            /* of places */
    bool is_circular;          /* drops its oldest page where another one would be full */
    uint8_t epoch;             /* of what is below (driver/storage/lock.h) */
    uint16_t safe;    /* the place with the newest copy of `page`; `count`: there is none */
    uint8_t synced;   /* bytes of that copy */
    uint32_t reader;  /* position of the next record to be read */
    uint32_t checked; /* the page that was found good by the reader; UINT32_MAX: none */
};

/* The pages of a log with room for so many bytes: it needs three beyond its records (log.c). */
#define LOG_PLACES(bytes) (STORAGE_PAGES(bytes) + 3u)

#define LOG_DECLARE(name, bytes, circular)                                                         \
    STORAGE_TAKE(name, LOG_PLACES(bytes));                                                         \
    static struct storage_page name##_page;                                                        \
    struct log name = {.places = name##_places,                                                    \
                       .page = &name##_page,                                                       \
                       .count = sizeof(name##_places),                                             \
                       .is_circular = (circular)}

/* Declares a log with room for so many bytes. Each record takes a byte more than its length, and
 * lies in one page of 248 bytes; what the last record of a page leaves free, which is less than the
 * next one, counts as well. RAM: 280 bytes. */
#define LOG(name, bytes) LOG_DECLARE(name, bytes, false)

/* Declares a log that keeps at least its newest `bytes`, counted in the same way. */
#define LOG_CIRCULAR(name, bytes) LOG_DECLARE(name, bytes, true)

/* Appends a record.
 * returns   0; ERR_INVALID: it is empty or too long; ERR_FULL: the log is full, or circular and has
 *           had 16,777,213 pages; ERR_IO: the part does not answer, or page after page does not
 *           keep what is written. After an error, the record is not in the log
 * context   thread
 * blocks    yes, if a page is full and must be written: 42 ms on the MICAs, 17 ms on the SAM R21
 */
MUST_CHECK int log_append(struct log *log, const void *record, size_t length);

/* Makes all records appended so far safe.
 * returns   0; ERR_FULL and ERR_IO as log_append: the records are still in RAM, and may be
 *           synchronized again
 * context   thread
 * blocks    yes, if there is something to write, as log_append
 */
MUST_CHECK int log_sync(struct log *log);

/* Reads the next record, and moves the reader behind it.
 * length    in: the room at `record`; out: the length of the record
 * returns   0; ERR_EMPTY: there is none; ERR_FULL: the record has no room, and the reader stays;
 *           ERR_CORRUPT: a page of records cannot be read any more, and the reader is behind it;
 *           ERR_IO: the part does not answer
 * context   thread
 * blocks    yes, for its turn
 *           cost  on the MICAs 6 ms for the first record of a page
 */
MUST_CHECK int log_read(struct log *log, void *record, size_t *length);

/* Moves the reader to a position that log_tell has given, or to the next record behind it; where
 * that is not in the log any more, to the oldest record. LOG_OLDEST is the oldest record,
 * LOG_NEWEST the end.
 * returns   0; ERR_IO: the part does not answer
 * context   thread
 * blocks    yes, for its turn
 */
MUST_CHECK int log_seek(struct log *log, uint32_t position);

/* The position of the reader. Later records have larger positions, also after a start and after
 * log_erase(). When a page is skipped because a place is worn, its records get new positions;
 * log_seek takes an old one for the first record of that page.
 * returns   0; ERR_IO: the part does not answer
 * context   thread
 * blocks    yes, for its turn
 */
MUST_CHECK int log_tell(struct log *log, uint32_t *position);

/* Erases all records. If power fails meanwhile, the newest records may still be there, and one page
 * may give ERR_CORRUPT.
 * returns   0; ERR_IO: the part does not answer; ERR_FULL: as log_append, after 4 GB
 * context   thread
 * blocks    yes, 10 ms for each page that was written, on the SAM R21 6 ms, and as log_append
 */
MUST_CHECK int log_erase(struct log *log);

#endif
