/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The fields of AVR, as the instruction set's manual writes them. */
#include "../linker.h"

const struct blocks places = {.code = 0x4120, .objects = 0x0421, .data = 0x0733};

const struct model_machine model_machine = {
    .machine = 2,
    .rows = {12, 4, 6, 8, 2, 4, 4},
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
        [1] = {2, .is_function = true, .where = IN_CODE},                   /* FUNCTION_LDI */
        [2] = {1, .is_call = true, .where = IN_DATA},                       /* CALL_WORD */
        [3] = {1, .where = IN_CODE | IN_DATA},                              /* WORD */
        [4] = {2, .where = IN_CODE},                                        /* LDI */
        [5] = {2, .where = IN_CODE},                                        /* SUBI */
        [6] = {1, .is_function = true, .where = IN_CODE | IN_DATA},         /* FUNCTION_WORD */
        [9] = {1, .is_byte = true, .where = IN_CODE},                       /* LOW */
        [10] = {1, .is_byte = true, .where = IN_CODE},                      /* HIGH */
        [11] = {1, .is_byte = true, .where = IN_CODE},                      /* SUBI_LOW */
        [12] = {1, .is_byte = true, .where = IN_CODE},                      /* SBCI_HIGH */
        [13] = {1, .is_function = true, .is_byte = true, .where = IN_CODE}, /* FUNCTION_LOW */
        [14] = {1, .is_function = true, .is_byte = true, .where = IN_CODE}, /* FUNCTION_HIGH */
        [16] = {2, .is_call = true, .where = IN_CODE},                      /* CALL_LDI */
        [17] = {1, .is_byte = true, .where = IN_CODE},                      /* CPI_LOW */
        [18] = {2, .where = IN_CODE},                                       /* MINUS */
        [19] = {2, .is_function = true, .where = IN_CODE},                  /* FUNCTION_SUBI */
        [20] = {2, .is_function = true, .where = IN_CODE},                  /* FUNCTION_MINUS */
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

bool model_may_begin(uint16_t halfword)
{
    return !is_jump(halfword) || halfword == 0x940c || halfword == 0x940e;
}

enum model_behind model_behind(const uint16_t *program, size_t *instruction, size_t at)
{
    while (*instruction < at) {
        uint16_t first = program[*instruction];
        size_t end = *instruction + (is_access(first) || is_jump(first) ? 2 : 1);
        if (end > at) {
            return is_access(first) ? AN_ADDRESS : A_FUNCTION;
        }
        *instruction = end;
    }
    return AN_INSTRUCTION;
}

bool model_fits(unsigned kind, bool has_base, enum model_place where, enum model_behind behind,
                size_t at)
{
    (void)at;
    if (where != IN_CODE) {
        return true;
    }
    if (kind == 3 || kind == 6) {
        return has_base && behind == (kind == 3 ? AN_ADDRESS : A_FUNCTION);
    }
    return behind == AN_INSTRUCTION;
}

/* Instructions, without register and byte; 0: a word. */
static const uint16_t empty[][2] = {
    [1] = {0xe000, 0xe000},
    [2] = {0},
    [3] = {0},
    [4] = {0xe000, 0xe000},
    [5] = {0x5000, 0x4000},
    [6] = {0},
    [9] = {0xe000},
    [10] = {0xe000},
    [11] = {0x5000},
    [12] = {0x4000},
    [13] = {0xe000},
    [14] = {0xe000},
    [16] = {0xe000, 0xe000},
    [17] = {0x3000},
    [18] = {0x5000, 0x4000},
    [19] = {0x5000, 0x4000},
    [20] = {0x5000, 0x4000},
};

int32_t model_held(unsigned kind, unsigned count, const uint16_t *field)
{
    int32_t held = 0;
    if (empty[kind][0] == 0) {
        return field[0];
    }
    for (unsigned index = 0; index < count; index++) {
        if (field[index] / 0x1000 != empty[kind][index] / 0x1000) {
            return -1;
        }
        held |= (int32_t)(field[index] % 16 + field[index] / 256 % 16 * 16) << 8 * index;
    }
    return held;
}

static void set_byte(unsigned byte, uint16_t *halfword)
{
    *halfword &= 0xf0f0;
    *halfword |= (uint16_t)(byte % 16 + byte / 16 % 16 * 256);
}

void model_hold(unsigned kind, unsigned number, uint16_t *field)
{
    if (empty[kind][0] == 0) {
        field[0] = (uint16_t)number;
    } else {
        set_byte(number % 256, &field[0]);
        set_byte(number / 256, &field[1]);
    }
}

unsigned model_wait(unsigned kind)
{
    return model_kind_of(kind).halfwords;
}

bool model_set(unsigned kind, uint64_t value, size_t at, uint16_t *field)
{
    struct model_kind known = model_kind_of(kind);
    unsigned number = value & 0xffff;
    (void)at;

    if (known.is_function || known.is_call) {
        number /= 2;
    }
    if (kind == 5 || kind == 11 || kind == 12 || kind == 19) {
        number = -number & 0xffff;
    }
    if (kind == 10 || kind == 12 || kind == 14) {
        number /= 256;
    }
    model_hold(kind, number, field);
    return true;
}

/* -------- pieces of programs */

/* Its field with any register. */
static void make_field(unsigned kind, struct piece *piece)
{
    *piece = (struct piece){.kind = kind, .halfwords = model_kind_of(kind).halfwords};
    for (unsigned index = 0; index < piece->halfwords; index++) {
        uint16_t first = empty[kind][index];
        piece->halfword[index] = first != 0 ? first | (uint16_t)(any(16) << 4) : 0;
    }
}

static void make_instruction(struct piece *piece)
{
    do {
        piece->halfword[0] = (uint16_t)any(0x10000);
    } while (is_jump(piece->halfword[0]) || is_access(piece->halfword[0]));
    piece->halfwords = 1;
}

/* `call` or `jmp`, `lds` or `sts`. */
static void make_long(struct piece *piece)
{
    bool is_function = any(2) == 0;
    unsigned line = generate_line(is_function) + 256;

    piece->halfwords = 2;
    piece->halfword[0] = is_function ? 0x940c | (uint16_t)(any(2) * 2)
                                     : 0x9000 | (uint16_t)(any(2) * 512 + any(32) * 16);
    piece->halfword[1] = (uint16_t)line;
    if (any(3) == 0) {
        piece->halfword[1] = (uint16_t)(is_function ? generate_call() : any(256));
    } else if (any(8) == 0) {
        piece->kind = is_function ? 6 : 3; /* the second halfword */
        piece->has_base = true;
        piece->halfword[1] = 0;
    }
}

void generate_piece(enum model_place where, size_t at, size_t left, struct piece *piece)
{
    static const uint8_t in_data[] = {2, 3, 6},
                         in_code[] = {1, 4, 5, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20};
    (void)at;
    *piece = (struct piece){0};
    if (where == IN_DATA) {
        piece->halfwords = 1;
        piece->halfword[0] = (uint16_t)any(0x10000);
        if (any(4) == 0) {
            make_field(in_data[any(sizeof(in_data))], piece);
        }
        return;
    }
    unsigned kind = in_code[any(sizeof(in_code))];
    if (any(4) == 0 && left >= 2) {
        make_long(piece);
    } else if (any(3) == 0 && model_kind_of(kind).halfwords <= left) {
        make_field(kind, piece);
    } else {
        make_instruction(piece);
    }
}
