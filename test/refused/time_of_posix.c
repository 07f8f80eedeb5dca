/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* POSIX's type of the time.
 *
 * error: test/refused/time_of_posix.c:14:5: nothing declares `time_t'
 * help: in C the type is uint64_t for microseconds, as time_now_us returns them (<lichen/time.h>)
 */
#include <lichen/thread.h>
#include <lichen/time.h>

volatile uint32_t seconds;

THREAD(looks, 512, PRIORITY_APP)
{
    time_t now = time_now_us();
    seconds = (uint32_t)(now / 1000000);
}
