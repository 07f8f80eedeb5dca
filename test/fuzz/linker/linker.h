/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the parts of this program share: a container's bytes, and what becomes of them. */
#ifndef FUZZ_LINKER_LINKER_H
#define FUZZ_LINKER_LINKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/linker.h"

enum {
    CONTAINER_MAX = 4096, /* bytes of a container here */
    PROGRAM_MAX = 1024,   /* halfwords */
    GROUP_ABSENT = 13,    /* the image has all other groups below 16 */
    CALL_NONE = 0xf,      /* the last call of each group is none */
    CALL_GROUP_BITS = 4,  /* a call's group is in its upper four bits */
};

/* Where the program is linked to. */
extern const struct blocks places;

/* What an image has. */
uint16_t group_fingerprint(uint8_t group);
uintptr_t call_address(uint8_t id);

/* What becomes of a container. */
struct outcome {
    enum load_error error;
    size_t used; /* bytes; the last one completed the program, or is why it is refused */
    size_t halfwords;
    uint16_t program[PROGRAM_MAX];
};

/* By os/load; and by the model, which has the whole container before it begins. */
void link_stream(const uint8_t *bytes, size_t length, struct outcome *outcome);
void model_stream(const uint8_t *bytes, size_t length, struct outcome *outcome);

/* -------- the model's part that is of one machine */

enum model_place {
    IN_CODE = 1,
    IN_DATA = 2, /* constants and initial values */
};

struct model_kind {
    uint8_t halfwords; /* 0: there is no such kind */
    bool is_call;
    bool is_function; /* an even address in flash */
    bool is_byte;     /* it has an operand */
    uint8_t where;    /* enum model_place */
};

/* Rows of threads, receivers, modules, commands, starts and mutexes; multiples of objects, stacks
 * and data. */
struct model_machine {
    uint8_t machine;
    uint8_t rows[7];
    uint8_t aligned[3];
};

extern const struct model_machine model_machine;
struct model_kind model_kind_of(unsigned kind);

/* What follows what is linked, in code. */
enum model_behind {
    AN_INSTRUCTION,
    AN_ADDRESS, /* of an instruction of two halfwords */
    A_FUNCTION,
};

/* Reads the program on from an instruction.
 * instruction  set to the last one that does not end before `at`
 */
enum model_behind model_behind(const uint16_t *program, size_t *instruction, size_t at);

/* Whether an instruction may begin so. */
bool model_may_begin(uint16_t halfword);

/* Whether a field may begin there.
 * at        of the program, halfwords; SIZE_MAX: in initial values
 */
bool model_fits(unsigned kind, bool has_base, enum model_place where, enum model_behind behind,
                size_t at);

/* The number in a field. `count` of its halfwords have come.
 * returns   -1: it is not the instruction
 */
int32_t model_held(unsigned kind, unsigned count, const uint16_t *field);

/* Sets that number, from 0. */
void model_hold(unsigned kind, unsigned number, uint16_t *field);

/* Sets the address.
 * returns   false: it cannot
 */
bool model_set(unsigned kind, uint64_t value, size_t at, uint16_t *field);

/* How many halfwords of a field come before the first of them is put. */
unsigned model_wait(unsigned kind);

/* -------- containers */

void generate_begin(uint32_t seed);
uint32_t any(uint32_t below);

/* Makes a container.
 * returns   its length
 */
size_t generate(uint8_t *bytes);

/* A number on its line; the number of a call that it declares. */
unsigned generate_line(bool is_function);
unsigned generate_call(void);

/* The part of it that is of one machine: halfwords with a field, or an instruction.
 * kind      of the field; 0: none
 * has_base  it needs one
 */
struct piece {
    unsigned kind;
    unsigned halfwords;
    bool has_base;
    uint16_t halfword[2];
};

void generate_piece(enum model_place where, size_t at, size_t left, struct piece *piece);

/* -------- containers by hand */

/* A container by hand: behind a header with these lengths, what comes and what becomes of it. */
struct golden {
    const char *what;
    uint16_t constants, code, initial, objects, data;
    uint8_t length;
    uint8_t halfwords;
    uint8_t stream[24];
    uint16_t program[12];
    enum load_error error;
};

extern const struct golden golden[];
extern const size_t golden_count;

/* One that the packer made, and what its reference linker makes of it. */
extern const uint8_t packed[];
extern const size_t packed_bytes;
extern const uint16_t packed_program[];
extern const size_t packed_halfwords;

void check_golden(void);

#endif
