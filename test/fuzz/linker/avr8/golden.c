/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Containers by hand. The program lies at 0x4120, its objects at 0x0421, its data at 0x0733; call n
 * is at 0x200 + 0xb2 n. */
#include "../linker.h"

#define STREAM(...)  .length = sizeof((uint8_t[]){__VA_ARGS__}), .stream = {__VA_ARGS__}
#define PROGRAM(...) .halfwords = sizeof((uint16_t[]){__VA_ARGS__}) / 2, .program = {__VA_ARGS__}

const struct golden golden[] = {
    {.what = "nothing"},
    {"a literal", .code = 2, STREAM(0x01, 0x34, 0x12), PROGRAM(0x1234)},
    {"an empty token", .code = 2, STREAM(0x00, 0x01, 0x34, 0x12), PROGRAM(0x1234)},
    {"literals of several sections", .constants = 2, .code = 2, .initial = 2,
     STREAM(0x03, 1, 0, 2, 0, 3, 0), PROGRAM(1, 2, 3)},
    {"call", .code = 8, STREAM(0x21, 0x10, 0xaa, 0xbb, 0x0e, 0x94, 0, 0, 0x01, 0x08, 0x95),
     PROGRAM(0xbbaa, 0x940e, 0x0690, 0x9508)}, /* 0x0d20 */
    {"jmp", .code = 4, STREAM(0x20, 0x01, 0x0c, 0x94, 0, 0), PROGRAM(0x940c, 0x0159)},
    {"call of the program", .code = 6, STREAM(0x41, 0x08, 0, 0, 0x0e, 0x94, 0, 0),
     PROGRAM(0, 0x940e, 0x2092)}, /* 4 bytes on */
    {"lds of the first object", .code = 4, .objects = 4, STREAM(0x61, 0x0a, 0x80, 0x91, 0, 0),
     PROGRAM(0x9180, 0x0421)},
    {"sts behind the last byte of data", .code = 4, .objects = 4, .data = 3,
     STREAM(0x61, 0x1a, 0x80, 0x93, 0, 0), PROGRAM(0x9380, 0x0736)},
    {"words, forward and back", .constants = 4, .data = 9,
     STREAM(0x60, 0x0c, 0, 0, 0x60, 0x03, 0, 0), PROGRAM(0x0733, 0x4124)},
    {"ldi", .code = 4, .data = 1, STREAM(0x80, 0x0c, 0x80, 0xe0, 0x90, 0xe0),
     PROGRAM(0xe383, 0xe097)},
    {"subi, sbci", .code = 4, .data = 1, STREAM(0xa0, 0x0c, 0x80, 0x50, 0x90, 0x40),
     PROGRAM(0x5c8d, 0x4f98)}, /* -0x0733 is 0xf8cd */
    {"a pointer to a function", .initial = 2, STREAM(0xc0, 0x04, 0, 0), PROGRAM(0x2091)},
    {"ldi of a function", .code = 4, STREAM(0xe0, 0x08, 0x04, 0xe0, 0xe0, 0xf0, 0xe0),
     PROGRAM(0xe9e1, 0xe2f0)},
    {"LOW and HIGH", .code = 4, STREAM(0xe0, 0x09, 0x04, 0x80, 0xe0, 0xe0, 0x0a, 0x00, 0x90, 0xe0),
     PROGRAM(0xe282, 0xe491)},
    {"SUBI_LOW and SBCI_HIGH", .code = 4,
     STREAM(0xe0, 0x0b, 0x04, 0x80, 0x50, 0xe0, 0x0c, 0x00, 0x90, 0x40),
     PROGRAM(0x5d8e, 0x4b9e)}, /* -0x4122 is 0xbede */
    {"FUNCTION_LOW and FUNCTION_HIGH", .code = 4,
     STREAM(0xe0, 0x0d, 0x04, 0x80, 0xe0, 0xe0, 0x0e, 0x00, 0x90, 0xe0), PROGRAM(0xe981, 0xe290)},
    {"a pointer to a call", .constants = 2, STREAM(0xe0, 0x0f, 0x02, 0, 0), PROGRAM(0x01b2)},
    {"ldi of a call", .code = 4, STREAM(0xe0, 0x10, 0x02, 0x80, 0xe0, 0x90, 0xe0),
     PROGRAM(0xeb82, 0xe091)},
    {"a base", .constants = 6,
     STREAM(0xe0, 0x23, 0xfe, 0xff, 0, 0, 0xe0, 0x43, 1, 0x10, 0, 0, 0xe0, 0x63, 0, 0x80, 0, 0),
     PROGRAM(0x411e, 0x1422, 0x8733)},
    {"last addresses are apart", .constants = 2, .code = 4,
     STREAM(0x60, 0x02, 0, 0, 0x80, 0x02, 0x80, 0xe0, 0x90, 0xe0), PROGRAM(0x4121, 0xe281, 0xe491)},

    {"a call that is not declared", .code = 4, STREAM(0x20, 0x70), .error = LOAD_CALL},
    {"no call", .code = 4, STREAM(0x20, 0x1f), .error = LOAD_CALL},
    {"call: another instruction", .code = 4, STREAM(0x20, 0, 0x0f, 0x94), .error = LOAD_FIELD},
    {"call: an address is there", .code = 4, STREAM(0x20, 0, 0x0e, 0x94, 1, 0), PROGRAM(0x940e),
     .error = LOAD_FIELD},
    {"call in constants", .constants = 4, STREAM(0x20, 0), .error = LOAD_FIELD},
    {"call in an instruction", .code = 8, STREAM(0x21, 0, 0x0e, 0x94), PROGRAM(0x940e),
     .error = LOAD_FIELD},
    {"lds: another instruction", .code = 4, STREAM(0x61, 0, 0x81, 0x91), PROGRAM(0x9181),
     .error = LOAD_FIELD},
    {"lds: an operand looks like it", .code = 6, STREAM(0x62, 0, 0x0e, 0x94, 0x80, 0x91),
     PROGRAM(0x940e, 0x9180), .error = LOAD_FIELD},
    {"jmp: no address", .code = 6, STREAM(0x61, 0, 0x0c, 0x94), PROGRAM(0x940c),
     .error = LOAD_FIELD},
    {"constants are no instructions", .constants = 2, .code = 4,
     STREAM(0x41, 0, 0x0c, 0x94, 0x0c, 0x94, 0, 0), PROGRAM(0x940c, 0x940c, 0x2090)},
    {"ldi: a number is there", .code = 4, STREAM(0x80, 0, 0x81, 0xe0), .error = LOAD_FIELD},
    {"ldi: the second instruction", .code = 4, STREAM(0x80, 0, 0x80, 0xe0, 0x90, 0x40),
     PROGRAM(0xe280), .error = LOAD_FIELD},
    {"ldi: in front of the end", .code = 2, STREAM(0x80, 0), .error = LOAD_TOKEN},
    {"a word is there", .constants = 2, STREAM(0x60, 0, 0, 1), .error = LOAD_FIELD},
    {"an odd function", .constants = 2, STREAM(0xc0, 0x02), .error = LOAD_ADDRESS},
    {"a function in data", .constants = 2, .data = 3, STREAM(0xc0, 0x0c), .error = LOAD_ADDRESS},
    {"a function that is far", .constants = 2, STREAM(0xe0, 0x46, 0, 0), .error = LOAD_ADDRESS},
    {"FUNCTION_WORD in code", .code = 2, STREAM(0xc0, 0), .error = LOAD_FIELD},
    {"behind the data", .constants = 2, .data = 3, STREAM(0x60, 0x10), .error = LOAD_ADDRESS},
    {"in front of the program", .constants = 2, STREAM(0x60, 0x01), .error = LOAD_ADDRESS},
    {"far behind", .constants = 2, STREAM(0x60, 0xff, 0xff, 0x07), .error = LOAD_ADDRESS},
    {"too long an address", .constants = 2, STREAM(0x60, 0xff, 0xff, 0x08), .error = LOAD_TOKEN},
    {"too many literals", .constants = 2, STREAM(0x02, 0, 0), PROGRAM(0), .error = LOAD_TOKEN},
    {"far too many", .constants = 2, STREAM(0x1f, 0xfe, 0xff, 0x01), .error = LOAD_TOKEN},
    {"a field over an edge", .constants = 2, .code = 2, .initial = 2, STREAM(0x21, 0, 1, 0),
     PROGRAM(1), .error = LOAD_TOKEN},
    {"kind 17", .constants = 2, STREAM(0xe0, 0x11), .error = LOAD_TOKEN},
    {"kind 7 twice", .constants = 2, STREAM(0xe0, 0x07), .error = LOAD_TOKEN},
    {"a call with a base", .constants = 2, STREAM(0xe0, 0x2f), .error = LOAD_TOKEN},
    {"base 4", .constants = 2, STREAM(0xe0, 0x83), .error = LOAD_TOKEN},
    {"cut short", .constants = 4, STREAM(0x02, 1, 0, 2), PROGRAM(1), .error = LOAD_LENGTH},
};

const size_t golden_count = sizeof(golden) / sizeof(golden[0]);
