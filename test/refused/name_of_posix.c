/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function of another system.
 *
 * error: test/refused/name_of_posix.c:14:5: nothing declares `usleep'
 * help: Lichen has `sleep_us' (<lichen/time.h>) for that
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    usleep(100);
}
