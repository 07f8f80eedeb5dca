/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function is declared to start twice.
 *
 * error: test/refused/init_twice.c:17:6: `f' is declared twice
 * help: give one of them another name; the other is at test/refused/init_twice.c:16:6
 */
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static void f(void)
{
}
INIT(f);
INIT(f);
THREAD(t, 512, PRIORITY_APP)
{
    sleep_ms(1);
}
