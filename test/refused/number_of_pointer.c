/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread's argument is cast to a number of another size.
 *
 * on: micaz
 * error: test/refused/number_of_pointer.c:15:13: a pointer has another size than this number: 16
 *        bits on AVR
 * help: write (intptr_t)pointer, or (uintptr_t), which have its size on each board
 */
#include <lichen/thread.h>

volatile long taken;

THREAD(takes, 256, PRIORITY_APP)
{
    taken = (long)argument;
}
