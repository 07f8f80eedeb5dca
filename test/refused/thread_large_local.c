/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A local variable is larger than its thread's stack.
 *
 * refused: the stack of thread `reads' has 512 bytes and may need
 */
#include <lichen/print.h>
#include <lichen/thread.h>

static __attribute__((noinline)) void fill(uint8_t *buffer, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        buffer[i] = (uint8_t)i;
    }
}

THREAD(reads, 512, PRIORITY_APP)
{
    uint8_t buffer[600];
    fill(buffer, sizeof(buffer));
    print("%d\n", buffer[7]);
}
