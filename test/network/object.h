/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bytes of the objects that tests disseminate: another row for each number. */
#ifndef OBJECT_H
#define OBJECT_H

#include <stdint.h>

static inline uint8_t object_byte(uint16_t number, uint16_t offset)
{
    uint16_t mixed = (uint16_t)(offset * 40503u + number * 30011u);

    return (uint8_t)(mixed >> 8 ^ mixed);
}

#endif
