/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of volumes share. All of it is called with the caller's lock (lock.h). */
#ifndef DRIVER_STORAGE_BLOCK_H
#define DRIVER_STORAGE_BLOCK_H

#include <lichen/block.h>

#include "driver/storage/page.h"

/* What storage has of the page in RAM. */
enum block_state {
    BLOCK_CLEAN, /* the same */
    BLOCK_DIRTY, /* an older one */
    BLOCK_WORN,  /* an older one or none: its place does not keep it, and a caller knows */
};

/* The page in RAM. */
struct block_cache {
    struct volume *volume; /* 0: there is none */
    uint16_t index;        /* of the page in the volume */
    uint8_t state;         /* enum block_state */
    struct storage_page page;
};
extern struct block_cache block_cache;

static inline uint16_t block_pages(const struct volume *volume)
{
    return (uint16_t)STORAGE_PAGES(volume->size);
}

/* Tags in the journal are indices of pages. */
static inline struct ring block_journal(const struct volume *volume)
{
    uint16_t pages = block_pages(volume);

    return (struct ring){volume->places + pages, (uint16_t)(volume->count - pages), 0};
}

/* Takes the lock, and opens the volume if it is not. The caller releases it, also after an
 * error. */
int block_enter(struct volume *volume);

/* Writes the page in RAM if storage has not the same. Returns 0 or ERR_IO; may be tried again. */
int block_flush(void);

/* Makes room for another page in RAM: writes the one that is there. If its place is worn it is
 * lost, which one caller is told: that of this function, or of block_flush before.
 * returns   0; ERR_IO: it is lost, or the part does not answer and it stays
 */
int block_evict(void);

/* A page of storage has been changed by others than block_flush. */
void block_forget_checked(void);

#endif
