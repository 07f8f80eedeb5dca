/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ARMv6-M in containers: which fields there are, and where. Every machine has a header of this
 * name; that of AVR says what each name means.
 */
#ifndef LOAD_FIELDS_H
#define LOAD_FIELDS_H

#include "load/linker_state.h"

enum machine {
    MACHINE = CONTAINER_ARMV6M,

    MACHINE_THREAD_ROW = 20,
    MACHINE_RECEIVER_ROW = 8,
    MACHINE_MODULE_ROW = 12,
    MACHINE_COMMAND_ROW = 16,
    MACHINE_START_ROW = 4,
    MACHINE_MUTEX_ROW = 8,

    MACHINE_OBJECTS_ALIGN = 4,
    MACHINE_STACKS_ALIGN = 8,
    MACHINE_DATA_ALIGN = 4,

    MACHINE_KINDS = 4,
};

enum machine_shape {
    SHAPE_BL_FIRST,
    SHAPE_BL_SECOND,
    SHAPE_WORD_LOW,
    SHAPE_WORD_HIGH,

    SHAPE_MASK = 7,
    FIELD_WIDE = 1 << 3,
    FIELD_CALL = 1 << 4,
};

extern const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS];

static inline uint8_t fields_last(uint8_t field)
{
    (void)field;
    return 0;
}

static inline bool fields_is_long(const struct linker *linker, uint8_t high)
{
    (void)linker;
    (void)high;
    return false;
}

/* Constants lie among instructions: where those begin is not known. */
static inline void fields_follow(struct linker *linker)
{
    (void)linker;
}

static inline bool fields_value(struct linker *linker, bool is_flash)
{
    (void)linker;
    (void)is_flash;
    return true;
}

enum {
    BL_FIRST = 0xf000, /* of `bl` to the byte behind it */
    BL_SECOND = 0xf800,
    BL_BITS = 0x7ff,
    BL_FARTHEST = 0x400000, /* within this distance all bits above are its sign */
    PC_OFFSET = 4,
};

/* Bytes of the flash block in front of the field. */
static inline uint16_t fields_offset(const struct linker *linker)
{
    uint16_t halfwords = (uint16_t)(linker->left + linker->later[0] + linker->later[1]);
    return (uint16_t)(linker->bytes[BLOCK_FLASH] - 2 * halfwords);
}

static inline bool fields_begin(struct linker *linker)
{
    uint16_t offset = fields_offset(linker);

    if ((linker->field & SHAPE_MASK) == SHAPE_WORD_LOW) {
        return linker->section == SECTION_INITIAL || offset % 4 == 0;
    }
    linker->value -= linker->begin[BLOCK_FLASH] + offset + PC_OFFSET;
    return linker->section == SECTION_CODE &&
           (uint32_t)linker->value + BL_FARTHEST < 2u * BL_FARTHEST;
}

static inline bool fields_set(struct linker *linker)
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

#endif
