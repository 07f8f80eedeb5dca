/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AVR in containers: which fields there are, and where. Every machine has a header of this name.
 *
 * A field is described by a byte: the shape of its first halfword, and what it refers to. All of
 * them hold, and refer to, 16 bits. Instructions of two halfwords are followed without tokens.
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
    MACHINE_EVENT_ROW = 4,
    MACHINE_MUTEX_ROW = 4,

    /* What lengths are multiples of. */
    MACHINE_OBJECTS_ALIGN = 2,
    MACHINE_STACKS_ALIGN = 1,
    MACHINE_DATA_ALIGN = 1,

    MACHINE_KINDS = 21,
};

enum machine_shape {
    SHAPE_WORD = 1,
    SHAPE_LDI_LOW,
    SHAPE_LDI_HIGH,
    SHAPE_SUBI_LOW, /* of the negated address, as the next one */
    SHAPE_SBCI_HIGH,

    SHAPE_MASK = 7,
    FIELD_WIDE = 1 << 3,   /* two halfwords: the next shape is in the second one */
    FIELD_CALL = 1 << 4,   /* a call of the system */
    FIELD_WORDS = 1 << 5,  /* a function: its address counts words */
    FIELD_OTHER = 1 << 6,  /* `cpi` in place of `ldi`; of `subi` and `sbci`, the address itself */
    FIELD_SECOND = 1 << 7, /* of a field of two, the first halfword has come */
};

/* Fields by kind; 0: there is no such kind. */
extern const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS];

/* Values of linker.follows. */
enum {
    FOLLOWS_TARGET = 1,  /* of `call` or `jmp` */
    FOLLOWS_ADDRESS = 2, /* of `lds` or `sts` */
};

/* Whether a halfword may be the first one of an instruction of two. Most are not.
 * high      its second byte
 */
static inline bool fields_is_long(uint8_t high)
{
    return (high & 0xf8) == 0x90;
}

/* Whether a field is a single byte of an address. */
static inline bool fields_is_byte(uint8_t field)
{
    return (field & FIELD_WIDE) == 0 && (field & SHAPE_MASK) != SHAPE_WORD;
}

/* A halfword of code that is no field: one that may be the first one of an instruction of two, or
 * is the second one. Puts what it becomes.
 */
enum load_error fields_follow(struct linker *linker, uint16_t halfword);

/* Makes of `value`, an address in bytes, what the field holds.
 * returns   false: it cannot have such an address
 */
bool fields_value(struct linker *linker, uint8_t field);

/* Whether the field may begin here. */
bool fields_begin(const struct linker *linker);

/* Takes a halfword of the field, and puts what it becomes. Behind the last one, linker.field is 0.
 */
enum load_error fields_take(struct linker *linker, uint16_t halfword);

#endif
