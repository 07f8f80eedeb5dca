/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Assertions: a failed one, a bug of the caller or of the asserting code, ends the program with a
 * record of the place. They are in every build and carry no text; the host finds the line from the
 * program counter.
 */
#ifndef LICHEN_ASSERT_H
#define LICHEN_ASSERT_H

#include <lichen/arch.h>

/* Ends the program if the condition is false.
 * context   any
 * blocks    no       cost  1 cycle and the condition
 */
#define assert(condition) ((condition) ? (void)0 : ARCH_ASSERT_FAILED(__LINE__))

#endif
