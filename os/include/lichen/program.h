/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a program that was loaded can ask and say about itself. */
#ifndef LICHEN_PROGRAM_H
#define LICHEN_PROGRAM_H

#include <stdint.h>

/* Confirms an upgrade: this version works, and the one before it is no longer needed. A program
 * whose manifest says `confirm_s` has so many seconds for it after each start, until it has called
 * this once; three starts without it, and the version before runs again. Otherwise it does nothing.
 * context   thread
 * blocks    yes, the first time, for a page of flash
 */
void program_confirm(void);

/* The version of the calling program, as its manifest has it.
 * returns   1 to 65535; 0 in a program that was not loaded
 * context   thread
 * blocks    no
 */
uint16_t program_version(void);

#endif
