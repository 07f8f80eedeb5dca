/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "played.h"

#include <string.h>

#include <lichen/print.h>
#include <lichen/thread.h>

#include "fake_driver.h"
#include "test.h"

LINK_FRAMES(FRAMES, LONGEST);
PACKET_POOL(3);
LINK_NEIGHBOURS(3);
AM_RECEIVER(counts, COUNT, 3);
AM_RECEIVER_ALL(messages, 4);
LINK_RECEIVER(others, 2);

struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};
struct link_transfer transfers[2];
uint8_t payload[LONGEST + 2];

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return statistics.free;
}

uint8_t frames_free(void)
{
    uint8_t count = 0;

    for (uint8_t i = 0; i < FRAMES; i++) {
        count += !link_frame_is_used[i];
    }
    return count;
}

static uint8_t free_at_first;

void take_all(void)
{
    struct link_info info;
    packet_t packet;

    while (link_try_receive(&counts, &info, &packet) == 0 ||
           link_try_receive(&messages, &info, &packet) == 0 ||
           link_try_receive(&others, &info, &packet) == 0) {
        packet_free(packet);
    }
}

void renew(void)
{
    fake_renew();
    settings.flags = 0;
    expect_equal(link_open(&settings), 0);
    sleep_ms(SETTLE_MS);
    take_all();
    if (free_at_first == 0) {
        free_at_first = blocks_free();
    }
    expect_equal(blocks_free(), free_at_first);
    expect_equal(frames_free(), FRAMES - 1);
}

uint16_t losses(unsigned reason)
{
    struct link_loss loss = {.count = UINT16_MAX};

    expect_equal(link_loss(reason - 1, &loss), 0);
    return loss.count;
}

uint8_t frame[HEADER + LONGEST];

uint8_t compose(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    const uint8_t header[HEADER] = {
        (uint8_t)(to >> 8), (uint8_t)to, (uint8_t)(from >> 8), (uint8_t)from, length,
        LINK_PAN_USUAL,     type};

    memcpy(frame, header, sizeof(header));
    for (uint8_t i = 0; i < length; i++) {
        frame[HEADER + i] = (uint8_t)(length + i);
    }
    return (uint8_t)(HEADER + length);
}

enum fake_reception hear(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    return fake_receive(frame, compose(to, from, type, length));
}

void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    expect_equal(hear(to, from, type, length), to == OWN ? FAKE_ACKED : FAKE_NOT_ACKED);
}

void expect_sent(const uint8_t *bytes, uint8_t length)
{
    expect_equal(fake.length, length);
    for (unsigned i = 0; i < length; i++) {
        expect_equal(fake.bytes[i], bytes[i]);
    }
}

void expect_count(uint8_t length)
{
    struct am_message message;

    expect_equal(am_receive(&counts, &message, payload, sizeof(payload), time_now_us() + 10000), 0);
    expect_equal(message.source, OTHER);
    expect_equal(message.type, COUNT);
    expect_equal(message.length, length);
    for (uint8_t i = 0; i < length; i++) {
        expect_equal(payload[i], (uint8_t)(length + i));
    }
}

void expect_nothing(void)
{
    struct link_info info;
    packet_t packet;

    expect_equal(link_try_receive(&counts, &info, &packet), ERR_EMPTY);
    expect_equal(link_try_receive(&messages, &info, &packet), ERR_EMPTY);
    expect_equal(link_try_receive(&others, &info, &packet), ERR_EMPTY);
    expect_equal(blocks_free(), free_at_first);
    expect_equal(frames_free(), FRAMES - 1);
}

int send_packet(uint16_t to, uint8_t length)
{
    struct link_address address = link_short(to);
    packet_t packet;

    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, length), 0);
    packet_write(packet, 0, payload, length);
    return link_send(&address, packet, TIME_NEVER);
}
