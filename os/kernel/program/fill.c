/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Fills a program's memory with its initial values, which lie in flash behind its code as runs
 * (doc/spec/container.md), or only looks whether they are sound.
 */
#include "kernel/program/program.h"

#include <stddef.h>

#include "load/container.h"

/* The head of a run. */
enum {
    HEAD_BYTES = 2,
    KIND_SHIFT = 14,
    LENGTH_MASK = (1 << KIND_SHIFT) - 1,
    KIND_LITERAL = 0,
    KIND_ZERO = 1,
    KIND_REPEAT = 2,
};

/* What is left of the runs, and of the block that they fill. */
struct filling {
    const ARCH_FLASH uint8_t *from;
    uint16_t from_bytes;
    uint8_t *to; /* 0: nothing is filled */
    uint16_t to_bytes;
};

static void clear(uint8_t *begin, uint16_t bytes)
{
    for (uint8_t *end = begin + bytes; begin != end; begin++) {
        *begin = 0;
    }
}

/* Bytes of a run in flash, behind its head. */
static uint16_t stored_bytes(uint8_t kind, uint16_t length)
{
    return kind == KIND_LITERAL ? (uint16_t)((length + 1u) & ~1u) : kind == KIND_REPEAT ? 2 : 0;
}

static void fill_run(struct filling *filling, uint8_t kind, uint16_t length)
{
    const ARCH_FLASH uint8_t *from = filling->from;
    filling->to_bytes = (uint16_t)(filling->to_bytes - length);
    if (filling->to == 0) {
        return;
    }
    for (uint16_t i = 0; i < length && kind != KIND_ZERO; i++) {
        filling->to[i] = kind == KIND_REPEAT ? *from : from[i];
    }
    filling->to += length;
}

/* Fills a block until it is full, or the runs end. */
static enum load_error fill_block(struct filling *filling, uint8_t *block, uint16_t bytes)
{
    filling->to = block;
    filling->to_bytes = bytes;
    if (block != 0) {
        clear(block, bytes);
    }
    while (filling->to_bytes > 0 && filling->from_bytes > 0) {
        if (filling->from_bytes < HEAD_BYTES) {
            return LOAD_INITIAL;
        }
        uint16_t head = (uint16_t)(filling->from[0] | filling->from[1] << 8);
        uint8_t kind = (uint8_t)(head >> KIND_SHIFT);
        uint16_t length = head & LENGTH_MASK;
        uint16_t stored = stored_bytes(kind, length);
        filling->from += HEAD_BYTES;
        filling->from_bytes = (uint16_t)(filling->from_bytes - HEAD_BYTES);
        if (kind > KIND_REPEAT || length == 0 || length > filling->to_bytes ||
            stored > filling->from_bytes) {
            return LOAD_INITIAL;
        }
        fill_run(filling, kind, length);
        filling->from += stored;
        filling->from_bytes = (uint16_t)(filling->from_bytes - stored);
    }
    return LOAD_OK;
}

static enum load_error fill(const struct program *program, uint8_t *objects, uint8_t *data)
{
    const ARCH_FLASH struct container_header *header = program->header;
    struct filling filling = {
        .from = program->code + header->constants_bytes + header->code_bytes,
        .from_bytes = header->initial_bytes,
    };
    enum load_error error = fill_block(&filling, objects, header->object_bytes);
    if (error == LOAD_OK) {
        error = fill_block(&filling, data, header->data_bytes);
    }
    return error == LOAD_OK && filling.from_bytes > 0 ? LOAD_INITIAL : error;
}

enum load_error program_fill(const struct program *program)
{
    return fill(program, program->objects, program->data);
}

enum load_error program_check(const struct program *program)
{
    return program_rows_are_sound(program) ? fill(program, 0, 0) : LOAD_ADDRESS;
}
