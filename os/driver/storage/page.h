/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whole pages, and rings of them.
 *
 * In a ring, page number n is written to place n modulo the ring's length, or up to `ahead` places
 * further. So whoever knows the number knows where to look, and the newest page is found by looking
 * at all headers.
 */
#ifndef DRIVER_STORAGE_PAGE_H
#define DRIVER_STORAGE_PAGE_H

#include "driver/storage/medium.h"

#define PAGE_ERASED UINT32_MAX /* the number of an erased page */

/* Reads the header of a page, and checks the page against it.
 * returns   0; ERR_CORRUPT: it is torn, or was never written; ERR_IO
 */
int page_check(uint16_t page, struct storage_header *header);

/* Reads a page into RAM. Returns as page_check. */
int page_load(uint16_t page, struct storage_page *image);

/* Sets the CRC and writes the page. Returns as medium_write. */
int page_write(uint16_t page, struct storage_page *image);

struct ring {
    const uint8_t *places;
    uint16_t count;
    uint8_t ahead;
};

/* A page of a ring. */
struct found {
    struct storage_header header;
    uint16_t place;
    uint8_t ahead;
};

/* The number of the page at a place of storage. */
static inline uint16_t page_at(const uint8_t *places, uint16_t place)
{
    return (uint16_t)((uintptr_t)places + place);
}

/* Reads the header at a place.
 * returns   0; ERR_EMPTY: no page of this ring was ever written there; ERR_IO
 */
int page_ring_look(const struct ring *ring, uint16_t place, struct found *found);

/* Finds the newest good page: that with the largest number; of those, that with the largest tag; of
 * those, the one that is least far ahead. Reads all headers, and once more for each page that is
 * newer and torn.
 * returns   0; ERR_EMPTY: there is none; ERR_IO
 */
int page_ring_newest(const struct ring *ring, struct found *newest);

#endif
