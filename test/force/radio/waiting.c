/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "waiting.h"

#include <lichen/notify.h>
#include <lichen/timer.h>

#include "force.h"

NOTIFY(awake);

EVENT(wakes)
{
    notify_post(&awake);
}
TIMER(alarm_clock, wakes);

void pass(unsigned ms)
{
    force_expect(timer_arm_after(&alarm_clock, (uint64_t)ms * TIME_US_PER_MS) == 0);
    notify_wait(&awake);
}

bool pass_while(bool goes_on, unsigned rounds_max)
{
    static unsigned rounds;

    if (!goes_on || rounds == rounds_max) {
        force_expect(rounds < rounds_max);
        rounds = 0;
        return false;
    }
    rounds++;
    pass(1);
    return true;
}
