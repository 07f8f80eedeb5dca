/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/partition.h"

#include <lichen/partition.h>

#include "load/container.h"
#include "load/directory.h"

/* The linker's table (os/kernel/flash.ld). */
extern const ARCH_FLASH struct partition partitions_begin[], partitions_end[];

/* Bytes of a record. */
enum {
    AT_KIND = 0,
    AT_PAGES = 1,
    AT_PLACE = 3,
    AT_NAME = 5,
};

_Static_assert(PARTITIONS == 8 * sizeof(uint16_t), "a set of them");

/* -------- reading */

/* Whether a partition may be the one whose record has this byte. */
static bool fits(const ARCH_FLASH struct partition *partition,
                 const struct partition_reader *reader, uint8_t byte, bool is_last)
{
    if (reader->at == AT_KIND) {
        return partition->kind == byte;
    }
    if (reader->at == AT_PAGES + 1) {
        return partition->count >= (reader->low | (uint16_t)byte << 8);
    }
    if (reader->at >= AT_NAME) {
        const char *letter = partition->name + (reader->at - AT_NAME);

        return byte != 0 && (uint8_t)arch_text(letter) == byte &&
               (!is_last || arch_text(letter + 1) == '\0');
    }
    return true;
}

enum load_error partition_take_declared(struct partition_reader *reader, uint8_t byte, bool is_last)
{
    const ARCH_FLASH struct partition *partition = partitions_begin;

    if (reader->at == AT_KIND) {
        reader->left = UINT16_MAX;
    }
    for (uint8_t i = 0; i < PARTITIONS; i++, partition++) {
        const uint16_t bit = (uint16_t)(1u << i);

        if (partition >= partitions_end ||
            ((reader->left & bit) != 0 && !fits(partition, reader, byte, is_last))) {
            reader->left &= (uint16_t)~bit;
        }
    }
    reader->low = byte;
    reader->at++;
    if (is_last) {
        const bool is_whole = reader->at > AT_NAME;

        reader->at = 0;
        reader->needed |= reader->left;
        return !is_whole ? LOAD_RECORD : reader->left == 0 ? LOAD_PARTITION : LOAD_OK;
    }
    return LOAD_OK;
}

/* -------- records in flash */

struct walk {
    const ARCH_FLASH uint8_t *at;
    const ARCH_FLASH uint8_t *end;
    struct partition_reader reader;
    uint16_t place; /* of the object in the program's data */
};

static void begin(struct walk *walk, const ARCH_FLASH struct container_header *header)
{
    const ARCH_FLASH uint8_t *bytes = (const ARCH_FLASH uint8_t *)header;

    *walk = (struct walk){.at = bytes + sizeof(*header) + header->name_bytes,
                          .end = bytes + header->header_bytes};
}

static enum load_error take_record(struct walk *walk, uint8_t length)
{
    const ARCH_FLASH uint8_t *record = walk->at;
    enum load_error error = LOAD_RECORD;

    walk->at += length;
    if (length > AT_NAME) {
        walk->place = record[AT_PLACE] | (uint16_t)record[AT_PLACE + 1] << 8;
    }
    for (uint8_t left = length; left > 0; left--) {
        error = partition_take_declared(&walk->reader, *record++, left == 1);
    }
    return error;
}

/* Goes to the next record of a partition.
 * returns   whether there is one
 */
static bool next(struct walk *walk, enum load_error *error)
{
    while (walk->at < walk->end && *walk->at != CONTAINER_RECORD_END) {
        const uint8_t kind = *walk->at++;
        const uint8_t length = *walk->at++;

        if (kind == CONTAINER_RECORD_PARTITION) {
            *error = take_record(walk, length);
            return true;
        }
        walk->at += length;
    }
    return false;
}

static uint16_t needed_by(const struct directory_row *row)
{
    struct walk walk;
    enum load_error error;

    begin(&walk, (const ARCH_FLASH struct container_header *)(uintptr_t)directory_address(row));
    while (next(&walk, &error)) {
    }
    return walk.reader.needed;
}

/* A dead program never starts again. */
bool partition_is_taken_declared(const struct partition_reader *reader, uint8_t own)
{
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        struct directory_row row;

        directory_read(index, &row);
        if ((own >> index & 1u) == 0 && row.state != DIRECTORY_FREE &&
            row.state != DIRECTORY_DEAD && (needed_by(&row) & reader->needed) != 0) {
            return true;
        }
    }
    return false;
}

/* -------- binding */

static enum load_error bind(const struct program *program, const struct walk *walk)
{
    const ARCH_FLASH struct partition *partition = partitions_begin;
    const uint16_t room = program->header->data_bytes;

    if (walk->place % _Alignof(struct log) != 0 || walk->place > room) {
        return LOAD_ADDRESS;
    }
    for (uint16_t left = walk->reader.left; (left & 1u) == 0; left >>= 1) {
        partition++;
    }
    return partition_put(partition, program->data + walk->place, room - walk->place) ? LOAD_OK
                                                                                     : LOAD_ADDRESS;
}

bool partition_put_log(const ARCH_FLASH struct partition *partition, void *object, uint16_t room)
{
    struct log *log = object;

    if (room < sizeof(*log)) {
        return false;
    }
    log->places = partition->places;
    log->count = partition->count;
    return true;
}

enum load_error partition_bind_declared(const struct program *program)
{
    struct walk walk;
    enum load_error error = LOAD_OK;

    begin(&walk, program->header);
    while (error == LOAD_OK && next(&walk, &error)) {
        if (error == LOAD_OK) {
            error = bind(program, &walk);
        }
    }
    return error;
}
