/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: a toy interpreter that computes primes.
 *
 * A switch in a loop, indirect branches, byte loads and division in software: code with little
 * regularity. Never ends; the length of the run is given in time. */

#include <stdint.h>

enum opcode { PUSH, LOAD, STORE, ADD, SUB, MOD, JUMP_IF_ZERO, JUMP_UNLESS_ZERO, EMIT, HALT };
enum variable { N, DIVISOR, VARIABLES };

#define LIMIT       60
#define STACK_WORDS 4

/* Completed rounds, for an observer. */
volatile uint32_t rounds;
/* Primes found in the latest round, 16 of them between 3 and LIMIT. */
volatile uint32_t result;

/* clang-format off */
static const uint8_t program[] = {
    /*  0 */ PUSH, 3, STORE, N,
    /*  4 */ PUSH, 2, STORE, DIVISOR,
    /*  8 */ LOAD, N, LOAD, DIVISOR, MOD, JUMP_IF_ZERO, 30,
    /* 15 */ LOAD, DIVISOR, PUSH, 1, ADD, STORE, DIVISOR,
    /* 22 */ LOAD, N, LOAD, DIVISOR, SUB, JUMP_UNLESS_ZERO, 8,
    /* 29 */ EMIT,
    /* 30 */ LOAD, N, PUSH, 1, ADD, STORE, N,
    /* 37 */ LOAD, N, PUSH, LIMIT, SUB, JUMP_UNLESS_ZERO, 4,
    /* 44 */ HALT,
};
/* clang-format on */

/* Runs the program once and returns how many EMITs it executed. */
static uint32_t interpret(const uint8_t *code)
{
    uint32_t variables[VARIABLES] = {0};
    uint32_t stack[STACK_WORDS];
    uint32_t *top = stack;
    uint32_t emitted = 0;
    uint32_t pc = 0;
    for (;;) {
        switch ((enum opcode)code[pc++]) {
        case PUSH:
            *top++ = code[pc++];
            break;
        case LOAD:
            *top++ = variables[code[pc++]];
            break;
        case STORE:
            variables[code[pc++]] = *--top;
            break;
        case ADD:
            top--;
            top[-1] += top[0];
            break;
        case SUB:
            top--;
            top[-1] -= top[0];
            break;
        case MOD:
            top--;
            top[-1] %= top[0];
            break;
        case JUMP_IF_ZERO:
            pc = *--top == 0 ? code[pc] : pc + 1;
            break;
        case JUMP_UNLESS_ZERO:
            pc = *--top != 0 ? code[pc] : pc + 1;
            break;
        case EMIT:
            emitted++;
            break;
        case HALT:
            return emitted;
        }
    }
}

int main(void)
{
    for (;;) {
        result = interpret(program);
        rounds++;
    }
}
