/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A sleep of seconds.
 *
 * error: test/refused/name_of_posix_sleep.c:11:5: nothing declares `sleep'
 * help: Lichen has `sleep_ms' (<lichen/time.h>) for that
 */
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    sleep(1);
}
