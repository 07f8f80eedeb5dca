/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "machine.h"

const ARCH_FLASH uint8_t machine_fields[MACHINE_KINDS] = {
    [1] = SHAPE_CALL | FIELD_WIDE | FIELD_CALL | FIELD_WORDS,
    [2] = SHAPE_CALL | FIELD_WIDE | FIELD_WORDS,
    [3] = SHAPE_WORD,
    [4] = SHAPE_LDI_LOW | FIELD_WIDE,
    [5] = SHAPE_SUBI_LOW | FIELD_WIDE,
    [6] = SHAPE_WORD | FIELD_WORDS,
    [8] = SHAPE_LDI_LOW | FIELD_WIDE | FIELD_WORDS,
    [9] = SHAPE_LDI_LOW,
    [10] = SHAPE_LDI_HIGH,
    [11] = SHAPE_SUBI_LOW,
    [12] = SHAPE_SBCI_HIGH,
    [13] = SHAPE_LDI_LOW | FIELD_WORDS,
    [14] = SHAPE_LDI_HIGH | FIELD_WORDS,
    [15] = SHAPE_WORD | FIELD_CALL | FIELD_WORDS,
    [16] = SHAPE_LDI_LOW | FIELD_WIDE | FIELD_CALL | FIELD_WORDS,
    [17] = SHAPE_LDI_LOW | FIELD_OTHER,
    [18] = SHAPE_SUBI_LOW | FIELD_WIDE | FIELD_OTHER,
    [19] = SHAPE_SUBI_LOW | FIELD_WIDE | FIELD_WORDS,
    [20] = SHAPE_SUBI_LOW | FIELD_WIDE | FIELD_WORDS | FIELD_OTHER,
};

void machine_follow(struct linker *linker)
{
    uint8_t low = linker->low, high = linker->high, follows = 0;

    if (linker->follows == 0) {
        if ((high & 0xfc) == 0x90 && (low & 0x0f) == 0) {
            follows = FOLLOWS_ADDRESS;
        } else if ((high & 0xfe) == 0x94 && (low & 0x0c) == 0x0c) {
            follows = FOLLOWS_TARGET;
        }
    }
    linker->follows = follows;
}

bool machine_value(struct linker *linker, bool is_flash)
{
    uint8_t field = linker->field;
    uint16_t value = (uint16_t)linker->value;

    if (field & FIELD_WORDS) {
        if (!is_flash || (value & 1) != 0) {
            return false;
        }
        value >>= 1;
    }
    if ((field & SHAPE_MASK) >= SHAPE_SUBI_LOW && !(field & FIELD_OTHER)) {
        value = (uint16_t)-value;
    }
    linker->value = value;
    return true;
}

bool machine_begin(struct linker *linker)
{
    uint8_t field = linker->field;
    bool is_word = (field & SHAPE_MASK) == SHAPE_WORD;

    if (linker->section != SECTION_CODE) {
        return is_word;
    }
    /* The address of `lds` and `sts`; or an instruction, from its beginning. */
    return is_word ? field == SHAPE_WORD && linker->follows == FOLLOWS_ADDRESS
                   : linker->follows == 0;
}

/* The high byte of an instruction with a register and a byte. */
static uint8_t opcode_of(uint8_t field)
{
    if ((field & SHAPE_MASK) >= SHAPE_SUBI_LOW) {
        return field & 1 ? 0x40 : 0x50;
    }
    return field & FIELD_OTHER ? 0x30 : 0xe0;
}

bool machine_set(struct linker *linker)
{
    uint8_t field = linker->field, shape = field & SHAPE_MASK;
    uint8_t low = linker->low, high = linker->high;
    uint16_t value = (uint16_t)linker->value;

    linker->follows = 0;
    if (shape == SHAPE_CALL) {
        return (low & ~2u) == 0x0c && high == 0x94;
    }
    if (shape == SHAPE_WORD) {
        linker->low = (uint8_t)value;
        linker->high = (uint8_t)(value >> 8);
        return (low | high) == 0;
    }
    uint8_t byte = (uint8_t)(shape & 1 ? value >> 8 : value);
    linker->low = low | (byte & 0x0f);
    linker->high = high | byte >> 4;
    return (low & 0x0f) == 0 && high == opcode_of(field);
}
