/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Links a program as its bytes come: one pass, forward, with a fixed few bytes of state.
 *
 * The bytes behind a container's header are literals and tokens (doc/spec/container.md). A token
 * says what the next field refers to, and the linker patches it on its way to flash. It checks each
 * field to be the instruction that the token claims: a container cannot make it write an
 * instruction that is not in it.
 */
#ifndef LOAD_LINKER_H
#define LOAD_LINKER_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/code.h"
#include "load/container.h"
#include "load/error.h"

/* Where a program's blocks are. The stacks lie behind the objects. */
struct blocks {
    code_address_t code; /* the first byte behind the header, a multiple of 4 */
    uintptr_t objects;
    uintptr_t data;
};

/* Where a linked halfword goes, in order of addresses; and where a call is.
 * returns   of linker_call: its address in bytes of flash, bit 0 set on ARMv6-M; 0: there is no
 * such call, or its group was not declared
 */
enum load_error linker_put(uint16_t halfword);
uintptr_t linker_call(uint8_t id);

struct linker; /* linker.c's; in linker_state.h */

#endif
