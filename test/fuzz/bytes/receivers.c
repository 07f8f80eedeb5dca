/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "receivers.h"

#include <lichen/am.h>

#include <string.h>

#include "../host/host.h"
#include "../link/hostile.h"

enum {
    COUNT_TYPE = 6,
    PLACES = 2, /* of each queue */
    RECEIVERS = 3,
    HEADER = 7,
    AM_BYTE = 0x3f,
};

LINK_FRAMES(FRAMES, ROOM);
PACKET_POOL(12);

static struct link_receiver counts = {.queue = QUEUE_OF(packet_t, PLACES, 0)};
static struct link_receiver messages = {.queue = QUEUE_OF(packet_t, PLACES, 0)};
static struct link_receiver others = {.queue = QUEUE_OF(packet_t, PLACES, 0)};
static struct link_receiver *const receivers[RECEIVERS] = {&counts, &messages, &others};

/* As the linker lists them on a mote. */
const struct link_taker link_takers_begin[] = {
    {.receiver = &others, .what = LINK_TAKES_ALL},
    {.receiver = &counts, .what = LINK_TAKES_TYPE, .type = COUNT_TYPE},
    {.receiver = &messages, .what = LINK_TAKES_MESSAGES},
};
_Static_assert(sizeof(link_takers_begin) == 48, "and where its end is");
__asm__(".global link_takers_end\n\t.set link_takers_end, link_takers_begin + 48");

/* -------- the model */

static struct {
    uint8_t frames[PLACES][HEADER + ROOM];
    unsigned length;
} model[RECEIVERS];

void frame_read(const uint8_t *frame, struct frame_content *content)
{
    *content = (struct frame_content){.bytes = frame + HEADER, .length = frame[4]};
    if (frame[6] < 0xfe) {
        content->is_message = true;
        content->type = frame[6];
    } else if (frame[4] >= 2 && frame[HEADER] == AM_BYTE) {
        content->is_message = true;
        content->type = frame[HEADER + 1];
        content->bytes += 2;
        content->length -= 2;
    }
}

static unsigned receiver_of(const uint8_t *frame)
{
    struct frame_content content;

    frame_read(frame, &content);
    return !content.is_message ? 2 : content.type == COUNT_TYPE ? 0 : 1;
}

bool receivers_expect(const uint8_t *frame)
{
    unsigned index = receiver_of(frame);
    unsigned at = model[index].length;

    if (at == PLACES) {
        return false;
    }
    memcpy(model[index].frames[at], frame, HEADER + frame[4]);
    model[index].length++;
    return true;
}

unsigned receivers_held(void)
{
    return model[0].length + model[1].length + model[2].length;
}

/* -------- what is there */

static uint16_t source_of(const uint8_t *frame)
{
    uint16_t source = (uint16_t)(frame[2] << 8 | frame[3]);

    return source == LINK_EXTENDED ? LINK_ALL : source;
}

static bool is_to_all(const uint8_t *frame)
{
    return (frame[0] & frame[1]) == 0xff;
}

static void compare_message(struct link_receiver *receiver, const uint8_t *frame)
{
    struct frame_content wanted;
    struct am_message message;
    uint8_t bytes[ROOM + 1];
    uint8_t size = (uint8_t)hostile_any(ROOM + 1);

    frame_read(frame, &wanted);
    memset(bytes, 0x5a, sizeof(bytes));
    require(am_try_receive(receiver, &message, bytes, size) == 0);
    require(message.source == source_of(frame) && message.to_all == is_to_all(frame));
    require(message.type == wanted.type && message.length == wanted.length && message.dbm == -60);
    uint8_t copied = wanted.length < size ? wanted.length : size;
    require(memcmp(bytes, wanted.bytes, copied) == 0 && bytes[copied] == 0x5a);
}

static void compare_packet(struct link_receiver *receiver, const uint8_t *frame)
{
    struct frame_content wanted;
    struct packet_statistics statistics;
    struct link_info info;
    packet_t packet;
    uint8_t bytes[ROOM];

    frame_read(frame, &wanted);
    require(link_try_receive(receiver, &info, &packet) == 0);
    require(info.source.short_address == source_of(frame) && info.to_all == is_to_all(frame));
    require(packet_length(packet) == wanted.length && !info.is_secured);
    packet_read(packet, 0, bytes, wanted.length);
    require(memcmp(bytes, wanted.bytes, wanted.length) == 0);
    packet_free(packet);
    packet_statistics(&statistics);
    require(statistics.free == statistics.blocks);
}

bool receivers_take(unsigned index)
{
    struct link_receiver *receiver = receivers[index];
    struct am_message message;
    const uint8_t *first = model[index].frames[0];

    if (model[index].length == 0) {
        require(am_try_receive(receiver, &message, 0, 0) != 0);
        return false;
    }
    if (receiver != &others && hostile_any(2) != 0) {
        compare_message(receiver, first);
    } else {
        compare_packet(receiver, first);
    }
    model[index].length--;
    memmove(model[index].frames[0], model[index].frames[1], sizeof(model[index].frames[0]));
    return true;
}

void receivers_take_some(void)
{
    for (unsigned index = 0; index < RECEIVERS; index++) {
        if (hostile_any(2) != 0) {
            (void)receivers_take(index);
        }
    }
}

void receivers_take_all(void)
{
    for (unsigned index = 0; index < RECEIVERS; index++) {
        while (receivers_take(index)) {
        }
    }
}
