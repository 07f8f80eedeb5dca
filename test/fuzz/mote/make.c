/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Makes containers of literals. */
#include "mote.h"

#include <string.h>

#include "../host/host.h"
#include "base/crc32.h"

static void put(struct mote_container *container, const void *bytes, uint16_t count)
{
    require(container->count + count <= MOTE_CONTAINER_MAX);
    memcpy(container->bytes + container->count, bytes, count);
    container->count += count;
}

static void put_block(struct mote_container *container, const void *bytes, uint16_t count)
{
    memcpy(container->block + container->block_bytes, bytes, count);
    container->block_bytes += count;
    put(container, bytes, count);
}

static uint8_t letter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint8_t)(*state >> 24);
}

void mote_make(struct mote_container *container)
{
    const uint8_t name_bytes = (uint8_t)strlen(container->name);
    const uint16_t behind = sizeof(struct container_header) + name_bytes;
    const struct container_header header = {
        .magic = CONTAINER_MAGIC,
        .format = CONTAINER_FORMAT,
        .machine = CONTAINER_ARMV6M,
        .flags = CONTAINER_HAS_MAC,
        .header_bytes = (uint8_t)((behind + 3u) / 4 * 4),
        .version = container->version,
        .confirm_s = container->confirm_s,
        .constants_bytes = container->constants_bytes,
        .code_bytes = container->code_bytes,
        .object_bytes = container->object_bytes,
        .stack_bytes = container->stack_bytes,
        .data_bytes = container->data_bytes,
        .name_bytes = name_bytes,
    };
    uint32_t state = container->seed;
    uint16_t left = (container->constants_bytes + container->code_bytes) / 2;

    container->count = container->block_bytes = 0;
    put_block(container, &header, sizeof(header));
    put_block(container, container->name, name_bytes);
    put_block(container, "\0\0\0", (uint16_t)(header.header_bytes - behind));
    while (left > 0) {
        uint8_t halfwords = (uint8_t)(left < 30 ? left : 30);

        put(container, &halfwords, 1); /* a token of kind 0 */
        for (uint8_t i = 0; i < halfwords; i++) {
            const uint8_t bytes[2] = {letter(&state), letter(&state)};

            put_block(container, bytes, 2);
        }
        left -= halfwords;
    }
    uint32_t crc = CRC32_BEGIN;

    for (uint16_t i = 0; i < container->count; i++) {
        crc = crc32_add(crc, container->bytes[i]);
    }
    crc = crc32_end(crc);
    put(container, &crc, sizeof(crc));
    put(container, (uint8_t[CONTAINER_MAC_BYTES]){0}, CONTAINER_MAC_BYTES);
}
