/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event sleeps, in a function that it calls.
 *
 * refused: event `changed' must not call `sleep_ms', as it does through wait_a_little
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static __attribute__((noinline)) void wait_a_little(void)
{
    sleep_ms(2);
    __asm__ volatile("");
}

EVENT(changed)
{
    wait_a_little();
    __asm__ volatile("");
}

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        event_post(&changed);
        sleep_ms(10);
    }
}
