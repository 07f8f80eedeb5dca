/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The fields of ARMv6-M, as the architecture's manual writes them. */
#include "../linker.h"

const struct blocks places = {.code = 0xc124, .objects = 0x20001234, .data = 0x20005678};

const struct model_machine model_machine = {
    .machine = 1,
    .rows = {20, 8, 12, 16, 4, 8, 8},
    .aligned = {4, 8, 4},
};

/* Odd, in front of the program or behind it. */
uintptr_t call_address(uint8_t id)
{
    return (id & 0xf) == CALL_NONE ? 0 : 0x201 + id * 0x3a2u;
}

struct model_kind model_kind_of(unsigned kind)
{
    static const struct model_kind kinds[] = {
        [1] = {2, .is_call = true, .where = IN_CODE},           /* CALL */
        [2] = {2, .where = IN_CODE | IN_DATA},                  /* WORD */
        [3] = {2, .is_call = true, .where = IN_CODE | IN_DATA}, /* CALL_WORD */
    };
    return kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : (struct model_kind){0};
}

/* Constants lie in the code: it says nothing. */
enum model_behind model_behind(const uint16_t *program, size_t *instruction, size_t at)
{
    (void)program;
    (void)instruction;
    (void)at;
    return AN_INSTRUCTION;
}

bool model_may_begin(uint16_t halfword)
{
    (void)halfword;
    return true;
}

bool model_fits(unsigned kind, bool has_base, enum model_place where, enum model_behind behind,
                size_t at)
{
    (void)has_base;
    (void)where;
    (void)behind;
    return kind == 1 || at == SIZE_MAX || at % 2 == 0;
}

/* `bl` by its parts: the sign S, J1 and J2, which say in what bits 23 and 22 of the distance differ
 * from it, 10 bits and 11 bits. */
static uint16_t bl(int64_t distance, unsigned index)
{
    unsigned bits = (unsigned)(distance / 2) & 0xffffff;
    unsigned s = bits >> 23, i1 = bits >> 22 & 1, i2 = bits >> 21 & 1;
    unsigned j1 = i1 ^ s ^ 1, j2 = i2 ^ s ^ 1;
    return (uint16_t)(index == 0 ? 0xf000 + s * 0x400 + (bits >> 11 & 0x3ff)
                                 : 0xd000 + j1 * 0x2000 + j2 * 0x800 + (bits & 0x7ff));
}

int32_t model_held(unsigned kind, unsigned count, const uint16_t *field)
{
    uint16_t second = kind == 1 ? 0xf800 : 0;
    if ((count == 2 && field[1] != second) || (kind == 1 && field[0] / 256 != 0xf0)) {
        return -1;
    }
    return kind == 1 ? field[0] % 256 : field[0];
}

void model_hold(unsigned kind, unsigned number, uint16_t *field)
{
    (void)kind;
    field[0] += (uint16_t)number;
}

unsigned model_wait(unsigned kind)
{
    (void)kind;
    return 1;
}

bool model_set(unsigned kind, uint64_t value, size_t at, uint16_t *field)
{
    int64_t distance = (int64_t)(value - 1) - (int64_t)(places.code + 2 * at + 4);
    for (unsigned index = 0; index < 2; index++) {
        field[index] = kind == 1 ? bl(distance, index) : (uint16_t)(value >> 16 * index);
    }
    return true;
}

void generate_piece(enum model_place where, size_t at, size_t left, struct piece *piece)
{
    *piece = (struct piece){.halfwords = 1, .halfword = {(uint16_t)any(0x10000)}};
    if (left < 2 || any(3) != 0) {
        return;
    }
    unsigned kind = 1 + any(3);
    if (kind == 1 && where == IN_CODE) {
        *piece = (struct piece){.kind = 1, .halfwords = 2, .halfword = {0xf000, 0xf800}};
    } else if (kind != 1 && (at == SIZE_MAX || at % 2 == 0)) {
        *piece = (struct piece){.kind = kind, .halfwords = 2};
    }
}
