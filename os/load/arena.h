/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The RAM of loaded programs, which the linker script places last. */
#ifndef LOAD_ARENA_H
#define LOAD_ARENA_H

#include <stdint.h>

/* That of the chip. */
extern uint8_t ram_begin[];

extern uint8_t arena_begin[];
extern uint8_t arena_end[];

#endif
