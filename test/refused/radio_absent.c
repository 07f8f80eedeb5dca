/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A board whose radio has no driver.
 *
 * on: mica2
 * refused: undefined reference to `radio_facts'
 */
#include <lichen/am.h>
#include <lichen/thread.h>

THREAD(counts, 304, PRIORITY_APP)
{
    const uint8_t payload = 1;

    (void)!link_open(0);
    (void)!am_send(AM_ALL, 6, &payload, 1);
}
