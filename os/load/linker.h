/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Links a program as its bytes come: one pass, forward, with a fixed few bytes of state.
 *
 * The bytes behind a container's header are literals and tokens (doc/spec/container.md). A token
 * says where the next field is that holds an address, and the linker patches it on its way to
 * flash. It checks each field to be the instruction that the token claims: a container cannot make
 * it write an instruction that is not in it.
 */
#ifndef LOAD_LINKER_H
#define LOAD_LINKER_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>

#include "chip/code.h"
#include "load/container.h"
#include "load/error.h"

/* Where a program's blocks are. The stacks lie behind the objects. */
struct blocks {
    code_address_t code; /* the first byte behind the header, a multiple of 4 */
    uintptr_t objects;
    uintptr_t data;
};

struct linker; /* load/linker_state.h */

/* Begins to link a program.
 * header    was checked: load/header.h; the linker does not refer to it later
 * blocks    where the program will be; the caller has reserved what the header says
 * context   thread
 * blocks    no
 */
void linker_begin(struct linker *linker, const struct container_header *header,
                  const struct blocks *blocks);

/* Links a piece of the stream that begins behind the header.
 * taken     set to how many of its bytes were linked: to the one that completes the program, or is
 *           the reason why it is refused
 * returns   LOAD_OK; the reason why the program is refused, and then LOAD_LENGTH for what follows;
 *           LOAD_LENGTH: the program was complete before
 * context   thread
 * blocks    as linker_put       cost  66 cycles a byte on AVR, 85 on ARMv6-M [test mote/linker]
 */
MUST_CHECK enum load_error linker_feed(struct linker *linker, const uint8_t *bytes, uint16_t count,
                                       uint16_t *taken);

/* Whether constants, code and initial values are complete. What follows is not the linker's. */
bool linker_is_complete(const struct linker *linker);

/* Says that the stream has ended.
 * returns   LOAD_OK; LOAD_LENGTH: it was cut short, or refused
 */
MUST_CHECK enum load_error linker_end(const struct linker *linker);

/* Takes a linked halfword: the linker calls it in order of addresses. Not the linker's. */
enum load_error linker_put(uint16_t halfword);

/* Finds a call. Not the linker's either.
 * returns   its address in bytes of flash, bit 0 set on ARMv6-M; 0: there is no such call, its
 *           group was not declared, or on AVR it lies beyond the first 64 KB
 */
uintptr_t linker_call(uint8_t id);

#endif
