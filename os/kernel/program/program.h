/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that were loaded, as the kernel sees them: each brings tables of its own, and every walk
 * of a linker's table goes on with those of the programs that run.
 */
#ifndef KERNEL_PROGRAM_PROGRAM_H
#define KERNEL_PROGRAM_PROGRAM_H

#include <stdint.h>

#include <lichen/arch.h>

struct container_header;

/* A program that runs. It lies in front of the program's objects, where the program cannot write.
 * All fields are written by the loader before the program runs, except those of the kernel. */
struct program {
    struct program *next;                          /* kernel: the next one that runs */
    const ARCH_FLASH struct container_header *header;
    const ARCH_FLASH uint8_t *code; /* tables, constants, functions, in this order */
    uint8_t *objects;               /* mutexes first */
    uint8_t *data;
    uint8_t threads; /* kernel: those that have not ended */
    uint8_t slot;    /* the loader's: its row of the directory */
};

#endif
