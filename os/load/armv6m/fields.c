/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fields.h"

enum {
    BL_FIRST = 0xf000, /* of `bl` to the byte behind it; the call's number is in its low byte */
    BL_SECOND = 0xf800,
    BL_NUMBER = 0xff,
    BL_BITS = 0x7ff,
    BL_FARTHEST = 0x400000, /* within this distance all bits above are its sign */
    PC_OFFSET = 4,
};

const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS] = {
    [1] = SHAPE_BL | FIELD_WIDE | FIELD_CALL,
    [2] = SHAPE_WORD | FIELD_WIDE,
    [3] = SHAPE_WORD | FIELD_WIDE | FIELD_CALL,
};

/* Bytes of the flash block in front of what is left of it. */
static uint16_t offset(const struct linker *linker)
{
    uint16_t halfwords = (uint16_t)(linker->left + linker->later[0] + linker->later[1]);
    return (uint16_t)(linker->bytes[BLOCK_FLASH] - 2 * halfwords);
}

bool fields_begin(const struct linker *linker)
{
    if ((linker->field & SHAPE_MASK) == SHAPE_WORD) {
        return linker->section == SECTION_INITIAL || offset(linker) % 4 == 0;
    }
    return linker->section == SECTION_CODE;
}

/* `value` by what the field holds. */
static enum load_error find(struct linker *linker, uint16_t held)
{
    if (linker->has_value) {
        linker->value = linker->operand;
        return held == 0 ? LOAD_OK : LOAD_FIELD;
    }
    return linker->field & FIELD_CALL ? linker_find_call(linker, held) : linker_find(linker, held);
}

/* The field is behind `offset` now. */
static enum load_error put_bl(struct linker *linker, uint16_t first)
{
    if ((first & ~BL_NUMBER) != BL_FIRST) {
        return LOAD_FIELD;
    }
    enum load_error error = find(linker, first & BL_NUMBER);

    if (error != LOAD_OK) {
        return error;
    }
    linker->value -= linker->begin[BLOCK_FLASH] + offset(linker) - 4u + PC_OFFSET;
    if ((uint32_t)linker->value + BL_FARTHEST >= 2u * BL_FARTHEST) {
        return LOAD_FIELD;
    }
    return linker_put((uint16_t)(BL_FIRST | (linker->value >> 12 & BL_BITS)));
}

static enum load_error put_word(struct linker *linker, uint16_t held)
{
    enum load_error error = find(linker, held);
    return error != LOAD_OK ? error : linker_put((uint16_t)linker->value);
}

enum load_error fields_take(struct linker *linker, uint16_t halfword)
{
    uint8_t field = linker->field;
    bool is_bl = (field & SHAPE_MASK) == SHAPE_BL;

    if ((field & FIELD_SECOND) == 0) {
        linker->field = field | FIELD_SECOND;
        return is_bl ? put_bl(linker, halfword) : put_word(linker, halfword);
    }
    linker->field = 0;
    if (is_bl) {
        return halfword != BL_SECOND
                   ? LOAD_FIELD
                   : linker_put((uint16_t)(BL_SECOND | (linker->value >> 1 & BL_BITS)));
    }
    return halfword != 0 ? LOAD_FIELD : linker_put((uint16_t)(linker->value >> 16));
}
