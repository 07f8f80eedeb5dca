/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When the mote announces what it has: Trickle (RFC 6206) with a redundancy of one, but no mote is
 * silent twice in a row.
 *
 * Those that keep a mote silent need not be heard by those that hear it. At the edge of what an
 * object has reached, the motes behind, which have it, would silence the only one that is heard in
 * front, and with each interval for twice as long. So a mote announces an object once it is whole,
 * and in each second interval at least, whoever else has done so. While parts are sent it waits.
 *
 * Who asks for parts, or is about to, has said what there is to say with that, and who sends parts
 * as well: they announce nothing. So what it takes to have a network of motes with the same object
 * grow by one is an announcement, and the other intervals are silent or the longest.
 */
#include "service/dissemination/dissemination.h"

static struct dissemination *const self = &dissemination_state;

void dissemination_start_interval(void)
{
    uint32_t half = (uint32_t)1 << (self->interval - 1);

    self->heard = 0;
    dissemination_arm(DUE_ANNOUNCEMENT, half + dissemination_random(half));
    dissemination_arm(DUE_INTERVAL, 2 * half);
}

void dissemination_end_interval(void)
{
    if (self->interval < INTERVAL_MOST) {
        self->interval++;
    }
    dissemination_start_interval();
}

void dissemination_hurry(void)
{
    if (self->interval != INTERVAL_LEAST) {
        self->interval = INTERVAL_LEAST;
        dissemination_start_interval();
    }
}
