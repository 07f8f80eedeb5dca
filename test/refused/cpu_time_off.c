/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CPU time is asked for in a program that is built without it.
 *
 * refused: cpu_time = true
 */
#include <lichen/thread.h>

THREAD(looks, 256, PRIORITY_APP)
{
    while (thread_cpu_cycles(&looks) < 1000) {
    }
}
