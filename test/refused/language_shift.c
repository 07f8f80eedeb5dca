/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A shift is as wide as its type.
 *
 * error: test/refused/language_shift.c:14:29: the shift is as wide as the type, or wider
 * help: shift a wider type: 1ULL << n has 64 bits; int has 16 bits on AVR
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%ld\n", (long)(1 << 40));
}
