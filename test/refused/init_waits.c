/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function of INIT sleeps.
 *
 * error: test/refused/init_waits.c:13: INIT function `prepare' must not call `sleep_ms'
 * help: an INIT function runs before any thread and must not wait: start work that
 *        waits in a THREAD
 */
#include <lichen/init.h>
#include <lichen/time.h>

static void prepare(void)
{
    sleep_ms(100);
}
INIT(prepare);
