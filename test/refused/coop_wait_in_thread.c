/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread waits as cooperative threads do.
 *
 * error: test/refused/coop_wait_in_thread.c:17:5: this waits as cooperative threads do, and
 *        stands in none
 * help: it belongs into the body of a COOP (<lichen/coop.h>); a thread waits by notify_wait
 *        and sleep_ms
 */
#include <lichen/coop.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    coop_wait();
}
