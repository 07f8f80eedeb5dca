/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packet buffers in chosen cases; packet_random has the semantics of all calls. */
#include <string.h>

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/packet.h>
#include <lichen/queue.h>
#include <lichen/thread.h>

#include "software_interrupt.h"
#include "test.h"

INTERRUPTS_THAT_CALL;
PACKET_CHAINS;

static const char mac[] ARCH_TEXT_PLACED(mac) = "mac", app[] ARCH_TEXT_PLACED(app) = "app";

#define FRAME     PACKET_FRAME_BYTES
#define MOST_HELD PACKET_USUAL_BLOCKS
static packet_t held[MOST_HELD];

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;
    packet_statistics(&statistics);
    return statistics.free;
}

static uint16_t refused(enum packet_purpose purpose)
{
    struct packet_statistics statistics;
    packet_statistics(&statistics);
    return statistics.refused[purpose];
}

static void expect_none_left(void)
{
    struct packet_look look = {0};
    expect(!packet_look(&look));
    expect_equal(blocks_free(), packet_block_count);
}

static packet_t allocated(const char *owner, uint16_t headroom, uint16_t length)
{
    packet_t packet = PACKET_NONE;
    int error = packet_alloc(&packet, owner, headroom, length);
    expect_equal(error, 0);
    return packet;
}

/* Allocates packets of a block until there is none. */
static unsigned allocate_all(void)
{
    unsigned count = 0;
    while (packet_alloc(&held[count], app, 0, 1) == 0) {
        count++;
        expect(count <= MOST_HELD);
    }
    return count;
}

static void free_all(unsigned count)
{
    while (count > 0) {
        packet_free(held[--count]);
    }
}

/* ---------------------------------------------------------------- the reserve */
TEST(two_frames_are_received_when_nothing_can_be_sent)
{
    unsigned count = allocate_all();
    packet_t first, second, third;
    expect_equal(count, packet_block_count - PACKET_RESERVED_BLOCKS);
    expect_equal(blocks_free(), PACKET_RESERVED_BLOCKS);
    expect_equal(packet_alloc_receive(&first, mac, FRAME), 0);
    expect_equal(packet_alloc_receive(&second, mac, FRAME), 0);
    expect_equal(packet_alloc_receive(&third, mac, FRAME), ERR_FULL);
    expect_equal(blocks_free(), 0);
    packet_free(first);
    packet_free(second);
    free_all(count);
    expect_none_left();
}

TEST(a_frame_is_one_block)
{
    uint8_t before = blocks_free();
    packet_t packet = allocated(app, 0, FRAME);
    expect_equal(before - blocks_free(), 1);
    expect(packet_flat(packet) != 0);
    packet_free(packet);
}

TEST(a_packet_does_not_grow_into_the_reserve)
{
    uint8_t byte = 1;
    packet_t packet = allocated(app, 0, PACKET_BLOCK_ROOM), rest;
    unsigned count = allocate_all();
    uint16_t before = refused(PACKET_TO_CHANGE);
    expect_equal(packet_append(packet, &byte, 1), ERR_FULL);
    expect_equal(packet_prepend(packet, &byte, 1), ERR_FULL);
    expect_equal(packet_split(packet, 1, &rest), ERR_FULL);
    packet_ref(packet);
    expect_equal(packet_unshare(&packet), ERR_FULL);
    expect_equal(refused(PACKET_TO_CHANGE), before + 4);
    packet_free(packet);
    packet_free(packet);
    free_all(count);
    expect_none_left();
}

TEST(what_was_refused_is_counted_by_its_purpose)
{
    packet_t packet;
    uint16_t sends = refused(PACKET_TO_SEND), receptions = refused(PACKET_TO_RECEIVE);
    expect_equal(packet_alloc(&packet, app, UINT16_MAX - 100, 200), ERR_FULL);
    expect_equal(packet_alloc(&packet, app, 0, UINT16_MAX), ERR_FULL);
    expect_equal(packet_alloc_receive(&packet, mac, UINT16_MAX), ERR_FULL);
    expect_equal(refused(PACKET_TO_SEND), sends + 2);
    expect_equal(refused(PACKET_TO_RECEIVE), receptions + 1);
    packet_pool.refused[PACKET_TO_SEND] = UINT16_MAX;
    expect_equal(packet_alloc(&packet, app, 0, UINT16_MAX), ERR_FULL);
    expect_equal(refused(PACKET_TO_SEND), UINT16_MAX);
}

TEST(the_least_free_blocks_are_remembered)
{
    struct packet_statistics statistics;
    packet_statistics(&statistics);
    expect_equal(statistics.least_free, 0); /* the tests above have used all */
    expect_equal(statistics.free, statistics.blocks);
}

/* ---------------------------------------------------------------- who has what */
TEST(packets_are_found_with_their_owners)
{
    packet_t packet = allocated(app, 20, 3), other = allocated(app, 0, FRAME);
    struct packet_look look = {0};
    packet_own(other, mac);
    packet_ref(other);
    unsigned found = 0;
    while (packet_look(&look)) {
        bool is_other = look.packet == other;
        expect(is_other || look.packet == packet);
        expect(look.owner == (is_other ? mac : app));
        expect_equal(look.references, is_other ? 2 : 1);
        expect_equal(look.length, is_other ? FRAME : 3);
        expect(look.blocks >= 1);
        found++;
    }
    expect_equal(found, 2);
    packet_free(other);
    packet_free(other);
    packet_free(packet);
    expect_none_left();
}

/* A freed identifier is not given out again while there are other free blocks. */
TEST(a_freed_block_is_the_last_to_be_used_again)
{
    packet_t first = allocated(app, 0, 1);
    packet_free(first);
    for (unsigned count = 1; count < packet_block_count; count++) {
        packet_t packet = allocated(app, 0, 1);
        expect(packet != first);
        packet_free(packet);
    }
    packet_t again = allocated(app, 0, 1);
    expect_equal(again, first);
    packet_free(again);
}

/* ---------------------------------------------------------------- attributes */
TEST(attributes_begin_at_0_and_stay_with_the_packet)
{
    packet_t packet = allocated(app, 0, 50), rest;
    struct packet_attributes *attributes = packet_attributes(packet);
    expect(attributes->dbm == 0 && attributes->lqi == 0);
    expect(attributes->channel == 0 && attributes->flags == 0);
    expect(attributes->source == 0 && attributes->type == 0);
    *attributes = (struct packet_attributes){
        .dbm = -91, .lqi = 200, .channel = 26, .flags = 5, .source = 0x1234, .type = 6};
    expect_equal(packet_prepend(packet, 0, 100), 0);
    expect_equal(packet_split(packet, 120, &rest), 0);
    packet_trim_front(packet, 120);
    packet_free(packet);
    attributes = packet_attributes(rest);
    expect(attributes->dbm == -91 && attributes->lqi == 200);
    expect(attributes->channel == 26 && attributes->flags == 5);
    expect(attributes->source == 0x1234 && attributes->type == 6);
    packet_free(rest);
}

/* ---------------------------------------------------------------- layers */
TEST(headers_go_in_front_and_a_trailer_behind)
{
    char text[16];
    packet_t packet = allocated(app, 12, 0);
    uint8_t before = blocks_free();
    expect_equal(packet_append(packet, "data", 4), 0);
    expect_equal(packet_prepend(packet, "udp ", 4), 0);
    expect_equal(packet_prepend(packet, "ip ", 3), 0);
    expect_equal(packet_prepend(packet, "mac ", 4), 0);
    expect(before - blocks_free() <= 1);
    expect_equal(packet_length(packet), 15);
    packet_read(packet, 0, text, 15);
    text[15] = 0;
    expect(strcmp(text, "mac ip udp data") == 0);
    packet_trim_front(packet, 7);
    packet_trim_back(packet, 4);
    packet_read(packet, 0, text, 4);
    expect(memcmp(text, "udp ", 4) == 0);
    packet_free(packet);
    expect_none_left();
}

/* What a layer with little room in front, and one with little behind, add to a frame. */
TEST(a_frame_stays_one_block_while_it_has_room)
{
    uint8_t before = blocks_free();
    char text[8];
    packet_t packet = allocated(app, 200, PACKET_BLOCK_ROOM - 8);
    packet_trim_back(packet, PACKET_BLOCK_ROOM - 12);
    packet_write(packet, 0, "data", 4);
    expect_equal(packet_append(packet, 0, PACKET_BLOCK_ROOM - 8), 0);
    expect_equal(packet_prepend(packet, "mac ", 4), 0);
    expect_equal(before - blocks_free(), 1);
    packet_read(packet, 0, text, 8);
    expect(packet_flat(packet) != 0 && memcmp(text, "mac data", 8) == 0);
    expect_equal(packet_length(packet), PACKET_BLOCK_ROOM);
    packet_trim_front(packet, 4);
    packet_read(packet, 0, text, 4);
    expect(memcmp(text, "data", 4) == 0);
    packet_free(packet);
    expect_none_left();
}

/* Short parts are several blocks until the frame is made of them. */
TEST(parts_become_one_block_by_unsharing)
{
    uint8_t before = blocks_free();
    char text[8];
    packet_t packet = allocated(app, 10, 4), behind = allocated(app, 0, 4);
    packet_write(packet, 0, "mac ", 4);
    packet_write(behind, 0, "data", 4);
    packet_join(packet, behind);
    expect(packet_flat(packet) == 0);
    expect_equal(packet_unshare(&packet), 0);
    expect_equal(before - blocks_free(), 1);
    packet_read(packet, 0, text, 8);
    expect(packet_flat(packet) != 0 && memcmp(text, "mac data", 8) == 0);
    packet_free(packet);
    expect_none_left();
}

/* ---------------------------------------------------------------- events and threads */
QUEUE(packets, packet_t, 4);
static volatile int event_error;

EVENT(sends)
{
    packet_t packet;
    event_error = packet_alloc(&packet, mac, 0, 5);
    if (event_error == 0) {
        packet_write(packet, 0, "event", 5);
        event_error = queue_try_send(&packets, &packet);
    }
}

TEST(an_event_hands_a_packet_to_a_thread)
{
    packet_t packet = PACKET_NONE;
    char text[5];
    event_post(&sends);
    expect_equal(event_error, 0);
    queue_receive(&packets, &packet);
    packet_read(packet, 0, text, 5);
    expect(memcmp(text, "event", 5) == 0);
    packet_free(packet);
    expect_none_left();
}

/* ---------------------------------------------------------------- interrupts */
PACKET_SPARES(spares, "radio", 2, FRAME);
QUEUE_RT(frames, packet_t, 4, LEVEL_DRIVER);
static volatile unsigned missed;

static inline __attribute__((always_inline)) void receive(unsigned level)
{
    if (level != LEVEL_DRIVER) {
        return;
    }
    packet_t packet = packet_spares_take(&spares);
    if (packet == PACKET_NONE) {
        missed++;
        return;
    }
    packet_write(packet, 0, "frame", 5);
    if (queue_send_from(&frames, &packet, LEVEL_DRIVER) != 0) {
        missed++;
    }
}

SOFTWARE_INTERRUPTS(receive)

static packet_t next_frame(void)
{
    packet_t packet = PACKET_NONE;
    expect_equal(queue_try_receive(&frames.queue, &packet), 0);
    return packet;
}

TEST(interrupts_take_packets_that_are_ready)
{
    software_interrupts_enable();
    missed = 0;
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(missed, 1); /* none is ready yet */
    expect_equal(packet_spares_fill(&spares), 0);
    uint8_t before = blocks_free();
    expect_equal(packet_spares_fill(&spares), 0); /* nothing to do */
    expect_equal(blocks_free(), before);
    for (unsigned i = 0; i < 3; i++) {
        software_interrupts(1u << LEVEL_DRIVER);
    }
    expect_equal(missed, 2);
    packet_t first = next_frame(), second = next_frame();
    char text[5];
    packet_read(second, 0, text, 5);
    expect(first != second && memcmp(text, "frame", 5) == 0);
    expect_equal(packet_length(first), FRAME);
    packet_trim_back(first, FRAME - 5);
    packet_free(first);
    packet_free(second);
    expect_none_left();
}

TEST(spares_may_use_the_reserve)
{
    unsigned count = allocate_all();
    expect_equal(packet_spares_fill(&spares), 0);
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(packet_spares_fill(&spares), ERR_FULL);
    packet_free(next_frame());
    expect_equal(packet_spares_fill(&spares), 0);
    free_all(count);
    packet_free(packet_spares_take(&spares));
    packet_free(packet_spares_take(&spares));
    expect_equal(packet_spares_take(&spares), PACKET_NONE);
    expect_none_left();
}
