/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two hours in microseconds have more than 32 bits.
 *
 * refused: changes value from '7200000000'
 */
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    sleep_us(2 * 3600 * TIME_US_PER_S);
}
