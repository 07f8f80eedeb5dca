/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A type of Arduino's.
 *
 * error: test/refused/type_of_others.c:12:5: nothing declares `byte'
 * help: in C the type is uint8_t
 */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    byte x = 3;
    print("%u\n", x);
}
