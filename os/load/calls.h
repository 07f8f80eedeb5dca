/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls that the image has for programs. */
#ifndef LOAD_CALLS_H
#define LOAD_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the image has a group of calls in the form that a program was made for.
 * context   thread
 * blocks    no
 */
bool calls_group(uint8_t group, uint16_t fingerprint);

#endif
