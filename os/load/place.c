/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/place.h"

#include <lichen/arch.h>

#include "load/arena.h"

static uint32_t round_up(uint32_t bytes)
{
    return (bytes + (PLACE_ALIGN - 1u)) / PLACE_ALIGN * PLACE_ALIGN;
}

/* Up to the stacks. */
static uint32_t front_bytes(uint16_t object_bytes)
{
    return round_up((uint32_t)sizeof(struct loaded) + object_bytes);
}

enum load_error place_sizes(const struct container_header *header, struct directory_row *row)
{
    const uint32_t flash = (uint32_t)header->header_bytes + header->constants_bytes +
                           header->code_bytes + header->initial_bytes;
    const uint32_t low = front_bytes(header->object_bytes) + header->stack_bytes;

    if (flash > UINT16_MAX - CODE_PAGE) {
        return LOAD_FLASH_FULL;
    }
    if (low > INT16_MAX || header->data_bytes > INT16_MAX) {
        return LOAD_RAM_FULL;
    }
    row->bytes = (uint16_t)flash;
    row->low_bytes = (uint16_t)low;
    row->data_bytes = header->data_bytes;
    return LOAD_OK;
}

void place_blocks(const struct container_header *header, const struct directory_row *row,
                  struct blocks *blocks)
{
    const uintptr_t arena = (uintptr_t)arena_begin;

    blocks->code = directory_address(row) + header->header_bytes;
    blocks->objects = arena + row->low + front_bytes(header->object_bytes) - header->object_bytes;
    blocks->data = arena + row->data;
}

static void read_header(const struct directory_row *row, struct container_header *header)
{
    uint16_t *halfwords = (uint16_t *)(void *)header;

    for (uint8_t i = 0; i < sizeof(*header) / 2; i++) {
        halfwords[i] = code_read(directory_address(row) + i * 2u);
    }
}

void place_program(uint8_t index, const struct directory_row *row, struct program *program)
{
    struct container_header header;
    struct blocks blocks;

    read_header(row, &header);
    place_blocks(&header, row, &blocks);
    *program = (struct program){
        .header = (const ARCH_FLASH struct container_header *)(uintptr_t)directory_address(row),
        .code = (const ARCH_FLASH uint8_t *)(uintptr_t)blocks.code,
        .objects = (uint8_t *)blocks.objects,
        .data = (uint8_t *)blocks.data,
        .slot = index,
    };
}

struct loaded *place_loaded(uint8_t index, const struct directory_row *row)
{
    struct loaded *loaded = (struct loaded *)(void *)(arena_begin + row->low);

    place_program(index, row, &loaded->program);
    return loaded;
}
