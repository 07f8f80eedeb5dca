/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio in a program that does not ask for the times of frames. */
#include <lichen/gpio.h>
#include <lichen/power.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/time.h>

#include "sleep_mode.h"
#include "test.h"
#include "wave_pins.h"

enum { CHANNEL = 26, SHORT = 1, LISTENED_MS = 100, FORGOTTEN_MS = 9000, SENT_MS = 20 };

extern const uint8_t radio_times;
#pragma weak radio_times

EVENT(radio_received)
{
}

TEST(nothing_that_tells_times_is_linked)
{
    expect(&radio_times == 0);
}

static uint32_t sleeps(void)
{
    struct power_choice choice;

    expect_equal(power_chosen(SLEEP_BESIDE_RADIO, &choice), 0);
    return choice.count;
}

static bool sleeps_deeply(void)
{
    uint32_t before = sleeps();

    sleep_ms(LISTENED_MS);
    return sleeps() > before;
}

TEST(the_mote_sleeps_deeply_while_it_listens)
{
    static const struct radio_settings settings = {
        .channel = CHANNEL, .pan = 0x22, .short_address = SHORT, .flags = RADIO_FILTER};

    expect_equal(radio_set(&settings), 0);
    radio_listen(true);
    sleep_ms(LISTENED_MS);
    expect(sleeps_deeply());
}

/* On a MicaZ the start of its acknowledgment is waited for, by a timer that stands in deep sleep.
 */
TEST(so_it_does_some_time_after_a_frame_that_nobody_acknowledges)
{
    static const uint8_t frame[] = {0x61, 0x88, 7, 0x22, 0, 2, 0, 1, 0, 5};
    static struct radio_transfer transfer;

    expect_equal(packet_alloc(&transfer.packet, TEXT("test"), 0, sizeof(frame)), 0);
    packet_write(transfer.packet, 0, frame, sizeof(frame));
    expect_equal(radio_send(&transfer), 0);
    sleep_ms(SENT_MS);
    expect(!transfer.active);
    expect_equal(transfer.result, 0);
    packet_free(transfer.packet);
    sleep_ms(FORGOTTEN_MS);
    expect(sleeps_deeply());
}
