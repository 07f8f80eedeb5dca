/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/place.h"

#include <stddef.h>

#include <lichen/arch.h>

#include "load/arena.h"

/* So that the sum of two, and what lies in front, has 16 bits. */
enum {
    RAM_MAX = INT16_MAX - 64,
};

_Static_assert(sizeof(struct loaded) + PLACE_ALIGN <= 64, "RAM_MAX");

/* Up to the stacks: at most half of what addresses reach, as all pieces of RAM. */
static uint16_t front_bytes(uint16_t object_bytes)
{
    return (uint16_t)(sizeof(struct loaded) + object_bytes + (PLACE_ALIGN - 1u)) & -PLACE_ALIGN;
}

/* The sum of lengths of a header that was checked has 16 bits. */
enum load_error place_sizes(const struct container_header *header, struct directory_row *row)
{
    const uint16_t flash = (uint16_t)(header->header_bytes + header->constants_bytes +
                                      header->code_bytes + header->initial_bytes);

    if (flash > UINT16_MAX - CODE_PAGE) {
        return LOAD_FLASH_FULL;
    }
    if (header->object_bytes > RAM_MAX || header->stack_bytes > RAM_MAX ||
        header->data_bytes > RAM_MAX) {
        return LOAD_RAM_FULL;
    }
    row->bytes = flash;
    row->low_bytes = (uint16_t)(front_bytes(header->object_bytes) + header->stack_bytes);
    row->data_bytes = header->data_bytes;
    return LOAD_OK;
}

void place_blocks(uint8_t header_bytes, uint16_t object_bytes, const struct directory_row *row,
                  struct blocks *blocks)
{
    const uintptr_t arena = (uintptr_t)arena_begin;

    blocks->code = directory_address(row) + header_bytes;
    blocks->objects = arena + row->low + front_bytes(object_bytes) - object_bytes;
    blocks->data = arena + row->data;
}

void place_program(uint8_t index, const struct directory_row *row, struct program *program)
{
    const uint8_t header_bytes =
        (uint8_t)(directory_read_program(row, offsetof(struct container_header, flags)) >> 8);
    struct blocks blocks;

    place_blocks(header_bytes,
                 directory_read_program(row, offsetof(struct container_header, object_bytes)), row,
                 &blocks);
    program->header = (const ARCH_FLASH struct container_header *)(uintptr_t)directory_address(row);
    program->code = (const ARCH_FLASH uint8_t *)(uintptr_t)blocks.code;
    program->objects = (uint8_t *)blocks.objects;
    program->data = (uint8_t *)blocks.data;
    program->slot = index;
}

struct loaded *place_loaded(uint8_t index, const struct directory_row *row)
{
    struct loaded *loaded = (struct loaded *)(void *)(arena_begin + row->low);

    place_program(index, row, &loaded->program);
    return loaded;
}
