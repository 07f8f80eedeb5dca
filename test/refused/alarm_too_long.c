/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two hours in microseconds have more than the 32 bits of an alarm's length.
 *
 * refused: changes value from '7200000000'
 */
#include <lichen/alarm.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    sleep_exact_us(2 * 3600 * TIME_US_PER_S);
}
