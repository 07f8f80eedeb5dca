/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A container by hand, what is linked, and a stream to be measured
 * (linker/samr21/container_of_chip.h has the names). */
#ifndef CONTAINER_OF_CHIP_H
#define CONTAINER_OF_CHIP_H

#include "load/avr8/fields.h"

enum {
    CODE_AT = 0x4120,
    OBJECTS_AT = 0x0421,
    DATA_AT = 0x0733,
    CALL_AT = 0x0200,
    CALL_BYTES = 0xb2,

    BROKEN_AT = 54, /* in the container: the second half of `ldi` */
    BROKEN_BYTE = 0x40,
};

static const uint8_t container[] = {
    0x4c, 0xf0, 1,    2,    0,    36, 1, 0,   0, 0, /* header */
    4,    0,    18,   0,    2,    0,  4, 0,   0, 0, 3, 0,    0,
    0,    0,    0,    0,    0,    1,  0, 'x', 1, 3, 1, 0x34, 0x12, /* name, groups */
    0xc0, 4,    0,                /* a pointer to the first function */
    0x60, 25,   0,                /* a pointer to the first object */
    0x84, 0x0e, 0x94, 0x10, 0,    /* call */
    0x80, 0x91, 30,   1,          /* lds */
    0x8e, 0xe1, 0x90, 0xe0,       /* ldi, ldi */
    0xa0, 0x8e, 0x51, 0x90, 0x40, /* subi, sbci */
    0x61, 0x08, 0x95,             /* ret */
    33,   0,                      /* an initial value: behind the last byte of data */
};

static const uint16_t linked[] = {
    0x2092, 0x0421, 0x940e, 0x0690, 0x9180, 0x0733, 0xe383, 0xe097, 0x5c8d, 0x4f98, 0x9508, 0x0736,
};

/* 42 halfwords with 8 references, as often as they are in app/ssf: lds and sts, calls, jumps, and
 * addresses in registers, which have tokens. */
static const uint8_t measured[] = {
    0x94, 1, 2, 3, 4, 5, 6,    7,    8,    0x80, 0x91, 0x26, 0x0a, /* lds */
    1,    2, 3, 4, 5, 6, 0x0e, 0x94, 0x10, 0,                      /* call */
    1,    2, 3, 4, 5, 6, 7,    8,    0x0e, 0x94, 0x20, 0x03,       /* program */
    1,    2, 3, 4, 5, 6, 0x86, 0xe2, 0x99, 0xe0,                   /* ldi */
    0x92, 1, 2, 3, 4, 5, 6,    0x80, 0x93, 0x28, 0x0a,             /* sts */
    1,    2, 3, 4, 5, 6, 0x0c, 0x94, 0x30, 0x03,                   /* jmp */
    1,    2, 3, 4, 5, 6, 0x80, 0x93, 0x26, 0x0a,                   /* sts */
    1,    2, 3, 4, 5, 6, 0x86, 0xe2, 0x99, 0xe0,                   /* ldi */
};

enum {
    MEASURED_TIMES = 21, /* 1,764 bytes of code */
    MEASURED_CODE = 84,
    MEASURED_CONSTANTS = 512,
    LINK_CYCLES = 118000,
    LINKER_BYTES = 38,
};

#endif
