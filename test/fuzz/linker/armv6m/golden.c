/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Containers by hand. The program lies at 0xc124, its objects at 0x20001234, its data at
 * 0x20005678; call n is at 0x201 + 0x3a2 n. */
#include "../linker.h"

#define STREAM(...)  .length = sizeof((uint8_t[]){__VA_ARGS__}), .stream = {__VA_ARGS__}
#define PROGRAM(...) .halfwords = sizeof((uint16_t[]){__VA_ARGS__}) / 2, .program = {__VA_ARGS__}

const struct golden golden[] = {
    {.what = "nothing"},
    {"a literal", .code = 2, STREAM(0x01, 0x34, 0x12), PROGRAM(0x1234)},
    {"literals of several sections", .constants = 2, .code = 2, .initial = 2,
     STREAM(0x03, 1, 0, 2, 0, 3, 0), PROGRAM(1, 2, 3)},
    {"bl back", .code = 8, STREAM(0x22, 1, 0, 2, 0, 0, 0xf0, 0, 0xf8),
     PROGRAM(1, 2, 0xf7f4, 0xf86a)}, /* from 0xc12c to 0x200: -0xbf2c */
    {"bl forward", .code = 4, STREAM(0x20, 0x4e, 0xf0, 0, 0xf8),
     PROGRAM(0xf005, 0xfe1a)}, /* from 0xc128 to 0x11d5c: 0x5c34 */
    {"a function of the program", .constants = 4, STREAM(0x40, 3, 0, 0, 0), PROGRAM(0xc127, 0)},
    {"the first object", .constants = 4, .objects = 4, STREAM(0x40, 5, 0, 0, 0),
     PROGRAM(0x1234, 0x2000)},
    {"behind the data", .code = 4, .objects = 4, .data = 4, STREAM(0x40, 14, 0, 0, 0),
     PROGRAM(0x567c, 0x2000)},
    {"a pointer to a call", .constants = 4, STREAM(0x60, 1, 0, 0, 0), PROGRAM(0x05a3, 0)},
    {"a base", .constants = 8,
     STREAM(0xe0, 0x42, 0xff, 0xff, 0, 0, 0, 0, 0xe0, 0x62, 1, 0x80, 0, 0, 0, 0),
     PROGRAM(0x1233, 0x2000, 0xd679, 0x1fff)},
    {"a word in initial values", .initial = 6, STREAM(0x41, 6, 0, 1, 0, 0, 0),
     PROGRAM(6, 0xc125, 0)},

    {"a call that is not declared", .code = 4, STREAM(0x20, 0x70, 0xf0), .error = LOAD_CALL},
    {"no call", .code = 4, STREAM(0x20, 0x1f, 0xf0), .error = LOAD_CALL},
    {"not the number of a call", .constants = 4, STREAM(0x60, 0, 1), .error = LOAD_CALL},
    {"bl: another instruction", .code = 4, STREAM(0x20, 0, 0xf1), .error = LOAD_FIELD},
    {"bl: its second half", .code = 4, STREAM(0x20, 0, 0xf0, 0, 0xd0), PROGRAM(0xf7f4),
     .error = LOAD_FIELD},
    {"bl in constants", .constants = 4, STREAM(0x20), .error = LOAD_FIELD},
    {"bl in initial values", .initial = 4, STREAM(0x20), .error = LOAD_FIELD},
    {"a word that is not aligned", .code = 6, STREAM(0x41, 1, 0), PROGRAM(1), .error = LOAD_FIELD},
    {"a word with a base is there", .constants = 4, STREAM(0xe0, 0x22, 0, 0, 1, 0),
     .error = LOAD_FIELD},
    {"a number of more than 16 bits", .constants = 4, STREAM(0x40, 0, 0, 1, 0), PROGRAM(0xc124),
     .error = LOAD_FIELD},
    {"outside", .constants = 4, .data = 4, STREAM(0x40, 11, 0), .error = LOAD_ADDRESS},
    {"far behind", .constants = 4, STREAM(0x40, 0xff, 0xff), .error = LOAD_ADDRESS},
    {"too many literals", .constants = 2, STREAM(0x02, 0, 0), PROGRAM(0), .error = LOAD_TOKEN},
    {"the most that a token says, of which there is one", .constants = 2,
     STREAM(0x1f, 0xe0, 0xff, 0x01, 0, 0), PROGRAM(0), .error = LOAD_TOKEN},
    {"one more than a token says", .constants = 2, STREAM(0x1f, 0xe1, 0xff, 0x01, 0, 0),
     .error = LOAD_TOKEN},
    {"a field over an edge", .constants = 2, .code = 4, .initial = 2, STREAM(0x42, 1, 0, 2, 0),
     PROGRAM(1, 2), .error = LOAD_TOKEN},
    {"kind 4", .constants = 4, STREAM(0x80), .error = LOAD_TOKEN},
    {"kind 4 behind an escape", .constants = 4, STREAM(0xe0, 0x04), .error = LOAD_TOKEN},
    {"a call with a base", .constants = 4, STREAM(0xe0, 0x23), .error = LOAD_TOKEN},
    {"cut short", .constants = 4, STREAM(0x02, 1, 0, 2), PROGRAM(1), .error = LOAD_LENGTH},
};

const size_t golden_count = sizeof(golden) / sizeof(golden[0]);
