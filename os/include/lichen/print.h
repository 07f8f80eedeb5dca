/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Formatted text, to the console or into a buffer.
 *
 *   %d %i   signed decimal          %s   text up to its zero byte; "(null)" for a null pointer
 *   %u      unsigned decimal        %c   one character
 *   %x      hexadecimal, lower case %%   a percent sign
 *
 * `l` and `ll` before d, i, u, x take long and long long: %lu, %llx. A number before the conversion
 * is the least width; it fills with spaces on the left, with zeros if it starts with 0 (numbers
 * only), and with spaces on the right if it starts with -: %5d, %08lx, %-10s. `*` takes the width
 * from an argument. There is no floating point, and no precision. What is not listed is printed as
 * it stands, and the compiler warns where an argument does not fit.
 *
 * No heap. Stack: about 160 bytes [test mote/print].
 */
#ifndef LICHEN_PRINT_H
#define LICHEN_PRINT_H

#include <stddef.h>

/* Prints to the console. "\n" is sent as carriage return and line feed.
 * From a thread, the whole text stays together, and the call waits while the console's ring is
 * full. From an event nothing may wait: what does not fit is lost and counted
 * (console_lost), and the text may fall between two parts of a thread's.
 * context   event, thread
 * blocks    yes in a thread, for room in the ring; an event never waits
 */
__attribute__((format(printf, 1, 2))) void print(const char *format, ...);

/* Formats into `buffer`, cut to `size` - 1 characters, zero byte always set unless size is 0.
 * returns   the length that the whole text has; not below `size` if it was cut
 * context   any
 * blocks    no
 */
__attribute__((format(printf, 3, 4))) size_t print_into(char *buffer, size_t size,
                                                        const char *format, ...);

#endif
