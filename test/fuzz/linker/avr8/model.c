/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The fields of AVR, as the instruction set's manual writes them. */
#include "../linker.h"

const struct blocks places = {.code = 0x4120, .objects = 0x0421, .data = 0x0733};

const struct model_machine model_machine = {
    .machine = 2,
    .rows = {12, 4, 6, 8, 2, 4},
    .aligned = {2, 1, 1},
};

/* An even address below 64 KB. */
uintptr_t call_address(uint8_t id)
{
    return (id & 0xf) == CALL_NONE ? 0 : 0x200 + id * 0xb2u;
}

struct model_kind model_kind_of(unsigned kind)
{
    static const struct model_kind kinds[] = {
        [1] = {2, .is_call = true, .where = IN_CODE},                 /* CALL */
        [2] = {2, .is_function = true, .last = 3, .where = IN_CODE},  /* JUMP */
        [3] = {1, .last = 0, .where = IN_CODE | IN_DATA},             /* WORD */
        [4] = {2, .last = 1, .where = IN_CODE},                       /* LDI */
        [5] = {2, .last = 2, .where = IN_CODE},                       /* SUBI */
        [6] = {1, .is_function = true, .last = 3, .where = IN_DATA},  /* FUNCTION_WORD */
        [8] = {2, .is_function = true, .last = 3, .where = IN_CODE},  /* FUNCTION_LDI */
        [9] = {1, .last = 1, .where = IN_CODE},                       /* LOW */
        [10] = {1, .last = 1, .where = IN_CODE},                      /* HIGH */
        [11] = {1, .last = 2, .where = IN_CODE},                      /* SUBI_LOW */
        [12] = {1, .last = 2, .where = IN_CODE},                      /* SBCI_HIGH */
        [13] = {1, .is_function = true, .last = 3, .where = IN_CODE}, /* FUNCTION_LOW */
        [14] = {1, .is_function = true, .last = 3, .where = IN_CODE}, /* FUNCTION_HIGH */
        [15] = {1, .is_call = true, .where = IN_DATA},                /* CALL_WORD */
        [16] = {2, .is_call = true, .where = IN_CODE},                /* CALL_LDI */
        [17] = {1, .last = 1, .where = IN_CODE},                      /* CPI_LOW */
        [18] = {2, .last = 2, .where = IN_CODE},                      /* MINUS */
        [19] = {2, .is_function = true, .last = 3, .where = IN_CODE}, /* FUNCTION_SUBI */
        [20] = {2, .is_function = true, .last = 3, .where = IN_CODE}, /* FUNCTION_MINUS */
    };
    return kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : (struct model_kind){0};
}

static bool is_access(uint16_t halfword)
{
    return (halfword & 0xfc0f) == 0x9000; /* lds, sts */
}

static bool is_jump(uint16_t halfword)
{
    return (halfword & 0xfe0c) == 0x940c; /* jmp, call */
}

/* Reads the code from its beginning. */
bool model_fits(unsigned kind, enum model_place where, const uint16_t *program, size_t at,
                size_t code)
{
    if (where != IN_CODE) {
        return true;
    }
    size_t instruction = code, last = at;
    while (instruction < at) {
        last = instruction;
        instruction += is_access(program[instruction]) || is_jump(program[instruction]) ? 2 : 1;
    }
    bool is_inside = instruction != at;
    return kind == 3 ? is_inside && is_access(program[last]) : !is_inside;
}

static bool set_immediate(uint16_t opcode, unsigned byte, uint16_t *halfword)
{
    bool was_empty = (*halfword & 0xff0f) == opcode;
    *halfword |= (uint16_t)(byte % 16 + byte / 16 * 256);
    return was_empty;
}

bool model_set(unsigned kind, uint64_t value, size_t at, unsigned index, uint16_t *halfword)
{
    enum { LDI = 0xe000, SUBI = 0x5000, SBCI = 0x4000, CPI = 0x3000 };
    unsigned address = value & 0xffff, words = address / 2, less = -address & 0xffff;
    (void)at;

    switch (kind) {
    case 1:
    case 2:
        if (index == 0) {
            return *halfword == 0x940e || *halfword == 0x940c;
        }
        break;
    case 3:
        words = address;
        break;
    case 4:
        return set_immediate(LDI, index == 0 ? address % 256 : address / 256, halfword);
    case 5:
        return set_immediate(index == 0 ? SUBI : SBCI, index == 0 ? less % 256 : less / 256,
                             halfword);
    case 8:
    case 16:
        return set_immediate(LDI, index == 0 ? words % 256 : words / 256, halfword);
    case 9:
        return set_immediate(LDI, address % 256, halfword);
    case 10:
        return set_immediate(LDI, address / 256, halfword);
    case 11:
        return set_immediate(SUBI, less % 256, halfword);
    case 12:
        return set_immediate(SBCI, less / 256, halfword);
    case 13:
        return set_immediate(LDI, words % 256, halfword);
    case 14:
        return set_immediate(LDI, words / 256, halfword);
    case 17:
        return set_immediate(CPI, address % 256, halfword);
    case 18:
        return set_immediate(index == 0 ? SUBI : SBCI, index == 0 ? address % 256 : address / 256,
                             halfword);
    case 19:
        words = -words & 0xffff;
        return set_immediate(index == 0 ? SUBI : SBCI, index == 0 ? words % 256 : words / 256,
                             halfword);
    case 20:
        return set_immediate(index == 0 ? SUBI : SBCI, index == 0 ? words % 256 : words / 256,
                             halfword);
    default:
        break;
    }
    bool was_empty = *halfword == 0;
    *halfword = (uint16_t)words;
    return was_empty;
}

/* -------- pieces of programs */

static void set_empty(struct piece *piece)
{
    static const uint16_t empty[][2] = {
        [1] = {0x940e, 0},       [2] = {0x940c, 0},       [4] = {0xe000, 0xe000},
        [5] = {0x5000, 0x4000},  [8] = {0xe000, 0xe000},  [9] = {0xe000},
        [10] = {0xe000},         [11] = {0x5000},         [12] = {0x4000},
        [13] = {0xe000},         [14] = {0xe000},         [15] = {0},
        [16] = {0xe000, 0xe000}, [17] = {0x3000},         [18] = {0x5000, 0x4000},
        [19] = {0x5000, 0x4000}, [20] = {0x5000, 0x4000},
    };
    for (unsigned index = 0; index < piece->halfwords; index++) {
        uint16_t halfword = empty[piece->kind][index];
        if ((halfword != 0 && halfword < 0x9000) || halfword == 0xe000) {
            halfword |= (uint16_t)(any(16) << 4); /* a register */
        } else if (halfword > 0x9000) {
            halfword ^= any(2) ? 2 : 0; /* `call` or `jmp` */
        }
        piece->halfword[index] = halfword;
    }
}

/* An instruction without a field, or an access with one. */
static void make_plain(size_t left, struct piece *piece)
{
    uint16_t halfword = (uint16_t)any(0x10000);
    if (any(3) == 0) {
        halfword = any(2) ? 0x9000 | (uint16_t)(any(32) << 4) : 0x9200 | (uint16_t)(any(32) << 4);
    }
    *piece = (struct piece){.halfwords = 1, .halfword = {halfword, (uint16_t)any(0x10000)}};
    if (is_jump(halfword) || is_access(halfword)) {
        piece->halfwords = 2;
        if (left < 2) {
            piece->halfwords = 1;
            piece->halfword[0] = 0;
        }
    }
}

void generate_piece(enum model_place where, size_t at, size_t left, struct piece *piece)
{
    static const uint8_t in_data[] = {3, 6, 15},
                         in_code[] = {1, 2, 4, 5, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20};
    (void)at;
    make_plain(where == IN_CODE ? left : 1, piece);
    if (where == IN_DATA) {
        piece->halfwords = 1;
        if (any(4) == 0) {
            *piece = (struct piece){.kind = in_data[any(sizeof(in_data))], .halfwords = 1};
        }
        return;
    }
    if (piece->halfwords == 2 && is_access(piece->halfword[0]) && any(4) != 0) {
        piece->kind = 3; /* the second halfword */
        piece->halfword[1] = 0;
        return;
    }
    if (any(3) == 0) {
        struct piece field = {.kind = in_code[any(sizeof(in_code))]};
        field.halfwords = model_kind_of(field.kind).halfwords;
        if (field.halfwords <= left) {
            *piece = field;
            set_empty(piece);
        }
    }
}
