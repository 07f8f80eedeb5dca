/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When frames were on the air, in a program that asks for it (packet_time_us): the counter of the
 * radio's clock, and what it tells. */
#include "driver/radio/at86rf233/driver.h"

#include "chip/radio_line.h"
#include "driver/radio/part.h"

/* What links this file. */
extern const uint8_t radio_times;
const uint8_t radio_times = 0;

static bool counts;      /* the radio's clock is counted, */
static bool is_compared; /* and was compared with the system's clock lately */
static uint64_t taken_us;

void at86rf233_times_count(void)
{
    if (!counts) {
        counts = true;
        is_compared = false;
        radio_clock_count();
    }
}

void at86rf233_times_compare(void)
{
    if (!is_compared) {
        is_compared = true;
        radio_clock_compare();
    }
}

void at86rf233_times_watch(void)
{
    is_compared = false;
}

void at86rf233_times_stop(void)
{
    if (counts) {
        counts = false;
        radio_clock_stops();
    }
}

void at86rf233_times_take(uint32_t earlier_us)
{
    taken_us = radio_clock_time(earlier_us);
}

void at86rf233_times_note(packet_t packet, bool is_known)
{
    radio_stamp(packet, is_known ? taken_us : 0);
}
