/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The first backoff is 0 to 7 periods of 320 us (802.15.4-2015, 6.2.5.1). A counter of the chip
 * that nothing else uses measures it, in units of 8 cycles.
 */
#include <avr/io.h>

#include <lichen/am.h>
#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "test.h"

PACKET_POOL(4);
LINK_NEIGHBOURS(1);

enum { OWN = 1, COUNT = 6, SENDINGS = 160, SLOTS = 8, PERIOD_US = 320 };

/* What an alarm is later than it should be, and by how much more an event may be. */
enum { LATE_US = 250 };

static uint16_t durations[SENDINGS];

static uint16_t us_of(uint16_t counts)
{
    return (uint16_t)((uint32_t)counts * 8u * 1000u / 7373u);
}

TEST(each_slot_of_the_first_backoff_comes_in_its_time)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};
    const uint8_t payload = 0;
    uint16_t least = UINT16_MAX;
    uint16_t seen[SLOTS] = {0};

    TCCR3B = 1 << CS31;
    fake_renew();
    fake.counter = &TCNT3;
    fake.air_us = 500;
    expect_equal(link_open(&settings), 0);
    for (unsigned i = 0; i < SENDINGS; i++) {
        uint16_t begun = TCNT3;
        expect_equal(am_send(AM_ALL, COUNT, &payload, 1), 0);
        durations[i] = us_of((uint16_t)(fake.begun_count - begun));
        least = durations[i] < least ? durations[i] : least;
    }
    for (unsigned i = 0; i < SENDINGS; i++) {
        uint16_t backoff = (uint16_t)(durations[i] - least);
        uint16_t slot = backoff / PERIOD_US;
        expect(slot < SLOTS && backoff % PERIOD_US <= LATE_US);
        seen[slot]++;
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        print("%u us: %u times\n", i * PERIOD_US, seen[i]);
        expect(seen[i] > SENDINGS / SLOTS / 3);
    }
}
