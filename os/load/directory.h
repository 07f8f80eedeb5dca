/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which programs are installed, and where: what a mote knows of them after a power cut.
 *
 * The directory is a page of flash, of which there are two. The valid one with the higher sequence
 * counts; a change is written to the other one, and has happened when that page is whole. So a
 * change of any number of rows happens entirely or not at all.
 *
 * It is read from flash row by row, since a copy in RAM would take 250 bytes. Free flash and RAM
 * are what no row has (load/region.h): nothing can leak, because nothing is freed.
 *
 * A program that is linked to the calls of another image reads as dead, and one where another image
 * has its own flash as free.
 *
 * All functions are called by one thread at a time, and those that write while no page is being
 * filled (chip/code.h).
 */
#ifndef LOAD_DIRECTORY_H
#define LOAD_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/code.h"
#include "load/error.h"

enum {
    DIRECTORY_ROWS = 8,
    DIRECTORY_FLOORS = 8,
    DIRECTORY_NONE = DIRECTORY_ROWS, /* no row */
    DIRECTORY_FLOOR = 16,            /* + index: a floor, for directory_write */
};

/* What a row has. A program is being written into flash that no row has: its row is in RAM until it
 * is whole. */
enum directory_state {
    DIRECTORY_FREE = 0,
    DIRECTORY_VERIFIED = 1, /* whole, not started at boot */
    DIRECTORY_ACTIVE = 2,   /* started at boot */
    DIRECTORY_DEAD = 3,     /* never started again */
};

enum directory_flag {
    DIRECTORY_ON_TRIAL = 1, /* program_confirm is awaited */
    DIRECTORY_KEPT = 2,     /* until a newer version is confirmed */
};

/* A program. Places in RAM are distances from arena_begin. */
struct directory_row {
    uint32_t identity; /* of the calls it is linked to */
    uint8_t state;
    uint8_t flags;
    uint8_t instance;
    uint8_t failures;    /* starts on trial, the present one included; else those in a row that
                            have ended in a crash of the mote */
    uint16_t first_page; /* of the flash block, header included: address / CODE_PAGE */
    uint16_t bytes;      /* of the flash block; even, and not more than all pages but one */
    uint16_t crc;        /* CRC-16 of these */
    uint16_t low;        /* load/place.h: the kernel's part, objects, stacks */
    uint16_t low_bytes;
    uint16_t data;
    uint16_t data_bytes;
    uint16_t reserved; /* 0 */
};

/* A version of programs of a name, below which none is installed. */
struct directory_floor {
    uint16_t name[2]; /* its CRC-32, low half first */
    uint16_t version; /* 0: the floor is unused */
};

/* Finds the copy that counts; without one, all rows are free.
 * identity  of the image's calls
 * context   thread
 * blocks    no
 */
void directory_open(uint32_t identity);

/* The identity of directory_open.
 * context   any
 * blocks    no
 */
uint32_t directory_identity(void);

/* Reads a row.
 * returns   its state
 * context   thread
 * blocks    no
 */
uint8_t directory_read(uint8_t index, struct directory_row *row);

/* The state of a row.
 * context   thread
 * blocks    no
 */
uint8_t directory_state(uint8_t index);

/* Reads a floor.
 * context   thread
 * blocks    no
 */
void directory_read_floor(uint8_t index, struct directory_floor *floor);

/* The pages of a program in flash, of CODE_PAGE bytes. */
static inline uint16_t directory_pages(const struct directory_row *row)
{
    return (uint16_t)(row->bytes + (CODE_PAGE - 1u)) / CODE_PAGE;
}

/* Where its container's header is. */
static inline code_address_t directory_address(const struct directory_row *row)
{
    return (code_address_t)row->first_page * CODE_PAGE;
}

/* Reads a halfword of a program's flash, at an even offset.
 * context   thread
 * blocks    no
 */
uint16_t directory_read_program(const struct directory_row *row, uint8_t offset);

/* Frees rows, and writes up to two, or one and a floor.
 * freed     a bit each
 * first     where `what` is written: a row, or DIRECTORY_FLOOR and a floor; DIRECTORY_NONE: nowhere
 * second    where `row` is written, or DIRECTORY_NONE
 * returns   LOAD_OK, or LOAD_WRITE: nothing has changed
 * context   thread
 * blocks    no, it holds the processor as code_write does
 */
enum load_error directory_write(uint8_t freed, uint8_t first, const void *what, uint8_t second,
                                const struct directory_row *row);

#endif
