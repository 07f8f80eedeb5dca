/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls that the image has for programs. */
#ifndef LOAD_CALLS_H
#define LOAD_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Declares a group for the program to be linked: linker_call (load/linker.h) then finds its calls.
 * returns   false if the image does not have it in this form
 * context   thread
 * blocks    no
 */
bool calls_group(uint8_t group, uint16_t fingerprint);

#endif
