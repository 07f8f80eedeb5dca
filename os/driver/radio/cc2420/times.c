/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When frames were on the air, in a program that asks for it (packet_time_us). */
#include "driver/radio/cc2420/driver.h"

#include "chip/capture.h"
#include "driver/radio/part.h"

/* What links this file. */
extern const uint8_t radio_times;
const uint8_t radio_times = 0;

void cc2420_times_note(packet_t packet, const uint32_t *begin)
{
    radio_stamp(packet, begin != 0 ? capture_time(*begin) : 0);
}

void cc2420_times_compare(void)
{
    capture_time_compare();
}
