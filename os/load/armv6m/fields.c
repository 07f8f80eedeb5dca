/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "machine.h"

const ARCH_FLASH uint8_t machine_fields[MACHINE_KINDS] = {
    [1] = SHAPE_BL_FIRST | FIELD_WIDE | FIELD_CALL,
    [2] = SHAPE_WORD_LOW | FIELD_WIDE,
    [3] = SHAPE_WORD_LOW | FIELD_WIDE | FIELD_CALL,
};

enum {
    BL_FIRST = 0xf000, /* of `bl` to the byte behind it */
    BL_SECOND = 0xf800,
    BL_BITS = 0x7ff,
    BL_FARTHEST = 0x400000, /* within this distance all bits above are its sign */
    PC_OFFSET = 4,
};

/* Bytes of the flash block in front of the field. */
static uint16_t field_offset(const struct linker *linker)
{
    uint16_t halfwords = (uint16_t)(linker->left + linker->later[0] + linker->later[1]);
    return (uint16_t)(linker->bytes[BLOCK_FLASH] - 2 * halfwords);
}

bool machine_begin(struct linker *linker)
{
    uint16_t offset = field_offset(linker);

    if ((linker->field & SHAPE_MASK) == SHAPE_WORD_LOW) {
        return linker->section == SECTION_INITIAL || offset % 4 == 0;
    }
    linker->value -= linker->begin[BLOCK_FLASH] + offset + PC_OFFSET;
    return linker->section == SECTION_CODE &&
           (uint32_t)linker->value + BL_FARTHEST < 2u * BL_FARTHEST;
}

bool machine_set(struct linker *linker)
{
    uint8_t shape = linker->field & SHAPE_MASK;
    uint32_t value = (uint32_t)linker->value;
    uint16_t empty = 0, field = (uint16_t)value;

    if (shape == SHAPE_BL_FIRST) {
        empty = BL_FIRST;
        field = (uint16_t)(BL_FIRST | (value >> 12 & BL_BITS));
    } else if (shape == SHAPE_BL_SECOND) {
        empty = BL_SECOND;
        field = (uint16_t)(BL_SECOND | (value >> 1 & BL_BITS));
    } else if (shape == SHAPE_WORD_HIGH) {
        field = (uint16_t)(value >> 16);
    }
    bool was_empty = (linker->low | linker->high << 8) == empty;
    linker->low = (uint8_t)field;
    linker->high = (uint8_t)(field >> 8);
    return was_empty;
}
