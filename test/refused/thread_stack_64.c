/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stack that has room for nothing but the registers.
 *
 * error: test/refused/thread_stack_64.c:13: the stack of thread `t' has 64
 *        bytes and may need 88: t_thread 8, led_on 8, and 72 to be
 *        interrupted
 * help: make large local variables `static', or the stack larger: 192 bytes
 *        have some room to spare
 */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 64, PRIORITY_APP)
{
    led_on(0);
}
