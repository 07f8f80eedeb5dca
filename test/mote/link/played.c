/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "played.h"

#include <string.h>

#include "fake_radio.h"
#include "test.h"

LINK_ALL_HEADERS;
AM_RECEIVER(counts, PLAYED_TYPE, 3);
AM_RECEIVER_ALL(messages, 2);
LINK_RECEIVER(others, 2);

struct link_settings settings = {.channel = 15, .pan = LINK_PAN_USUAL, .short_address = PLAYED_OWN};
struct link_transfer transfers[3];
uint8_t payload[4];

uint8_t played_blocks_free(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return statistics.free;
}

uint8_t played_free_at_first;

void played_renew(void)
{
    struct link_info info;
    packet_t packet;

    fake_renew();
    settings.flags = 0;
    settings.short_address = PLAYED_OWN;
    expect_equal(link_open(&settings), 0);
    sleep_ms(PLAYED_SETTLE_MS);
    while (link_try_receive(&counts, &info, &packet) == 0 ||
           link_try_receive(&messages, &info, &packet) == 0 ||
           link_try_receive(&others, &info, &packet) == 0) {
        packet_free(packet);
    }
    if (played_free_at_first == 0) {
        played_free_at_first = played_blocks_free();
    }
    expect_equal(played_blocks_free(), played_free_at_first);
}

uint16_t losses(unsigned reason)
{
    struct link_loss loss = {.count = UINT16_MAX};

    expect_equal(link_loss(reason - 1, &loss), 0);
    return loss.count;
}

uint8_t frame[20];

uint8_t compose(uint16_t to, uint16_t from, uint8_t sequence, uint8_t type, uint8_t value)
{
    const uint8_t bytes[] = {0x41,
                             0x88,
                             sequence,
                             LINK_PAN_USUAL,
                             0,
                             (uint8_t)to,
                             (uint8_t)(to >> 8),
                             (uint8_t)from,
                             (uint8_t)(from >> 8),
                             0x3f,
                             type,
                             value};

    memcpy(frame, bytes, sizeof(bytes));
    return sizeof(bytes);
}

uint8_t next_sequence = 100;

void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t value)
{
    expect(fake_receive(frame, compose(to, from, next_sequence++, type, value)));
    sleep_ms(2);
}

void expect_count(uint8_t value)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_receive(&counts, &message, &byte, 1, 0), 0);
    expect_equal(byte, value);
}

void expect_no_count(void)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_try_receive(&counts, &message, &byte, 1), ERR_EMPTY);
}

void await_end(const struct link_transfer *transfer)
{
    for (unsigned i = 0; i < PLAYED_SETTLE_MS && transfer->active; i++) {
        sleep_ms(1);
    }
    expect(!transfer->active);
}

void wait_for_sent(uint16_t frames)
{
    for (unsigned i = 0; i < PLAYED_SETTLE_MS && fake.sent != frames; i++) {
        sleep_ms(1);
    }
    expect_equal(fake.sent, frames);
}
