/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function that other systems call before main.
 *
 * error: test/refused/constructor.c:12: a constructor, which nothing calls
 * help: write INIT(function); (lichen/init.h) in place of the attribute
 */
#include <lichen/led.h>
#include <lichen/thread.h>

static volatile unsigned level;

__attribute__((constructor)) static void prepare(void)
{
    level = 1;
}

THREAD(t, 512, PRIORITY_APP)
{
    led_on(level);
}
