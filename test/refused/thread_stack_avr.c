/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread whose functions fit its stack, and an interrupt of them does not.
 *
 * on: micaz
 * error: test/refused/thread_stack_avr.c:14: the stack of thread `worker' has
 *        150 bytes and may need 203: worker_thread 134, and 69 to be
 *        interrupted
 * help: make large local variables `static', or the stack larger: 320 bytes
 *        have some room to spare
 */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(worker, 150, PRIORITY_APP)
{
    volatile uint8_t local[130];
    for (;;) {
        for (unsigned i = 0; i < sizeof(local); i++) {
            local[i] = (uint8_t)i;
        }
    }
}

THREAD(other, 256, PRIORITY_HIGH)
{
    led_on(0);
}
