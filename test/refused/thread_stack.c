/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread whose registers do not fit its stack.
 *
 * refused: stack of small is below what the kernel needs of it
 */
#include <lichen/thread.h>

THREAD(small, 56, PRIORITY_APP)
{
    for (;;) {
        thread_yield();
    }
}
