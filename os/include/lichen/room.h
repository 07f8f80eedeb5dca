/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Buffers that are given with their sizes: print_into, console_read_line. */
#ifndef LICHEN_ROOM_H
#define LICHEN_ROOM_H

#include <stddef.h>

/* Called where a size exceeds its buffer; a call that is left is an error of the compiler.
 * context   any
 * blocks    no
 */
void room_is_exceeded(void) __attribute__((
    error("the buffer is smaller than the size that is given; write sizeof and its name")));

/* Refuses a size that is a constant and more than the buffer has, as far as the compiler sees.
 * returns   `size`
 * context   any
 * blocks    no
 */
static inline __attribute__((always_inline)) size_t room_check(size_t size, size_t room)
{
    if (__builtin_constant_p(size) && size > room) {
        room_is_exceeded();
    }
    return size;
}

#endif
