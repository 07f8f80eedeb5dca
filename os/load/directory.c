/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/directory.h"

#include <stddef.h>

#include "base/crc32.h"

/* A copy, in halfwords: what begins it, the sequence, rows, floors, and the CRC-32 of all these. */
enum {
    MAGIC = 0xd14c,
    COPIES = 2,
    ROW_HALFWORDS = sizeof(struct directory_row) / 2,
    ROW_STATE = offsetof(struct directory_row, state) / 2,
    FLOOR_HALFWORDS = sizeof(struct directory_floor) / 2,
    AT_SEQUENCE = 1,
    AT_ROWS = AT_SEQUENCE + 2,
    AT_FLOORS = AT_ROWS + DIRECTORY_ROWS * ROW_HALFWORDS,
    AT_CRC = AT_FLOORS + DIRECTORY_FLOORS * FLOOR_HALFWORDS,
};

_Static_assert(sizeof(struct directory_row) == 24 && sizeof(struct directory_floor) == 6,
               "the same on every machine");
_Static_assert((AT_CRC + 2) * 2 <= CODE_PAGE, "a copy is a page");
_Static_assert(DIRECTORY_ROWS <= 8, "sets of rows are bytes");

/* The copy that counts. */
static struct {
    uint32_t sequence;
    uint32_t identity;
    uint8_t copy; /* COPIES: none */
} directory;

static code_address_t copy_address(uint8_t copy)
{
    return code_directory() + (code_address_t)copy * CODE_PAGE;
}

static uint16_t read_at(uint8_t copy, uint8_t halfword)
{
    return code_read(copy_address(copy) + halfword * 2u);
}

static uint32_t read_word(uint8_t copy, uint8_t halfword)
{
    return read_at(copy, halfword) | (uint32_t)read_at(copy, halfword + 1u) << 16;
}

static uint32_t crc_add(uint32_t crc, uint16_t halfword)
{
    return crc32_add(crc32_add(crc, (uint8_t)halfword), (uint8_t)(halfword >> 8));
}

static bool is_whole(uint8_t copy)
{
    uint32_t crc = CRC32_BEGIN;

    if (read_at(copy, 0) != MAGIC) {
        return false;
    }
    for (uint8_t at = 0; at < AT_CRC; at++) {
        crc = crc_add(crc, read_at(copy, at));
    }
    return crc32_end(crc) == read_word(copy, AT_CRC);
}

void directory_open(uint32_t identity)
{
    directory.identity = identity;
    directory.copy = COPIES;
    directory.sequence = 0;
    for (uint8_t copy = 0; copy < COPIES; copy++) {
        if (is_whole(copy)) {
            uint32_t sequence = read_word(copy, AT_SEQUENCE);

            if (directory.copy == COPIES || (int32_t)(sequence - directory.sequence) > 0) {
                directory.copy = copy;
                directory.sequence = sequence;
            }
        }
    }
}

uint32_t directory_identity(void)
{
    return directory.identity;
}

/* Reads halfwords of the copy that counts; zeros if there is none. */
static void read_into(void *to, uint8_t at, uint8_t halfwords)
{
    uint16_t *halfword = to;

    for (uint8_t i = 0; i < halfwords; i++) {
        halfword[i] = directory.copy == COPIES ? 0 : read_at(directory.copy, at + i);
    }
}

void directory_read(uint8_t index, struct directory_row *row)
{
    const uint8_t at = AT_ROWS + index * ROW_HALFWORDS;
    uint16_t state;

    /* Most rows are free, and a search reads all of them often. */
    read_into(&state, at + ROW_STATE, 1);
    if ((uint8_t)state == DIRECTORY_FREE) {
        *row = (struct directory_row){.state = DIRECTORY_FREE};
        return;
    }
    read_into(row, at, ROW_HALFWORDS);
    if (directory_address(row) < code_programs_begin() ||
        directory_address(row) + row->bytes > code_programs_end()) {
        *row = (struct directory_row){.state = DIRECTORY_FREE};
    } else if (row->identity != directory.identity) {
        row->state = DIRECTORY_DEAD;
    }
}

void directory_read_floor(uint8_t index, struct directory_floor *floor)
{
    read_into(floor, AT_FLOORS + index * FLOOR_HALFWORDS, FLOOR_HALFWORDS);
}

/* Puts halfwords into the page that is being filled, and continues the CRC. */
static uint32_t put(uint32_t crc, uint8_t at, const void *from, uint8_t halfwords)
{
    const uint16_t *halfword = from;

    for (uint8_t i = 0; i < halfwords; i++) {
        code_put((uint8_t)((at + i) * 2), halfword[i]);
        crc = crc_add(crc, halfword[i]);
    }
    return crc;
}

static uint32_t put_row(uint32_t crc, uint8_t index, const struct directory_change *change)
{
    struct directory_row row;

    directory_read(index, &row);
    if (change->freed >> index & 1u) {
        row = (struct directory_row){.state = DIRECTORY_FREE};
    } else if (row.state != DIRECTORY_FREE) {
        /* A program of another image stays what it was: that image may come back. */
        read_into(&row, AT_ROWS + index * ROW_HALFWORDS, ROW_HALFWORDS);
    }
    for (uint8_t i = 0; i < 2; i++) {
        if (change->index[i] == index) {
            row = *change->row[i];
        }
    }
    return put(crc, AT_ROWS + index * ROW_HALFWORDS, &row, ROW_HALFWORDS);
}

static uint32_t put_floor(uint32_t crc, uint8_t index, const struct directory_change *change)
{
    struct directory_floor floor;

    directory_read_floor(index, &floor);
    return put(crc, AT_FLOORS + index * FLOOR_HALFWORDS,
               change->floor == index ? change->floors : &floor, FLOOR_HALFWORDS);
}

enum load_error directory_write(const struct directory_change *change)
{
    const uint8_t to = directory.copy == 0 ? 1 : 0;
    const uint32_t sequence = directory.sequence + 1;
    const uint16_t begin[AT_ROWS] = {MAGIC, (uint16_t)sequence, (uint16_t)(sequence >> 16)};
    uint32_t crc = put(CRC32_BEGIN, 0, begin, AT_ROWS);

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        crc = put_row(crc, index, change);
    }
    for (uint8_t index = 0; index < DIRECTORY_FLOORS; index++) {
        crc = put_floor(crc, index, change);
    }
    crc = crc32_end(crc);
    const uint16_t end[2] = {(uint16_t)crc, (uint16_t)(crc >> 16)};
    put(0, AT_CRC, end, 2);
    /* What a start would find decides, not what the chip says. */
    (void)code_write_in_turn(copy_address(to));
    if (!is_whole(to) || read_word(to, AT_SEQUENCE) != sequence) {
        return LOAD_WRITE;
    }
    directory.copy = to;
    directory.sequence = sequence;
    return LOAD_OK;
}
