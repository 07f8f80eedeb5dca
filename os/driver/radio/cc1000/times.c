/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When frames were on the air, in a program that asks for it (packet_time_us). The clock is read
 * without waiting for it, so it is exact to a tick, and the bytes to one byte. */
#include <lichen/time.h>

#include "driver/radio/cc1000/frames.h"
#include "driver/radio/part.h"

/* What links this file. */
extern const uint8_t radio_times;
const uint8_t radio_times = 0;

void cc1000_times_note(packet_t packet, uint32_t earlier_us)
{
    struct time_moment moment;

    time_known(&moment);
    radio_stamp(packet, moment.s * TIME_US_PER_S + moment.us - earlier_us);
}
