/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fields.h"

enum {
    INSTRUCTION_LINE = 0x100, /* where the line begins in instructions of two halfwords */
};

const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS] = {
    [1] = SHAPE_LDI_LOW | FIELD_WIDE | FIELD_WORDS,
    [2] = SHAPE_WORD | FIELD_CALL | FIELD_WORDS,
    [3] = SHAPE_WORD,
    [4] = SHAPE_LDI_LOW | FIELD_WIDE,
    [5] = SHAPE_SUBI_LOW | FIELD_WIDE,
    [6] = SHAPE_WORD | FIELD_WORDS,
    [9] = SHAPE_LDI_LOW,
    [10] = SHAPE_LDI_HIGH,
    [11] = SHAPE_SUBI_LOW,
    [12] = SHAPE_SBCI_HIGH,
    [13] = SHAPE_LDI_LOW | FIELD_WORDS,
    [14] = SHAPE_LDI_HIGH | FIELD_WORDS,
    [16] = SHAPE_LDI_LOW | FIELD_WIDE | FIELD_CALL | FIELD_WORDS,
    [17] = SHAPE_LDI_LOW | FIELD_OTHER,
    [18] = SHAPE_SUBI_LOW | FIELD_WIDE | FIELD_OTHER,
    [19] = SHAPE_SUBI_LOW | FIELD_WIDE | FIELD_WORDS,
    [20] = SHAPE_SUBI_LOW | FIELD_WIDE | FIELD_WORDS | FIELD_OTHER,
};

bool fields_value(struct linker *linker, uint8_t field)
{
    uint16_t value = (uint16_t)linker->value;

    if (field & FIELD_WORDS) {
        if (!linker->is_flash || (value & 1) != 0) {
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

/* -------- instructions of two halfwords */

static enum load_error put_first(struct linker *linker, uint16_t halfword)
{
    linker->follows = 0;
    if ((halfword & 0xfc0f) == 0x9000) {
        linker->follows = FOLLOWS_ADDRESS;
    } else if ((halfword & 0xfe0c) == 0x940c) {
        linker->follows = FOLLOWS_TARGET;
        if ((halfword & 0x01f1) != 0) {
            return LOAD_FIELD; /* beyond the first 128 KB */
        }
    }
    return linker_put(halfword);
}

enum load_error fields_follow(struct linker *linker, uint16_t halfword)
{
    uint8_t follows = linker->follows;
    bool is_system = halfword < INSTRUCTION_LINE;
    enum load_error error;

    if (follows == 0) {
        return put_first(linker, halfword);
    }
    linker->follows = 0;
    if (!is_system) {
        error = linker_find(linker, (uint16_t)(halfword - INSTRUCTION_LINE));
    } else if (follows == FOLLOWS_TARGET) {
        error = linker_find_call(linker, halfword);
    } else {
        return linker_put(halfword);
    }
    uint8_t field = follows == FOLLOWS_TARGET ? SHAPE_WORD | FIELD_WORDS : SHAPE_WORD;
    if (error == LOAD_OK && !fields_value(linker, field)) {
        error = LOAD_ADDRESS;
    }
    return error != LOAD_OK ? error : linker_put((uint16_t)linker->value);
}

/* -------- fields */

bool fields_begin(const struct linker *linker)
{
    uint8_t field = linker->field;
    bool is_word = (field & SHAPE_MASK) == SHAPE_WORD;

    if (linker->section != SECTION_CODE) {
        return is_word;
    }
    if (!is_word) {
        return linker->follows == 0;
    }
    /* The address of an instruction of two halfwords, outside the blocks. */
    return linker->has_value &&
           linker->follows == (field & FIELD_WORDS ? FOLLOWS_TARGET : FOLLOWS_ADDRESS);
}

/* The high half of the high byte of an instruction with a register and a byte. */
static uint8_t opcode(uint8_t field)
{
    if ((field & SHAPE_MASK) >= SHAPE_SUBI_LOW) {
        return field & 1 ? 0x40 : 0x50;
    }
    return field & FIELD_OTHER ? 0x30 : 0xe0;
}

static uint8_t byte_of(uint16_t halfword)
{
    return (uint8_t)((halfword >> 4 & 0xf0) | (halfword & 0x0f));
}

/* That of `value` which its shape is for. */
static enum load_error put_byte(const struct linker *linker, uint8_t shape, uint16_t halfword)
{
    uint8_t byte = (uint8_t)(shape & 1 ? linker->value >> 8 : linker->value);
    uint8_t low = (uint8_t)((halfword & 0xf0) | (byte & 0x0f));
    uint8_t high = (uint8_t)((halfword >> 8 & 0xf0) | byte >> 4);

    return linker_put((uint16_t)(low | high << 8));
}

/* `value` by what the field holds. */
static enum load_error find(struct linker *linker, uint16_t held)
{
    if (linker->has_value) {
        linker->value = linker->operand;
        return held == 0 ? LOAD_OK : LOAD_FIELD;
    }
    enum load_error error =
        linker->field & FIELD_CALL ? linker_find_call(linker, held) : linker_find(linker, held);
    if (error == LOAD_OK && !fields_value(linker, linker->field)) {
        error = LOAD_ADDRESS;
    }
    return error;
}

/* A field of two instructions: what the first one becomes depends on the second one too. */
static enum load_error put_pair(struct linker *linker, uint8_t shape, uint16_t second)
{
    uint16_t first = linker->first;
    enum load_error error = find(linker, (uint16_t)(byte_of(first) | byte_of(second) << 8));

    if (error == LOAD_OK) {
        error = put_byte(linker, shape - 1u, first);
    }
    return error != LOAD_OK ? error : put_byte(linker, shape, second);
}

static enum load_error take_word(struct linker *linker, uint16_t halfword)
{
    enum load_error error = find(linker, halfword);

    linker->field = 0;
    return error != LOAD_OK ? error : linker_put((uint16_t)linker->value);
}

enum load_error fields_take(struct linker *linker, uint16_t halfword)
{
    uint8_t field = linker->field, shape = field & SHAPE_MASK;
    enum load_error error;

    linker->follows = 0;
    if (shape == SHAPE_WORD) {
        return take_word(linker, halfword);
    }
    if ((halfword >> 8 & 0xf0) != opcode(field)) {
        return LOAD_FIELD;
    }
    if (field & FIELD_WIDE) {
        linker->first = halfword;
        linker->field = (uint8_t)(field - FIELD_WIDE + FIELD_SECOND + 1);
        return LOAD_OK;
    }
    if (field & FIELD_SECOND) {
        error = put_pair(linker, shape, halfword);
    } else {
        error = find(linker, byte_of(halfword));
        error = error == LOAD_OK ? put_byte(linker, shape, halfword) : error;
    }
    linker->field = 0;
    return error;
}
