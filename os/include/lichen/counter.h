/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters: numbers that never repeat, even if power fails. For nonces of frames, serial numbers of
 * messages, and whatever else must be unique.
 *
 *     COUNTER(frames);
 *
 *     int error = counter_reserve(&frames);              at the start, and when there is time
 *     ...
 *     error = counter_take(&frames, &number);            never waits for storage
 *
 * Numbers grow, with gaps. Storage records up to where they may have been taken: a block of
 * COUNTER_BLOCK is reserved before its first number is taken, and the next block when half of it is
 * left. A start skips the rest of the last block, and each block whose record power may have cut
 * short.
 *
 * A program that calls counter_reserve after each number, or now and then in a thread that may
 * wait, always has numbers. The first call after a start reads storage; until then there are none.
 *
 * The counter lives in its pages: erasing the board's storage, or a rebuild with other logs and
 * volumes (lichen/storage.h), loses it. A counter begins only in erased pages. If they hold
 * anything else it has no numbers until counter_restart, since numbers may have been used before.
 *
 * The counter of a loaded program is the partition of that name that its image has
 * (lichen/partition.h): PROGRAM_COUNTER. Numbers do not repeat in later versions of the program.
 */
#ifndef LICHEN_COUNTER_H
#define LICHEN_COUNTER_H

#include <lichen/mutex.h>
#include <lichen/storage.h>

/* How many numbers are reserved at a time. */
#define COUNTER_BLOCK UINT32_C(4096)

/* Pages of a counter, which wear in turn: one is erased for each block, and for each start. With
 * 25,000 erasures, the least that the SAM R21 promises, that is 400 million numbers, or 100,000
 * starts. A worn page is skipped, with its block. */
#define COUNTER_PLACES 4u

/* All numbers are below this. */
#define COUNTER_END (UINT32_MAX - COUNTER_BLOCK + 1u)

/* A counter. The fields are its own: `lock` guards those below it. */
struct counter {
    const uint8_t *places; /* STORAGE_TAKE */
    struct mutex *lock;
    uint32_t next;  /* the number that is taken next */
    uint32_t limit; /* numbers below may be taken, as storage knows */
    bool is_open;   /* storage has been read */
};

/* Declares a counter. RAM: 20 bytes and a mutex on ARM, 13 and a mutex on AVR. */
#define COUNTER(name)                                                                              \
    STORAGE_TAKE(name, COUNTER_PLACES);                                                            \
    static MUTEX(name##_lock);                                                                     \
    struct counter name = {.places = name##_places, .lock = &name##_lock}

/* Takes the next number.
 * number    out; unchanged after an error
 * returns   0; ERR_EMPTY: none is reserved; ERR_FULL: all numbers below COUNTER_END are taken
 * context   thread
 * blocks    no       cost  150 cycles on the SAM R21
 */
MUST_CHECK int counter_take(struct counter *counter, uint32_t *number);

/* Reserves numbers until at least half a block can be taken, if that many are left at all. After an
 * error, the numbers reserved before can still be taken.
 * returns   0; ERR_FULL as counter_take; ERR_CORRUPT: the pages hold something else, and there are
 *           no numbers; ERR_IO: the part does not answer, or page after page keeps nothing
 * context   thread
 * blocks    yes, if a block must be reserved: 41 ms on the MICAs, 9 ms on the SAM R21
 */
MUST_CHECK int counter_reserve(struct counter *counter);

/* Erases the pages and begins with the first block. Numbers repeat: keys that were used with them
 * must not be used again.
 * returns   0; ERR_IO: the part does not answer
 * context   thread
 * blocks    yes, 10 ms for each page, on the SAM R21 6 ms
 */
MUST_CHECK int counter_restart(struct counter *counter);

#endif
