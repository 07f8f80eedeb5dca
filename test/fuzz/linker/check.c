/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the image has, and what os/load makes of a container. */
#include "load/header.h"

#include <string.h>

#include "../host/host.h"
#include "linker.h"
#include "load/calls.h"
#include "load/linker_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
unsigned long results[LOAD_ERRORS];

static struct container_reader header;
static uint32_t declared; /* groups */
static struct outcome *putting;

uint16_t group_fingerprint(uint8_t group)
{
    return (uint16_t)(0xd1f1 * (group + 1u));
}

bool calls_group(uint8_t group, uint16_t fingerprint)
{
    bool is_there = group < 16 && group != GROUP_ABSENT && fingerprint == group_fingerprint(group);
    declared |= is_there ? 1u << group : 0;
    return is_there;
}

uintptr_t linker_call(uint8_t id)
{
    return declared >> (id >> CALL_GROUP_BITS) & 1 ? call_address(id) : 0;
}

enum load_error linker_put(uint16_t halfword)
{
    if (putting->halfwords == PROGRAM_MAX) {
        return LOAD_FLASH_FULL;
    }
    putting->program[putting->halfwords++] = halfword;
    return LOAD_OK;
}

enum load_error partition_take(struct partition_reader *reader, uint8_t byte, bool is_last)
{
    return partition_take_none(reader, byte, is_last);
}

static enum load_error read_header(const uint8_t *bytes, size_t length, size_t *used)
{
    declared = 0;
    container_begin(&header);
    while (*used < length) {
        enum load_error error = container_feed(&header, bytes[(*used)++]);
        if (error != LOAD_OK) {
            return error;
        }
        if (container_is_complete(&header)) {
            require(container_feed(&header, 0) == LOAD_LENGTH);
            return LOAD_OK;
        }
    }
    return LOAD_LENGTH;
}

/* Pieces of all sorts, the same for the same container. */
static size_t any_piece(size_t at)
{
    size_t mixed = (at + header.header.version) * 2654435761u;
    return mixed >> 9 & 1 ? mixed >> 10 & 3 : mixed >> 10 & 127;
}

void link_stream(const uint8_t *bytes, size_t length, struct outcome *outcome)
{
    uint16_t taken;
    struct linker linker;
    const struct container_header *first = &header.header;

    outcome->used = outcome->halfwords = 0;
    outcome->error = read_header(bytes, length, &outcome->used);
    if (outcome->error != LOAD_OK) {
        return;
    }
    size_t flash = (size_t)first->constants_bytes + first->code_bytes + first->initial_bytes;
    if (flash / 2 > PROGRAM_MAX) {
        outcome->error = LOAD_FLASH_FULL;
        return;
    }
    putting = outcome;
    linker_begin(&linker, first, &places);
    while (outcome->error == LOAD_OK && !linker_is_complete(&linker) && outcome->used < length) {
        size_t left = length - outcome->used, piece = 1 + any_piece(outcome->used);
        outcome->error = linker_feed(&linker, bytes + outcome->used,
                                     (uint16_t)(piece < left ? piece : left), &taken);
        outcome->used += taken;
    }
    if (outcome->error == LOAD_OK) {
        outcome->error = linker_end(&linker);
        require(outcome->error == LOAD_LENGTH || outcome->halfwords == flash / 2);
    }
    if (outcome->error != LOAD_LENGTH) {
        require(linker_feed(&linker, bytes, 1, &taken) == LOAD_LENGTH && taken == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct outcome linked, expected;

    link_stream(bytes, length, &linked);
    model_stream(bytes, length, &expected);
    require(linked.error == expected.error);
    require(linked.used == expected.used);
    require(linked.halfwords == expected.halfwords);
    require(memcmp(linked.program, expected.program, linked.halfwords * 2) == 0);
    results[linked.error]++;
    return 0;
}
