/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where objects are kept: flash that is erased in pages, and written from any even place on as
 * long as that is erased. store.c has it in the chip's staging area.
 */
#ifndef DISSEMINATION_STORE_H
#define DISSEMINATION_STORE_H

#include <stdint.h>

enum {
    STORE_PAGE = 256, /* bytes */
};

/* How much there is.
 * returns   bytes, a multiple of STORE_PAGE
 * context   thread
 * blocks    no
 */
uint16_t dissemination_store_bytes(void);

/* Reads a halfword.
 * offset    even
 * returns   0xffff where it is erased
 * context   thread
 * blocks    no
 */
uint16_t dissemination_store_read(uint16_t offset);

/* Erases a page.
 * offset    of its first byte
 * returns   0, or ERR_IO
 * context   thread
 * blocks    no
 */
int dissemination_store_erase(uint16_t offset);

/* Writes halfwords that are erased, or have these values; parts of two pages at the most.
 * offset    even
 * count     of bytes; 0xff follows an odd number
 * returns   0, or ERR_IO
 * context   thread
 * blocks    no
 */
int dissemination_store_add(uint16_t offset, const uint8_t *bytes, uint8_t count);

#endif
