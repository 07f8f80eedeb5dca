/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A number does not fit an int of 16 bits.
 *
 * on: micaz
 * error: test/refused/language_int_16_bits.c:15:13: the number does not fit the type that it is
 *        given to; int has 16 bits on AVR: up to 32,767
 * help: take a wider type, such as int32_t (%ld)
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    int x = 100000;
    print("%d\n", x);
}
