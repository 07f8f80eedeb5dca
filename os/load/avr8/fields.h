/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AVR in containers: which fields there are, and where. Every machine has a header of this name.
 *
 * A field is described by a byte: the shape of its first halfword, and what it refers to. A field
 * of two halfwords has the next shape in its second one, and all of them refer to 16 bits: `value`.
 */
#ifndef LOAD_FIELDS_H
#define LOAD_FIELDS_H

#include "load/linker_state.h"

enum machine {
    MACHINE = CONTAINER_AVR8,

    /* Sizes of tables' rows, as the compiler lays them out. */
    MACHINE_THREAD_ROW = 12,
    MACHINE_RECEIVER_ROW = 4,
    MACHINE_MODULE_ROW = 6,
    MACHINE_COMMAND_ROW = 8,
    MACHINE_START_ROW = 2,
    MACHINE_MUTEX_ROW = 4,

    /* What lengths are multiples of. */
    MACHINE_OBJECTS_ALIGN = 2,
    MACHINE_STACKS_ALIGN = 1,
    MACHINE_DATA_ALIGN = 1,

    MACHINE_KINDS = 21,
};

enum machine_shape {
    SHAPE_CALL, /* first word of `call`, `jmp` */
    SHAPE_WORD,
    SHAPE_LDI_LOW,
    SHAPE_LDI_HIGH,
    SHAPE_SUBI_LOW, /* of the negated address, as the next one */
    SHAPE_SBCI_HIGH,

    SHAPE_MASK = 7,
    FIELD_WIDE = 1 << 3,  /* two halfwords */
    FIELD_CALL = 1 << 4,  /* a call of the system */
    FIELD_WORDS = 1 << 5, /* a function: its address counts words */
    FIELD_OTHER = 1 << 6, /* `cpi` in place of `ldi`; of `subi` and `sbci`, the address itself */
};

/* Fields by kind; 0: there is no such kind. */
extern const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS];

/* Values of linker.follows. */
enum {
    FOLLOWS_TARGET = 1,  /* of `call` or `jmp` */
    FOLLOWS_ADDRESS = 2, /* of `lds` or `sts` */
};

/* Which last address a field's operand counts from. */
static inline uint8_t fields_last(uint8_t field)
{
    return field & FIELD_WORDS ? 3 : (field & SHAPE_MASK) >> 1;
}

/* Whether a halfword may be one of an instruction of two. Most are not.
 * high      its second byte
 */
static inline bool fields_is_long(const struct linker *linker, uint8_t high)
{
    return linker->follows != 0 || (high & 0xf8) == 0x90;
}

/* Notes where instructions begin, by the halfword of `low` and `high`. In other sections it notes
 * nothing of use. */
static inline void fields_follow(struct linker *linker)
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

/* Makes of `value`, an address in bytes, what the field holds.
 * is_flash  it lies in the flash block, or is a call
 * returns   false: the field cannot have such an address
 */
static inline bool fields_value(struct linker *linker, bool is_flash)
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

/* Whether the field may begin here. */
static inline bool fields_begin(struct linker *linker)
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
static inline uint8_t fields_opcode(uint8_t field)
{
    if ((field & SHAPE_MASK) >= SHAPE_SUBI_LOW) {
        return field & 1 ? 0x40 : 0x50;
    }
    return field & FIELD_OTHER ? 0x30 : 0xe0;
}

/* Sets the field's part in that halfword. Behind the field, an instruction begins.
 * returns   false: it is not the instruction that the token claims
 */
static inline bool fields_set(struct linker *linker)
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
    return (low & 0x0f) == 0 && high == fields_opcode(field);
}

#endif
