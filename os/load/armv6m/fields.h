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
    MACHINE_EVENT_ROW = 8,
    MACHINE_MUTEX_ROW = 8,

    MACHINE_OBJECTS_ALIGN = 4,
    MACHINE_STACKS_ALIGN = 8,
    MACHINE_DATA_ALIGN = 4,

    MACHINE_KINDS = 4,
};

enum machine_shape {
    SHAPE_BL = 1,
    SHAPE_WORD,

    SHAPE_MASK = 7,
    FIELD_WIDE = 1 << 3,
    FIELD_CALL = 1 << 4,
    FIELD_SECOND = 1 << 5, /* the first halfword has come */
};

extern const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS];

static inline bool fields_is_byte(uint8_t field)
{
    (void)field;
    return false;
}

/* Constants lie among instructions: where those begin is not known. */
static inline bool fields_is_long(uint8_t high)
{
    (void)high;
    return false;
}

static inline enum load_error fields_follow(struct linker *linker, uint16_t halfword)
{
    (void)linker;
    return linker_put(halfword);
}

static inline bool fields_value(struct linker *linker, uint8_t field)
{
    (void)linker;
    (void)field;
    return true;
}

bool fields_begin(const struct linker *linker);
enum load_error fields_take(struct linker *linker, uint16_t halfword);

#endif
