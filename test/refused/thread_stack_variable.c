/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The size of a stack is a variable.
 *
 * error: test/refused/thread_stack_variable.c:14:1: `size', a variable, stands where THREAD needs a
 *        constant
 * help: write the number itself, or give it a name: enum { SIZE = 256 };
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

int size = 256;

THREAD(worker, size, PRIORITY_APP)
{
    led_on(0);
}
