/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function is not used.
 *
 * error: test/refused/language_unused.c:12:12: `nobody' is not used
 * help: use it, or take it away
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static int nobody(void)
{
    return 3;
}
THREAD(t, 512, PRIORITY_APP)
{
    sleep_ms(1);
}
