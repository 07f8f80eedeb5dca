/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters: doc/spec/storage.md has the format.
 *
 * The pages are a ring. A page has nothing but its header, whose number n says: numbers below n
 * times COUNTER_BLOCK may have been taken. It is written, and compared, before the first number of
 * its block is taken. A place that is erased, or has its page of the round before, was not written
 * since, and one that has neither may have had a page that allowed its block: a start leaves that
 * out. So it does not matter whether a page is torn or was lost afterwards.
 *
 * What counts in RAM changes under the counter's own mutex, which nobody holds while storage is
 * written, and only to what storage already allows. A thread that ends in the middle leaves a
 * counter that is read again.
 */
#include <lichen/counter.h>

#include "driver/storage/crc.h"
#include "driver/storage/page.h"
#include "driver/storage/lock.h"

enum {
    TAG = 0xc047, /* no page of a log or a volume has it */
};

#define LAST_PAGE (COUNTER_END / COUNTER_BLOCK)

static void lock(struct counter *counter)
{
    if (mutex_lock(counter->lock) != 0) {
        counter->is_open = false;
    }
}

static void unlock(struct counter *counter)
{
    mutex_unlock(counter->lock);
}

int counter_take(struct counter *counter, uint32_t *number)
{
    int error = 0;

    lock(counter);
    if (!counter->is_open || counter->next >= counter->limit) {
        error = counter->is_open && counter->limit == COUNTER_END ? ERR_FULL : ERR_EMPTY;
    } else {
        *number = counter->next++;
    }
    unlock(counter);
    return error;
}

static uint16_t place_of(const struct counter *counter, uint32_t page_number)
{
    return page_at(counter->places, (uint16_t)(page_number % COUNTER_PLACES));
}

static int write_page(const struct counter *counter, uint32_t page_number)
{
    struct storage_header header = {.number = page_number, .tag = TAG};
    uint16_t crc = page_crc_of(CRC16_BEGIN, &header, offsetof(struct storage_header, crc));

    for (unsigned left = STORAGE_ROOM; left > 0; left--) {
        crc = crc16_add(crc, 0xff);
    }
    header.crc = crc;
    return medium_mark(place_of(counter, page_number), &header);
}

/* Writes the page of a number, or of the next one whose place keeps it, but not over the newest. */
static int record(const struct counter *counter, uint32_t newest, uint32_t *page_number)
{
    int error = ERR_CORRUPT;

    while (error == ERR_CORRUPT && *page_number % COUNTER_PLACES != newest % COUNTER_PLACES) {
        if (*page_number > LAST_PAGE) {
            return ERR_FULL;
        }
        error = write_page(counter, *page_number);
        *page_number += error == ERR_CORRUPT;
    }
    return error == ERR_CORRUPT ? ERR_IO : error;
}

/* Numbers of this page's block may be taken, and before it those that are reserved already. */
static void allow(struct counter *counter, uint32_t page_number)
{
    lock(counter);
    if (!counter->is_open) {
        counter->next = (page_number - 1) * COUNTER_BLOCK;
        counter->is_open = true;
    }
    counter->limit = page_number * COUNTER_BLOCK;
    unlock(counter);
}

/* What the places hold. */
struct survey {
    uint32_t newest; /* the largest number of a page; 0: there is none */
    uint8_t spoilt;  /* a bit for each place that holds no page and is not erased */
};

static int survey(const struct counter *counter, struct survey *found)
{
    *found = (struct survey){0};
    for (uint8_t place = 0; place < COUNTER_PLACES; place++) {
        struct storage_header header;
        int error = page_check(page_at(counter->places, place), &header);
        if (error == ERR_IO) {
            return error;
        }
        if (error == 0) {
            if (header.tag != TAG || header.number % COUNTER_PLACES != place) {
                return ERR_CORRUPT;
            }
            found->newest = header.number > found->newest ? header.number : found->newest;
        } else if (header.number != PAGE_ERASED || header.tag != 0xffff || header.crc != 0xffff) {
            found->spoilt |= (uint8_t)(1u << place);
        }
    }
    /* Before the first page of place 0, which is number COUNTER_PLACES, there are others. */
    return found->newest == 0 && (found->spoilt & 1) ? ERR_CORRUPT : 0;
}

/* The largest number that a page may have had. */
static uint32_t largest(const struct survey *found)
{
    uint32_t number = found->newest + COUNTER_PLACES - 1;

    while (number > found->newest && !(found->spoilt >> number % COUNTER_PLACES & 1)) {
        number--;
    }
    return number;
}

/* If all places but the newest one's are spoilt, there is room for a page only where one may have
 * been lost; then a second one restores the order, in which each spoilt place counts. */
static int open(struct counter *counter)
{
    struct survey found;
    int error = survey(counter, &found);
    uint32_t number = largest(&found) + 1;
    bool is_full = number == found.newest + COUNTER_PLACES;

    if (error == 0) {
        number += is_full;
        error = record(counter, found.newest, &number);
    }
    if (error == 0 && is_full) {
        uint32_t newest = number++;
        error = record(counter, newest, &number);
    }
    if (error == 0) {
        allow(counter, number);
    }
    return error;
}

static int extend(struct counter *counter)
{
    uint32_t newest = counter->limit / COUNTER_BLOCK;
    uint32_t number = newest + 1;
    int error = record(counter, newest, &number);

    if (error == 0) {
        allow(counter, number);
    }
    return error;
}

/* How many numbers are reserved; 0 if it is not known. */
static uint32_t reserved(struct counter *counter)
{
    lock(counter);
    uint32_t left = counter->is_open ? counter->limit - counter->next : 0;
    unlock(counter);
    return left;
}

int counter_reserve(struct counter *counter)
{
    int error = 0;

    if (reserved(counter) >= COUNTER_BLOCK / 2) {
        return 0;
    }
    storage_enter();
    if (reserved(counter) < COUNTER_BLOCK / 2) {
        error = counter->is_open ? extend(counter) : open(counter);
    }
    storage_leave();
    return error == ERR_FULL && reserved(counter) > 0 ? 0 : error;
}

int counter_restart(struct counter *counter)
{
    int error = 0;

    storage_enter();
    lock(counter);
    counter->is_open = false;
    unlock(counter);
    for (uint8_t place = 0; error == 0 && place < COUNTER_PLACES; place++) {
        error = medium_erase(page_at(counter->places, place));
    }
    storage_leave();
    return error;
}
