/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A number is printed as a text.
 *
 * error: test/refused/print_type.c:15:11: argument 2 is of type int, and %s prints char *
 * help: %d prints int, %u unsigned, %ld and %lu long, %lld and %llu long long, %s text, %c a
 *        character
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%s\n", 5);
}
