/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A woven pair is posted as if it were an event.
 *
 * refused: passing argument 1 of 'event_post' from incompatible pointer type
 */
#include <lichen/woven.h>

EVENT(one)
{
}
EVENT(other)
{
}
WOVEN(both, one, other)
{
    event_post(&both);
}
