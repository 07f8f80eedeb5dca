/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* INIT with a body of its own.
 *
 * error: test/refused/init_with_body.c:12:6: INIT names a function, and there
 *        is no function `ready'
 * help: write static void ready(void) { ... }, and INIT(ready); below it
 */
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/thread.h>

INIT(ready)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
}
