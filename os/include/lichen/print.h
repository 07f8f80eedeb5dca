/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Formatted text, to the console or into a buffer.
 *
 *   %d %i   signed decimal          %s   text up to its zero byte; "(null)" for a null pointer
 *   %u      unsigned decimal        %c   one character
 *   %x      hexadecimal, lower case %%   a percent sign
 *
 * `l` and `ll` before d, i, u, x take long and long long: %lu, %llx. A number before the conversion
 * is the minimum width; it pads with spaces on the left, with zeros if it starts with 0 (numbers
 * only), and with spaces on the right if it starts with -: %5d, %08lx, %-10s. `*` takes the width
 * from an argument. There is no floating point, and no precision: `lichen build` refuses what is
 * not listed, and the compiler an argument of the wrong type. The format is a literal.
 *
 * No heap. Stack: about 160 bytes [test mote/print].
 */
#ifndef LICHEN_PRINT_H
#define LICHEN_PRINT_H

#include <stddef.h>

#include <lichen/arch.h>
#include <lichen/room.h>

/* Prints to the console. "\n" is sent as carriage return and line feed. From a thread, the whole
 * text stays together, and the call waits while the console's ring is full. An event must not wait:
 * bytes that do not fit are dropped and counted (console_lost), and the text may appear in the
 * middle of a thread's text.
 * context   event, thread
 * blocks    yes in a thread, for room in the ring; an event never waits
 */
__attribute__((format(printf, 1, 2))) void print(const char *format, ...);
#define print(format, ...)                                                                         \
    (0 ? print(format, ##__VA_ARGS__) : (print)(PRINT_FORMAT(format), ##__VA_ARGS__))

/* Formats into `buffer`, truncated to `size` - 1 characters; the zero byte is always written unless
 * size is 0.
 * returns   the length of the whole text; not below `size` if it was truncated
 * context   any
 * blocks    no
 */
__attribute__((format(printf, 3, 4))) size_t print_into(char *buffer, size_t size,
                                                        const char *format, ...);
#define print_into(buffer, size, format, ...)                                                      \
    (0 ? print_into(buffer, size, format, ##__VA_ARGS__)                                           \
       : (print_into)(buffer, room_check(size, __builtin_object_size(buffer, 1)),                  \
                      PRINT_FORMAT(format), ##__VA_ARGS__))

/* A format under a name, by which `lichen build` finds it. */
#define PRINT_FORMAT(literal) PRINT_FORMAT_AT(literal, __COUNTER__)
#define PRINT_FORMAT_AT(literal, number)                                                           \
    __extension__({                                                                                \
        static const char print_format_[] ARCH_TEXT_PLACED(number) = literal;                      \
        print_format_;                                                                             \
    })

/* A string literal that takes no RAM on a processor that cannot read its flash like RAM, as an
 * argument of %s: TEXT("on"). There it may be handed on, but only print reads it. A format is one
 * already.
 */
#define TEXT(literal) ARCH_TEXT(literal)

#endif
