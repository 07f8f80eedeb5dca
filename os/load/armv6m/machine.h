/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ARMv6-M in containers: which fields there are, and where. Every machine has a header of this
 * name; that of AVR says what each name means.
 */
#ifndef LOAD_MACHINE_H
#define LOAD_MACHINE_H

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

extern const ARCH_FLASH uint8_t machine_fields[MACHINE_KINDS];

static inline uint8_t machine_last(uint8_t field)
{
    (void)field;
    return 0;
}

static inline bool machine_is_long(const struct linker *linker, uint8_t high)
{
    (void)linker;
    (void)high;
    return false;
}

/* Constants lie among instructions: where those begin is not known. */
static inline void machine_follow(struct linker *linker)
{
    (void)linker;
}

static inline bool machine_value(struct linker *linker, bool is_flash)
{
    (void)linker;
    (void)is_flash;
    return true;
}

bool machine_begin(struct linker *linker);

bool machine_set(struct linker *linker);

#endif
