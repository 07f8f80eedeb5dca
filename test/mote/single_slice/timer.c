/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer. */
#include <lichen/time.h>

#include "slice_timer.h"
#include "slices.h"

/* It stops when idling begins, even in the middle of a slice. */
TEST(no_slice_timer_runs_while_the_mote_sleeps)
{
    begin_to_compute(nothing, nobody_asks);
    sleep_ms(1);
    end_computing();
    expect(slice_timer_runs());
    sleep_ms(1);
    expect(!slice_timer_runs());
}
