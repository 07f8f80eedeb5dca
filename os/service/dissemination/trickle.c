/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When the mote announces what it has: Trickle (RFC 6206) with a redundancy of one.
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
