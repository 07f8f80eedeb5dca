/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the linker keeps between two bytes. Its fields are the linker's own. */
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

enum {
    LINKER_LASTS = 4, /* last addresses: of words, `ldi`, `subi` and functions on AVR */
};

struct linker {
    uint8_t state; /* what the next byte is: linker.c */
    uint8_t low;   /* the bytes of a halfword; the first one of a distance */
    uint8_t high;
    uint8_t follows;   /* the next halfword of code is the second of an instruction: fields.h */
    uint8_t section;   /* enum linker_section, of the next halfword */
    uint8_t field;     /* of the token: fields.h; 0: none */
    uint8_t base;      /* of the operand: enum linker_block */
    uint8_t digits;    /* bytes of a number that have come */
    uint8_t is_odd;    /* bit 0 of that number */
    uint16_t number;   /* the bits above it */
    uint8_t run;       /* literals before the next step, all in one section */
    uint16_t literals; /* of the token, behind these */
    uint16_t left;     /* halfwords of the section behind these */
    uint16_t later[SECTIONS - 1]; /* halfwords of the sections behind it */
    uint16_t last[LINKER_LASTS];
    uint16_t bytes[BLOCKS];
    uintptr_t begin[BLOCKS];
    uintptr_t value; /* what the field is set to */
};

#endif
