/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/directory.h"

#include <stddef.h>
#include <string.h>

#include "base/crc32.h"
#include "load/ahead.h"

/* A copy, by offsets: what begins it, the sequence, rows, floors, and the CRC-32 of all these. In
 * flash its bits are inverted: what is free is 0 here and remains erased there, and the SAM R21
 * writes no pages that do. */
enum {
    MAGIC = 0xd14c,
    COPIES = 2,
    AT_SEQUENCE = 2, /* 16 bits, which is more than a page lasts, and 0 */
    AT_ROWS = AT_SEQUENCE + 4,
    AT_FLOORS = AT_ROWS + DIRECTORY_ROWS * sizeof(struct directory_row),
    AT_CRC = AT_FLOORS + DIRECTORY_FLOORS * sizeof(struct directory_floor),
    AT_END = AT_CRC + 4,
    PIECE = 10, /* is read at once */
};

_Static_assert(sizeof(struct directory_row) == 24 && sizeof(struct directory_floor) == 6,
               "the same on every machine");
_Static_assert((int)AT_END <= UINT8_MAX && AT_END % PIECE == 0, "a copy is a page");
_Static_assert(DIRECTORY_ROWS <= 8, "sets of rows are bytes");

/* The copy that counts. */
static struct {
    uint32_t identity;
    uint16_t page; /* address / CODE_PAGE; 0: none */
    uint16_t sequence;
} directory;

static code_address_t address_of(uint16_t page)
{
    return (code_address_t)page * CODE_PAGE;
}

/* Reads of a copy, of which flash has the inverse; zeros if it is none. */
static void read_copy(uint16_t page, uint8_t at, void *to, uint8_t bytes)
{
    uint16_t *halfword = to;

    if (page == 0) {
        memset(to, 0, bytes);
        return;
    }
    code_read_all(address_of(page) + at, to, bytes);
    for (; bytes != 0; bytes -= 2) {
        *halfword = (uint16_t) ~*halfword;
        halfword++;
    }
}

static bool is_whole(uint16_t page)
{
    uint32_t crc = CRC32_BEGIN;
    uint16_t piece[PIECE / 2];

    for (uint8_t at = 0; at < AT_END; at += PIECE) {
        read_copy(page, at, piece, PIECE);
        crc = crc32_add_all(crc, (const uint8_t *)piece, PIECE);
    }
    return crc == CRC32_RESIDUE;
}

/* It counts if it is whole, and later than the one before. */
static void open(uint16_t page)
{
    uint16_t begin[2];

    read_copy(page, 0, begin, sizeof(begin));
    if (begin[0] == MAGIC && is_whole(page) &&
        (directory.page == 0 || (int16_t)(begin[1] - directory.sequence) > 0)) {
        directory.page = page;
        directory.sequence = begin[1];
    }
}

static uint16_t first_copy(void)
{
    return (uint16_t)(code_directory() / CODE_PAGE);
}

void directory_open(uint32_t identity)
{
    const uint16_t page = first_copy();

    directory.identity = identity;
    directory.page = 0;
    directory.sequence = 0;
    open(page);
    open(page + 1u);
}

uint32_t directory_identity(void)
{
    return directory.identity;
}

static uint8_t at_row(uint8_t index)
{
    return (uint8_t)(AT_ROWS + index * sizeof(struct directory_row));
}

/* Reads a row of any image. */
static void read_row(uint8_t index, struct directory_row *row)
{
    const uint8_t at = at_row(index);

    /* Most rows are free, and a search reads all of them often. */
    read_copy(directory.page, at + offsetof(struct directory_row, state), &row->state, 2);
    if (row->state != DIRECTORY_FREE) {
        read_copy(directory.page, at, row, sizeof(*row));
    }
    if (row->state == DIRECTORY_FREE ||
        row->first_page < (uint16_t)(code_programs_begin() / CODE_PAGE) ||
        row->first_page + directory_pages(row) > (uint16_t)(code_programs_end() / CODE_PAGE)) {
        read_copy(0, 0, row, sizeof(*row));
    }
}

uint8_t directory_read(uint8_t index, struct directory_row *row)
{
    read_row(index, row);
    if (row->state != DIRECTORY_FREE && row->identity != directory.identity) {
        row->state = DIRECTORY_DEAD;
    }
    return row->state;
}

uint8_t directory_state(uint8_t index)
{
    struct directory_row row;

    return directory_read(index, &row);
}

void directory_read_floor(uint8_t index, struct directory_floor *floor)
{
    read_copy(directory.page, (uint8_t)(AT_FLOORS + index * sizeof(*floor)), floor, sizeof(*floor));
}

uint16_t directory_read_program(const struct directory_row *row, uint8_t offset)
{
    return code_read(directory_address(row) + offset);
}

/* -------- changes */

/* A copy that is being made, in the page that is being filled. */
struct filling {
    uint32_t crc;
    uint8_t at;
};

static void put(struct filling *filling, const void *from, uint8_t bytes)
{
    const uint16_t *halfword = from;

    filling->crc = crc32_add_all(filling->crc, from, bytes);
    for (; bytes != 0; bytes -= 2) {
        code_put(filling->at, (uint16_t) ~*halfword++);
        filling->at += 2;
    }
}

static void begin(struct filling *filling)
{
    const uint16_t begin[AT_ROWS / 2] = {MAGIC, directory.sequence + 1u, 0};

    filling->crc = CRC32_BEGIN;
    filling->at = 0;
    put(filling, begin, sizeof(begin));
}

/* Floors, one of which is changed. */
static void put_floors(struct filling *filling, uint8_t index, const struct directory_floor *floor)
{
    struct directory_floor old;

    for (uint8_t i = 0; i < DIRECTORY_FLOORS; i++) {
        directory_read_floor(i, &old);
        put(filling, i == index ? floor : &old, sizeof(old));
    }
}

static enum load_error end(struct filling *filling)
{
    const uint16_t first = first_copy(), from = directory.page;
    const uint16_t to = from == first ? first + 1u : first;
    uint32_t crc = crc32_end(filling->crc);

    put(filling, &crc, sizeof(crc));
    /* What a start would find decides, not what the chip says. */
    (void)ahead_write(to);
    open(to);
    if (directory.page != to) {
        ahead_stop();
        return LOAD_WRITE;
    }
    ahead_free(AHEAD_DIRECTORY, from, from != 0);
    return LOAD_OK;
}

enum load_error directory_write(uint8_t freed, uint8_t first, const void *what, uint8_t second,
                                const struct directory_row *row)
{
    struct filling filling;
    struct directory_row old;

    begin(&filling);
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        const void *next = index == first ? what : index == second ? row : &old;

        read_row(index, &old);
        if (freed & 1u) {
            if (next == &old) {
                ahead_free(AHEAD_PROGRAM, old.first_page, directory_pages(&old));
            }
            read_copy(0, 0, &old, sizeof(old));
        }
        freed >>= 1;
        put(&filling, next, sizeof(old));
    }
    put_floors(&filling, first - DIRECTORY_FLOOR, what);
    return end(&filling);
}
