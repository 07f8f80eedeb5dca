/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A container by hand, what is linked, and a stream to be measured. The same names for every chip.
 */
#ifndef CONTAINER_OF_CHIP_H
#define CONTAINER_OF_CHIP_H

#include "load/armv6m/fields.h"

enum {
    CODE_AT = 0xc124,
    OBJECTS_AT = 0x20001234,
    DATA_AT = 0x20005678,
    CALL_AT = 0x0201,
    CALL_BYTES = 0x3a2,

    BROKEN_AT = 45, /* in the container: the second half of `bl` */
    BROKEN_BYTE = 0xd0,
};

static const uint8_t container[] = {
    0x4c, 0xf0, 1,    1,    0,    36, 1, 0,   0, 0, /* header */
    4,    0,    16,   0,    4,    0,  8, 0,   0, 0, 4, 0,    0,
    0,    0,    0,    0,    0,    1,  0, 'x', 1, 3, 1, 0x34, 0x12, /* name, groups */
    0x40, 5,    0,    0,    0,    /* a pointer to the first function */
    0x20, 0x10, 0xf0, 0x00, 0xf8, /* bl */
    0x42, 0x70, 0x47, 0xc0, 0x46, /* bx lr; nop */
    25,   0,    0,    0,          /* a pointer to the first object */
    0x60, 0x11, 0,    0,    0,    /* a pointer to a call */
    0x40, 38,   0,    0,    0,    /* an initial value: behind the last byte of data */
};

static const uint16_t linked[] = {
    0xc129, 0x0000, 0xf7f7, 0xfd7a, 0x4770, 0x46c0, 0x1234, 0x2000, 0x3fc3, 0x0000, 0x567c, 0x2000,
};

/* 42 halfwords with 8 references, as often as they are in app/ssf. */
static const uint8_t measured[] = {
    0x23, 1,    2,    3, 4,    5,    6,    0x10, 0xf0, 0,    0xf8,                      /* bl */
    0x45, 1,    2,    3, 4,    5,    6,    7,    8,    9,    10,   0x26, 0x09, 0,    0, /* a word */
    0x20, 0x11, 0xf0, 0, 0xf8,                                                          /* bl */
    0x42, 1,    2,    3, 4,    0x28, 0x09, 0,    0,                                     /* a word */
    0x44, 1,    2,    3, 4,    5,    6,    7,    8,    0x26, 0x09, 0,    0,             /* a word */
    0x26, 1,    2,    3, 4,    5,    6,    7,    8,    9,    10,   11,   12,   0x12, 0xf0,
    0,    0xf8,                                                             /* bl */
    0x44, 1,    2,    3, 4,    5,    6,    7,    8,    0x20, 0x03, 0,    0, /* a word */
    0x22, 1,    2,    3, 4,    0x13, 0xf0, 0,    0xf8,                      /* bl */
};

enum {
    MEASURED_TIMES = 21, /* 1,764 bytes of code */
    MEASURED_CODE = 84,
    MEASURED_CONSTANTS = 512,
    LINK_CYCLES = 153000,
    LINKER_BYTES = 48,
};

#endif
