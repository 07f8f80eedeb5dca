/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A store for tests, in RAM that a reset does not clear: of each part it keeps which object of
 * `object.h` its bytes are of, and gives wrong bytes if they were of none. */
#include "service/dissemination/store.h"

#include <stdbool.h>
#include <string.h>

#include "../object.h"

enum {
    PART = 100,
    PAGES = 33,
    BYTES = PAGES * STORE_PAGE,
    HEAD = BYTES - STORE_PAGE,
    NONE = 0,
    WRONG = 255,
};

#define KEPT __attribute__((section(".noinit")))

static KEPT uint8_t parts[HEAD / PART + 1];
static KEPT uint8_t head[12];

uint16_t dissemination_store_bytes(void)
{
    return BYTES;
}

static uint8_t byte_at(uint16_t offset)
{
    if (offset >= HEAD) {
        return offset < HEAD + sizeof(head) ? head[offset - HEAD] : 0xff;
    }
    uint8_t number = parts[offset / PART];
    return number == NONE ? 0xff : object_byte(number, offset);
}

uint16_t dissemination_store_read(uint16_t offset)
{
    return (uint16_t)(byte_at(offset) | byte_at((uint16_t)(offset + 1)) << 8);
}

int dissemination_store_erase(uint16_t offset)
{
    if (offset == HEAD) {
        memset(head, 0xff, sizeof(head));
    }
    for (uint16_t i = 0; i < sizeof(parts) && offset < HEAD; i++) {
        if ((i + 1) * PART > offset && i * PART < offset + STORE_PAGE) {
            parts[i] = NONE;
        }
    }
    return 0;
}

static bool is_of(uint8_t number, uint16_t offset, const uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        if (bytes[i] != object_byte(number, (uint16_t)(offset + i))) {
            return false;
        }
    }
    return true;
}

int dissemination_store_add(uint16_t offset, const uint8_t *bytes, uint8_t count)
{
    uint8_t number = 1;

    if (offset >= HEAD) {
        memcpy(head + (offset - HEAD), bytes, count);
        return 0;
    }
    while (number < WRONG && !is_of(number, offset, bytes, count)) {
        number++;
    }
    parts[offset / PART] = number;
    return 0;
}
