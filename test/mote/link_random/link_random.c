/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random transfers, fates, received frames, cancelled transfers, children and polls: each transfer
 * ends once, no packet is left, and the counters agree with what happened.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/random.h>

#include "../link/fake_radio.h"
#include "test.h"

enum { OWN = 1, PARENT = 2, CHILD = 9, MOTES = 5, COUNT = 6, TRANSFERS = 4, STEPS = 4000 };

AM_RECEIVER(counts, COUNT, 3);
PACKET_POOL_OF(ARCH_FLASH_IS_APART ? 10 : 16, 36);
LINK_NEIGHBOURS(3);

static struct link_transfer transfers[TRANSFERS];
static uint16_t begun, ended, refused, received, taken;

EVENT(transfer_ended)
{
    for (unsigned i = 0; i < TRANSFERS; i++) {
        if (!transfers[i].active && transfers[i].ended != 0) {
            transfers[i].ended = 0;
            ended++;
        }
    }
}

static void begin_one(void)
{
    struct link_transfer *transfer = &transfers[random_below(TRANSFERS)];
    const uint8_t payload[8] = {0};
    static const uint16_t destinations[] = {AM_ALL, 2, 3, CHILD};

    if (transfer->active || transfer->ended != 0) {
        return;
    }
    transfer->ended = &transfer_ended;
    transfer->flags = random_below(2) ? LINK_UNACKNOWLEDGED : 0;
    if (am_begin(transfer, destinations[random_below(4)], COUNT, payload,
                 (uint8_t)random_below(sizeof(payload))) == 0) {
        begun++;
    } else {
        transfer->ended = 0;
        refused++;
    }
}

static uint8_t frame[24];
static uint8_t sequence;

/* From somebody who may be unknown; data, a request of the child, or what is no frame at all. */
static void receive_one(void)
{
    uint16_t from = (uint16_t)(2 + random_below(MOTES));
    const uint8_t bytes[] = {0x41, 0x88,          sequence, LINK_PAN_USUAL, 0,     OWN,
                             0,    (uint8_t)from, 0,        0x3f,           COUNT, 1};
    uint8_t length = sizeof(bytes);

    memcpy(frame, bytes, sizeof(bytes));
    switch (random_below(8)) {
    case 0:
        random_bytes(frame, sizeof(frame));
        length = (uint8_t)(1 + random_below(sizeof(frame)));
        break;
    case 1:
        frame[random_below(sizeof(bytes))] ^= (uint8_t)(1u << random_below(8));
        break;
    case 2:
        frame[0] = 0x63;
        frame[7] = CHILD;
        frame[9] = 4;
        length = 10;
        sequence++;
        break;
    default:
        sequence++;
        break;
    }
    if (fake_receive(frame, length)) {
        received++;
    }
}

static void take_some(void)
{
    struct am_message message;
    uint8_t byte;

    while (am_try_receive(&counts, &message, &byte, 1) == 0) {
        taken++;
    }
}

/* Whether there is a child, and a parent that is asked. */
static void choose(void)
{
    struct link_address child = link_short(CHILD);
    struct link_address parent = link_short(PARENT);

    (void)!link_child(&child, random_below(4) > 0);
    (void)!link_poll(&parent, random_below(2) * 15);
}

static void step(void)
{
    switch (random_below(random_below(10) == 0 ? 7 : 6)) {
    case 0:
    case 1:
        begin_one();
        break;
    case 2:
        receive_one();
        break;
    case 3:
        if (fake.fate_count < FAKE_FATES) {
            fake_plan((uint8_t)random_below(5));
        }
        break;
    case 4:
        (void)link_cancel(&transfers[random_below(TRANSFERS)]);
        break;
    case 6:
        choose();
        break;
    default:
        take_some();
        sleep_ms(random_below(12));
        break;
    }
}

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return statistics.free;
}

/* Those by the link and the codec; the radio's are counted by the test. */
static unsigned lost_frames(void)
{
    struct link_loss loss;
    unsigned sum = 0;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.part, "frame")) {
            sum += loss.count;
        }
    }
    return sum;
}

TEST(each_transfer_ends_once_and_no_packet_is_left)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};
    struct link_address child = link_short(CHILD);
    struct link_counters counters;

    random_seed(1);
    fake_renew();
    expect_equal(link_open(&settings), 0);
    uint8_t free_at_first = blocks_free();
    expect_equal(link_child(&child, true), 0);
    for (unsigned i = 0; i < STEPS; i++) {
        step();
    }
    expect_equal(link_poll(&child, 0), 0);
    sleep_ms(1000 * (LINK_CHILD_S + 2));
    take_some();
    link_count(&counters);
    print("%u begun, %u refused; %u received, %u taken, %u refused by the codec\n", begun, refused,
          received, taken, lost_frames());
    expect(begun > 200 && taken > 100);
    expect_equal(ended, begun);
    expect_equal(counters.received, taken);
    expect_equal(blocks_free(), free_at_first);
}
