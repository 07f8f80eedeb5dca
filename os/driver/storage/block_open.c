/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Volumes: opening, after power may have failed, and erasing. */
#include "driver/storage/block.h"

#include "driver/storage/lock.h"

static uint8_t cache_epoch;

/* Writes the newest page of the journal to its place, unless that has it, or a newer one.
 * returns   0; ERR_CORRUPT: the place does not keep it; ERR_IO
 */
static int repeat(struct volume *volume, const struct found *newest)
{
    struct ring journal = block_journal(volume);
    uint16_t page = page_at(volume->places, newest->header.tag);
    struct storage_header header;
    int error = page_check(page, &header);

    if (error == ERR_IO || (error == 0 && header.number >= newest->header.number)) {
        return error;
    }
    error = page_load(page_at(journal.places, newest->place), &block_cache.page);
    return error == 0 ? page_write(page, &block_cache.page) : error;
}

static int open(struct volume *volume)
{
    struct ring journal = block_journal(volume);
    struct found newest;
    int error = block_evict();

    if (error != 0) {
        return error;
    }
    block_forget_checked();
    volume->next = 0;
    error = page_ring_newest(&journal, &newest);
    if (error == 0) {
        volume->next = newest.header.number + 1;
        error = newest.header.tag < block_pages(volume) ? repeat(volume, &newest) : 0;
    }
    return error == ERR_IO ? ERR_IO : 0;
}

int block_enter(struct volume *volume)
{
    storage_enter();
    if (cache_epoch != storage_epoch) {
        block_cache.volume = 0;
        block_cache.state = BLOCK_CLEAN;
        cache_epoch = storage_epoch;
    }
    if (volume->epoch == storage_epoch) {
        return 0;
    }
    int error = open(volume);
    volume->epoch = error == 0 ? storage_epoch : 0;
    return error;
}

/* The journal first: what is in it must not be repeated when its page is erased. */
int block_erase(struct volume *volume)
{
    int error = block_enter(volume);

    block_forget_checked();
    if (block_cache.volume == volume) {
        block_cache.volume = 0;
        block_cache.state = BLOCK_CLEAN;
    }
    for (uint16_t left = volume->count; error == 0 && left > 0; left--) {
        error = medium_erase(page_at(volume->places, left - 1));
    }
    volume->epoch = 0;
    storage_leave();
    return error;
}
