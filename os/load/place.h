/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where the parts of a program lie in its two pieces of RAM.
 *
 *     low:  | struct loaded | objects | stacks |        data:  | data |
 *
 * Both pieces, the objects and the stacks begin at a multiple of PLACE_ALIGN: what is too much of
 * the low one lies in front of the objects.
 */
#ifndef LOAD_PLACE_H
#define LOAD_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

#include "kernel/program/program.h"
#include "load/directory.h"
#include "load/linker.h"

/* Of stacks, and of control blocks, whose addresses are even (ARCH_EVEN). */
#define PLACE_ALIGN (ARCH_STACK_ALIGN > 2u ? ARCH_STACK_ALIGN : 2u)

/* A program that runs, and what the loader keeps of it. */
struct loaded {
    struct program program;
    uint32_t due;       /* run_now() when a start on trial has failed; written by the loader */
    bool is_on_trial;   /* written by the loader */
    bool was_confirmed; /* written by program_confirm, in a thread of the program */
};

/* Sets `low_bytes`, `data_bytes` and `bytes` of a row.
 * returns   LOAD_OK; LOAD_FLASH_FULL, LOAD_RAM_FULL: more than any machine has
 * context   any
 * blocks    no
 */
enum load_error place_sizes(const struct container_header *header, struct directory_row *row);

/* Where the linker puts a program, of these lengths in its header.
 * context   any
 * blocks    no
 */
void place_blocks(uint8_t header_bytes, uint16_t object_bytes, const struct directory_row *row,
                  struct blocks *blocks);

/* Says where all of a program is, without a change of its RAM.
 * index     the row's
 * context   thread
 * blocks    no
 */
void place_program(uint8_t index, const struct directory_row *row, struct program *program);

/* Fills in the kernel's part of a program.
 * index     the row's
 * context   thread; the program does not run, nor another one of its key
 * blocks    no
 */
struct loaded *place_loaded(uint8_t index, const struct directory_row *row);

#endif
