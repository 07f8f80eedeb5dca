/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link in one thread: what is received while it sends waits, and nothing is lost. */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../link/fake_radio.h"
#include "test.h"

enum { OWN = 1, OTHER = 2, COUNT = 6, AIR_US = 30000, FRAMES = 5 };

LINK_IN_TURN;
LINK_NEIGHBOURS(2);
PACKET_POOL(ARCH_FLASH_IS_APART ? 7 : 16);
AM_RECEIVER(counts, COUNT, FRAMES);

/* Two threads of one priority need more of all stacks. */
THREAD(beside, ARCH_FLASH_IS_APART ? 178 : 256, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(50);
    }
}

static uint8_t sequence = 1;
static struct link_transfer transfer;

static void open(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    expect_equal(link_open(&settings), 0);
    fake.air_us = AIR_US;
}

static bool receive(uint8_t value)
{
    const uint8_t frame[] = {0x41, 0x88,  sequence++, LINK_PAN_USUAL, 0,     OWN,
                             0,    OTHER, 0,          0x3f,           COUNT, value};

    return fake_receive(frame, sizeof(frame));
}

static void expect_count(uint8_t value)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_try_receive(&counts, &message, &byte, 1), 0);
    expect_equal(byte, value);
}

static void expect_no_count(void)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_try_receive(&counts, &message, &byte, 1), ERR_EMPTY);
}

TEST(while_nothing_is_sent_it_receives_at_once)
{
    open();
    expect(receive(1));
    sleep_ms(2);
    expect_count(1);
}

TEST(while_it_sends_received_packets_wait_and_none_is_lost)
{
    uint8_t payload = 0;

    open();
    expect_equal(am_begin(&transfer, AM_ALL, COUNT, &payload, 1), 0);
    sleep_ms(5);
    for (uint8_t i = 0; i < FRAMES; i++) {
        expect(receive(i));
    }
    expect(!receive(FRAMES)); /* three places of the link, and two of the radio */
    sleep_ms(5);
    expect(transfer.active);
    expect_no_count();
    sleep_ms(60);
    expect(!transfer.active);
    for (uint8_t i = 0; i < FRAMES; i++) {
        expect_count(i);
    }
    expect_no_count();
}

TEST(a_request_waits_for_the_packets_before_it)
{
    uint8_t payload = 0;

    open();
    thread_set_priority(thread_self(), PRIORITY_MAX);
    expect(receive(7));
    expect_equal(am_begin(&transfer, AM_ALL, COUNT, &payload, 1), 0);
    expect(receive(8));
    thread_set_priority(thread_self(), PRIORITY_APP);
    sleep_ms(5);
    expect(transfer.active);
    expect_count(7);
    expect_no_count();
    sleep_ms(60);
    expect_count(8);
}

/* The thread's longest way: from a child's request to its answer. */
TEST(a_child_is_answered)
{
    const uint8_t request[] = {0x63, 0x88, sequence++, LINK_PAN_USUAL, 0, OWN, 0, OTHER, 0, 4};
    const struct link_address child = link_short(OTHER);
    uint8_t payload = 0;

    open();
    uint16_t before = fake.sent;
    expect_equal(link_child(&child, true), 0);
    expect_equal(am_begin(&transfer, OTHER, COUNT, &payload, 1), 0);
    sleep_ms(5);
    expect_equal(fake.sent, before);
    expect(fake_receive(request, sizeof(request)));
    sleep_ms(100);
    expect_equal(fake.sent, before + 1);
    expect(!transfer.active);
    expect_equal(transfer.result, 0);
    expect_equal(link_child(&child, false), 0);
}
