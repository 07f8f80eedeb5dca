/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What lichen/log.h and lichen/block.h share: pages of the board's storage, which the linker
 * assigns to declared logs and volumes. Programs include one of those headers.
 *
 * Storage is the data flash AT45DB041B on the MICAs (2,048 pages), and what a program leaves of the
 * chip's own flash on the SAM R21. Both have pages of 256 bytes here, of which 8 are a header:
 * doc/spec/storage.md has the format. Declarations are laid out in the order of their names, and a
 * program whose declarations need more than there is does not link. A rebuilt program finds its
 * data again if no declaration whose name sorts before theirs was added, removed or resized; on the
 * SAM R21, where they end at a fixed address, only if no declaration has changed.
 */
#ifndef LICHEN_STORAGE_H
#define LICHEN_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/error.h>
#include <lichen/loaded.h>

/* Bytes of a page that are not its header. */
#define STORAGE_ROOM 248u

/* The pages that hold so many bytes, as a constant expression. */
#define STORAGE_PAGES(bytes) (((bytes) + (STORAGE_ROOM - 1u)) / STORAGE_ROOM)

/* What begins a page. All ones: the page is erased. */
struct storage_header {
    uint32_t number; /* counts what is written to a log or a volume */
    uint16_t tag;    /* what the number is about: log.c, block.c */
    uint16_t crc;    /* of everything else in the page (CRC-16/CCITT-FALSE) */
};

/* A page in RAM. */
struct storage_page {
    struct storage_header header;
    uint8_t bytes[STORAGE_ROOM];
};
_Static_assert(sizeof(struct storage_page) == 256, "a page has no holes");

/* Takes `count` pages of the board's storage. The array has no memory: the address of each of its
 * bytes is the number of a page. */
#define STORAGE_TAKE(name, count)                                                                  \
    static uint8_t name##_places[count] __attribute__((section(".bss.lichen_storage." #name)))

#endif
