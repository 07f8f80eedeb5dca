/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "../host/host.h"
#include "base/crc32.h"
#include "linker.h"

enum { UNDECLARED = 7 };

static void put_u16(uint8_t *at, unsigned number)
{
    at[0] = (uint8_t)number;
    at[1] = (uint8_t)(number >> 8);
}

/* A header that declares all groups but one.
 * returns   its length
 */
static size_t put_header(const struct golden *row, uint8_t *bytes)
{
    static const uint8_t first[] = {0x4c, 0xf0, 1};
    size_t at = 33;
    memset(bytes, 0, 256);
    memcpy(bytes, first, sizeof(first));
    bytes[3] = model_machine.machine;
    put_u16(bytes + 10, row->constants);
    put_u16(bytes + 12, row->code);
    put_u16(bytes + 14, row->initial);
    put_u16(bytes + 16, row->objects);
    put_u16(bytes + 20, row->data);
    bytes[28] = 1;
    bytes[30] = 'x';
    bytes[31] = 1;
    for (uint8_t group = 0; group < 13; group++) {
        if (group != UNDECLARED) {
            bytes[at] = group;
            put_u16(bytes + at + 1, group_fingerprint(group));
            at += 3;
        }
    }
    bytes[32] = (uint8_t)(at - 33);
    at = (at + 3) / 4 * 4;
    bytes[5] = (uint8_t)at;
    return at;
}

static void check_outcome(const struct golden *row, const struct outcome *outcome)
{
    bool is_same = outcome->error == row->error && outcome->halfwords == row->halfwords &&
                   memcmp(outcome->program, row->program, row->halfwords * 2) == 0;
    if (is_same) {
        return;
    }
    fprintf(stderr, "%s: error %d after", row->what, outcome->error);
    for (size_t at = 0; at < outcome->halfwords; at++) {
        fprintf(stderr, " %04x", outcome->program[at]);
    }
    fprintf(stderr, "\n");
    require(is_same);
}

static void check_row(const struct golden *row)
{
    static struct outcome outcome;
    uint8_t bytes[256 + sizeof(row->stream)];
    size_t length = put_header(row, bytes);

    memcpy(bytes + length, row->stream, row->length);
    length += row->length;
    link_stream(bytes, length, &outcome);
    check_outcome(row, &outcome);
    model_stream(bytes, length, &outcome);
    check_outcome(row, &outcome);
}

/* -------- headers that are refused, by one byte of them */

struct change {
    uint8_t at, byte;
    enum load_error error;
};

static const struct change changes[] = {
    {0, 0x4d, LOAD_NOT_A_CONTAINER},
    {1, 0xf1, LOAD_NOT_A_CONTAINER},
    {2, 2, LOAD_NOT_A_CONTAINER},
    {3, 3, LOAD_MACHINE},
    {4, 3, LOAD_HEADER},  /* trust */
    {4, 8, LOAD_HEADER},  /* an unknown flag */
    {5, 28, LOAD_HEADER}, /* shorter than the first bytes */
    {5, 66, LOAD_HEADER}, /* no multiple of 4 */
    {5, 64, LOAD_RECORD}, /* the groups do not end where they say */
    {10, 1, LOAD_HEADER}, /* odd lengths */
    {12, 1, LOAD_HEADER},
    {14, 1, LOAD_HEADER},
    {16, 1, LOAD_HEADER},
    {17, 0xff, LOAD_HEADER}, /* with the rest more than addresses reach */
    {19, 0xff, LOAD_HEADER},
    {21, 0xff, LOAD_HEADER},
    {22, 1, LOAD_HEADER}, /* rows without constants */
    {23, 1, LOAD_HEADER},
    {24, 1, LOAD_HEADER},
    {25, 1, LOAD_HEADER},
    {26, 1, LOAD_HEADER},
    {27, 1, LOAD_HEADER}, /* a mutex without objects */
    {28, 0, LOAD_HEADER},
    {28, 16, LOAD_HEADER},
    {28, 2, LOAD_HEADER}, /* the second letter of the name is the kind of a record */
    {29, 1, LOAD_HEADER},
    {30, '_', LOAD_HEADER}, /* the first letter */
    {30, '{', LOAD_HEADER},
    {30, '@', LOAD_HEADER},
    {31, 2, LOAD_RECORD},    /* not two bytes of stack */
    {31, 3, LOAD_PARTITION}, /* there are none */
    {31, 4, LOAD_RECORD},    /* an unknown kind */
    {31, 127, LOAD_RECORD},
    {32, 35, LOAD_RECORD}, /* not of groups */
    {32, 200, LOAD_RECORD},
    {33, 13, LOAD_GROUP},
    {33, 16, LOAD_GROUP},
    {34, 0, LOAD_GROUP},  /* another fingerprint */
    {70, 1, LOAD_RECORD}, /* a length is missing */
    {69, 2, LOAD_RECORD},
};

/* There is one halfword of code, and no objects; data and code leave 65,279 bytes for addresses. */
static void check_header(const struct change *change)
{
    static struct outcome outcome;
    static const struct golden plain = {.code = 2, .data = 0xfc};
    uint8_t bytes[512];
    size_t length = put_header(&plain, bytes);

    require(length == 72);
    bytes[length++] = 1;
    bytes[length++] = 0xaa;
    bytes[length++] = 0xbb;
    if (change != 0) {
        bytes[change->at] = change->byte;
    }
    link_stream(bytes, length, &outcome);
    enum load_error error = change != 0 ? change->error : LOAD_OK;
    if (outcome.error != error) {
        fprintf(stderr, "header, byte %u: error %d\n", change != 0 ? change->at : 0, outcome.error);
    }
    require(outcome.error == error);
    model_stream(bytes, length, &outcome);
    require(outcome.error == error);
}

/* The packer's checksum is behind what the linker takes. */
static void check_packed(void)
{
    static struct outcome outcome;
    uint32_t crc = CRC32_BEGIN;

    link_stream(packed, packed_bytes, &outcome);
    require(outcome.error == LOAD_OK && outcome.halfwords == packed_halfwords);
    require(memcmp(outcome.program, packed_program, 2 * packed_halfwords) == 0);
    require(outcome.used == packed_bytes - 4);
    for (size_t at = 0; at < outcome.used; at++) {
        crc = crc32_add(crc, packed[at]);
    }
    for (size_t at = outcome.used; at < packed_bytes; at++) {
        require(packed[at] == (uint8_t)(crc32_end(crc) >> 8 * (at - outcome.used)));
    }
}

void check_golden(void)
{
    uint32_t crc = CRC32_BEGIN;
    for (const char *at = "123456789"; *at != 0; at++) {
        crc = crc32_add(crc, (uint8_t)*at);
    }
    require(crc32_end(crc) == 0xcbf43926);
    check_header(0);
    for (size_t row = 0; row < sizeof(changes) / sizeof(changes[0]); row++) {
        check_header(&changes[row]);
    }
    for (size_t row = 0; row < golden_count; row++) {
        check_row(&golden[row]);
    }
    check_packed();
}
