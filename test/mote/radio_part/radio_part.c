/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What all radios have in common (driver/radio/part.h), over a driver that does what the test says.
 */
#include <lichen/kernel.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/radio.h>

#include "driver/radio/part.h"
#include "test.h"

enum {
    LENGTH = 20,
};

static unsigned asked; /* how often the driver was told to look */

void played_serve(void);
void played_serve(void)
{
    asked++;
}

RADIO_IS(played, {.channel_first = 11, .channel_last = 26, .frame_bytes = 127, .rates = 1});

EVENT(radio_received)
{
}

static struct radio_transfer first, second;

static void begin(struct radio_transfer *transfer)
{
    expect_equal(packet_alloc(&transfer->packet, TEXT("test"), 0, LENGTH), 0);
    expect_equal(radio_send(transfer), 0);
}

/* As a driver does it: the first transfer is being copied to the radio. */
static void get_under_way(void)
{
    radio_state.is_cancelled = false;
    radio_state.has_transfer = true;
}

static void free_packets(void)
{
    packet_free(first.packet);
    packet_free(second.packet);
}

static int fail(void *error)
{
    (void)radio_failed((uint8_t)(uintptr_t)error);
    return 0;
}

static void radio_fails(void)
{
    (void)kernel_run(fail, (void *)(uintptr_t)ERR_TIMEOUT);
    radio_state.failures = 0;
}

static int sent(void *unused)
{
    (void)unused;
    radio_sent(0);
    return 0;
}

TEST(a_failure_ends_the_transfer_under_way_and_no_other)
{
    begin(&first);
    begin(&second);
    get_under_way();
    radio_fails();
    expect(!first.active);
    expect_equal(first.result, ERR_TIMEOUT);
    expect(second.active);
    get_under_way();
    (void)kernel_run(sent, 0);
    expect(!second.active);
    expect_equal(second.result, 0);
    free_packets();
}

/* The driver has not yet learnt that it was cancelled. */
TEST(a_failure_after_a_cancellation_does_not_end_the_next_transfer)
{
    begin(&first);
    begin(&second);
    get_under_way();
    expect_equal(radio_cancel(&first), 0);
    expect_equal(first.result, ERR_CANCELLED);
    radio_fails();
    expect(second.active);
    get_under_way();
    (void)kernel_run(sent, 0);
    expect_equal(second.result, 0);
    free_packets();
}

static int fail_again(void *ms)
{
    *(uint32_t *)ms = radio_failed(ERR_IO);
    return 0;
}

/* How long the radio is left alone when it has failed. */
static uint32_t left_alone_ms(void)
{
    uint32_t ms;

    (void)kernel_run(fail_again, &ms);
    return ms;
}

static int take(void *packet)
{
    radio_take(*(packet_t *)packet);
    return 0;
}

TEST(a_received_frame_ends_a_row_of_failures)
{
    packet_t packet;

    for (uint32_t ms = 0; ms < 800; ms = left_alone_ms()) {
    }
    expect_equal(packet_alloc(&packet, TEXT("test"), 0, LENGTH), 0);
    (void)kernel_run(take, &packet);
    expect_equal(left_alone_ms(), 0);
    expect_equal(left_alone_ms(), 0);
    expect_equal(left_alone_ms(), 100);
    radio_state.failures = 0;
    expect_equal(radio_receive(&packet), 0);
    packet_free(packet);
}
