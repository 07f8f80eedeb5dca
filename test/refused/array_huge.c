/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An array does not fit the RAM.
 *
 * error: the chip's RAM is too small by 69440 bytes; most of it is `huge' of array_huge.c with
 *        100000 bytes, the stack of `t' of array_huge.c with 512 bytes, `receive_ring' of
 *        console.c of the system with 130 bytes
 * help: give threads smaller stacks, or queues and buffers fewer bytes; the .map file in the
 *        build folder lists what is in RAM
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static char huge[100000];

THREAD(t, 512, PRIORITY_APP)
{
    huge[5]++;
    print("%d\n", huge[7]);
}
