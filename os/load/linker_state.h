/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the linker keeps between two pieces, and what a machine's part of it (fields.h) uses. */
#ifndef LOAD_LINKER_STATE_H
#define LOAD_LINKER_STATE_H

#include "load/linker.h"

/* Parts of the flash block, in their order. */
enum linker_section {
    SECTION_CONSTANTS,
    SECTION_CODE,
    SECTION_INITIAL,
    SECTIONS,
};

/* Blocks of a program, in the order of their addresses. */
enum linker_block {
    BLOCK_FLASH,
    BLOCK_OBJECTS, /* and stacks */
    BLOCK_DATA,
    BLOCKS,
};

struct linker {
    uint8_t state;     /* what the next byte is: linker.c */
    uint8_t low;       /* the first byte of a halfword */
    bool has_low;      /* it has come */
    uint8_t follows;   /* the next halfword of code is the second of an instruction: fields.h */
    uint8_t section;   /* enum linker_section, of the next halfword */
    uint8_t field;     /* of the token: fields.h; 0: none */
    uint8_t base;      /* of the operand: enum linker_block; BLOCKS: none */
    uint8_t digits;    /* bytes of a number of literals that have come */
    bool has_value;    /* the token had an operand; the field holds 0 */
    bool is_flash;     /* `value` is in the flash block, or a call */
    uint16_t first;    /* halfword of a field of two */
    uint16_t run;      /* literals before the next step, all in one section */
    uint16_t literals; /* of the token, behind these */
    uint16_t left;     /* halfwords of the section behind these */
    uint16_t later[SECTIONS - 1]; /* halfwords of the sections behind it */
    uint16_t bytes[BLOCKS];
    uintptr_t begin[BLOCKS];
    uintptr_t value;   /* an address */
    uintptr_t operand; /* that of the token, if it has one: literals have some of their own */
};

/* Sets `value` to the address of a number on the line. */
enum load_error linker_find(struct linker *linker, uint16_t line);

/* The same by the number of a call. */
enum load_error linker_find_call(struct linker *linker, uint16_t number);

#endif
