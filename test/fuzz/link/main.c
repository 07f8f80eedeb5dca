/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link's way from a received frame to a receiver, fed with hostile frames (hostile.h), and with
 * genuine ones that were changed on the way.
 *
 *     link SEED EXECUTIONS
 *
 * What must hold: each frame has been delivered, has been a request for data, or is counted by one
 * reason; what is delivered is the end of the frame; if the link is secured, it is a frame that was
 * secured with its key, unchanged, and new; the next true packet arrives; and no block is left.
 */
#include <lichen/am.h>
#include <lichen/time.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "hostile.h"
#include "net/ieee802154/frame.h"
#include "net/link/format.h"
#include "net/link/headers.h"

enum {
    PAN = 0x22,
    OWN = 0x1234,
    TRUE_ONE = 0x7777, /* the source of true packets, which no hostile frame has */
    TRUE_TYPE = 6,
    PERIOD = 500, /* frames with the same settings */
    STEP_US = 5000,
    REASONS = LOST_BY_LINK + FRAME_REFUSALS - 1 + LINK_REFUSALS - 1,
};

PACKET_POOL(12);
LINK_NEIGHBOURS(4);
LINK_SECURITY(link_security, 2, 4);

/* -------- receivers */

static struct link_receiver trues = {.queue = QUEUE_OF(packet_t, 2, 0)};
static struct link_receiver messages = {.queue = QUEUE_OF(packet_t, 2, 0)};
static struct link_receiver others = {.queue = QUEUE_OF(packet_t, 2, 0)};

/* As the linker lists them on a mote. */
const struct link_taker link_takers_begin[] = {
    {.receiver = &trues, .what = LINK_TAKES_TYPE, .type = TRUE_TYPE},
    {.receiver = &messages, .what = LINK_TAKES_MESSAGES},
    {.receiver = &others, .what = LINK_TAKES_ALL},
};
_Static_assert(sizeof(link_takers_begin) == 48, "and where its end is");
__asm__(".global link_takers_end\n\t.set link_takers_end, link_takers_begin + 48");

static unsigned requests;

/* A repeated one is counted as a repetition. */
void link_child_asks(const struct link_frame *frame)
{
    requests += !frame->is_repeated;
}

bool link_polled(const struct link_frame *frame)
{
    (void)frame;
    return false;
}

/* -------- settings */

static const struct link_settings variants[] = {
    {.pan = PAN, .short_address = OWN},
    {.pan = UINT16_MAX, .short_address = OWN, .flags = LINK_COORDINATOR},
    {.pan = PAN, .short_address = LINK_EXTENDED, .flags = LINK_2015},
    {.pan = PAN,
     .short_address = OWN,
     .level = LINK_LEVEL_ENC_MIC_32,
     .key = {.mode = LINK_KEY_INDEX, .index = 1}},
    {.pan = PAN,
     .short_address = LINK_EXTENDED,
     .flags = LINK_2015,
     .level = LINK_LEVEL_MIC_64,
     .key = {.mode = LINK_KEY_IMPLICIT}},
};

static const struct link_settings *settings;
static struct hostile_target target;

static void set(const struct link_settings *variant)
{
    static const uint8_t key[LINK_KEY_BYTES] = {1, 2, 3};
    struct link_address own;

    settings = variant;
    require(link_open(settings) == 0);
    link_own(&own);
    target.pan = settings->pan;
    target.address = settings->short_address;
    for (uint8_t i = 0; i < 8; i++) {
        target.extended[i] = own.extended[7 - i];
    }
    if (settings->level != LINK_LEVEL_NONE) {
        require(link_key_set(&link_security, &settings->key, key, LINK_LEVELS(settings->level)) ==
                0);
        require(link_device_name(&link_security, own.extended, PAN, OWN) == 0);
    }
}

/* -------- accounts */

static unsigned long lost[REASONS], delivered, asked, acknowledgments;

/* Each frame adds 1. The link's counts would stop at their largest value. */
static unsigned account(void)
{
    unsigned sum = link_counters.received + requests;

    delivered += link_counters.received;
    asked += requests;
    for (unsigned reason = 0; reason < REASONS; reason++) {
        uint16_t *count = link_lost_count((uint8_t)reason);
        sum += *count;
        lost[reason] += *count;
        *count = 0;
    }
    link_counters.received = 0;
    requests = 0;
    return sum;
}

static unsigned blocks_used(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return (unsigned)(statistics.blocks - statistics.free);
}

/* -------- one frame */

static struct hostile_frame frame;
static packet_t last_one;
static uint64_t now_us;

static uint32_t noted;

void time_note(void)
{
    noted = (uint32_t)(now_us / (TIME_US_PER_S / TIME_NOTED_HZ));
}

uint32_t time_noted(void)
{
    return noted;
}

void time_known(struct time_moment *moment)
{
    moment->s = (uint32_t)(now_us / TIME_US_PER_S);
    moment->us = (uint32_t)(now_us % TIME_US_PER_S);
}

static void tell(void)
{
    fprintf(stderr, "settings %d, frame:", (int)(settings - variants));
    for (unsigned at = 0; at < frame.length; at++) {
        fprintf(stderr, " %02x", frame.bytes[at]);
    }
    fprintf(stderr, "\n");
}

/* What the radio's driver and the event level do with it. */
static void receive(void)
{
    packet_t packet;
    uint8_t sequence;
    bool pending;

    require(packet_alloc_receive(&packet, "fuzz", frame.length) == 0);
    packet_write(packet, 0, frame.bytes, frame.length);
    now_us += STEP_US;
    last_one = packet;
    (void)link_format_is_ack(packet, &sequence, &pending);
    packet_t ack = link_headers_ack_for(packet);
    if (ack != PACKET_NONE) {
        acknowledgments++;
        packet_free(ack);
    }
    link_incoming(packet);
    require(account() == 1);
}

static bool is_of_last_frame; /* the packet that was taken last */

/* Takes a packet, and returns its length. */
static uint16_t take(struct link_receiver *receiver, struct link_info *info, uint8_t *bytes)
{
    packet_t packet;

    if (link_try_receive(receiver, info, &packet) != 0) {
        return UINT16_MAX;
    }
    uint16_t length = packet_length(packet);
    require(length <= HOSTILE_MAX);
    is_of_last_frame = packet == last_one;
    packet_read(packet, 0, bytes, length);
    packet_free(packet);
    return length;
}

/* Takes what was delivered, in the order of its coming. */
static void take_all(void)
{
    struct link_receiver *const receivers[] = {&trues, &messages, &others};
    uint8_t bytes[HOSTILE_MAX];
    struct link_info info;

    for (unsigned i = 0; i < 3; i++) {
        while (take(receivers[i], &info, bytes) != UINT16_MAX) {
            require(info.is_secured == (settings->level != LINK_LEVEL_NONE));
        }
    }
    require(blocks_used() == 0);
}

/* A hostile frame has no key. */
static void feed_hostile(void)
{
    struct link_receiver *const receivers[] = {&trues, &messages, &others};
    uint8_t bytes[HOSTILE_MAX];
    struct link_info info;

    hostile_make(&target, &frame);
    for (unsigned at = 1; at < frame.length; at++) {
        if (frame.bytes[at - 1] == (TRUE_ONE & 0xff) && frame.bytes[at] == TRUE_ONE >> 8) {
            frame.bytes[at]--;
        }
    }
    unsigned long before = delivered;
    receive();
    require(delivered == before || settings->level == LINK_LEVEL_NONE);
    for (unsigned i = 0; i < 3 && hostile_any(4) != 0; i++) {
        uint16_t length = take(receivers[i], &info, bytes);
        if (length != UINT16_MAX && is_of_last_frame) {
            require(length <= frame.length &&
                    memcmp(frame.bytes + frame.length - length, bytes, length) == 0);
            require(!info.is_secured);
        }
    }
}

/* -------- true packets */

static uint8_t value;

/* A message to this mote, as another one with the key and the addresses of this one sends it. */
static void make_secured(void)
{
    static struct link_sending sending;
    const uint8_t bytes[] = {0x3f, TRUE_TYPE, ++value, 1, 2, 3};

    link_own(&sending.destination);
    sending.wants_ack = true;
    require(packet_alloc(&sending.packet, "fuzz", LINK_HEADROOM, sizeof(bytes)) == 0);
    packet_write(sending.packet, 0, bytes, sizeof(bytes));
    require(link_format_build(&sending) == LOST_NONE);
    frame.length = (uint8_t)packet_length(sending.packet);
    packet_read(sending.packet, 0, frame.bytes, frame.length);
    packet_free(sending.packet);
}

static void make_plain(void)
{
    uint8_t to = settings->short_address == LINK_EXTENDED ? 0xff : OWN & 0xff;
    uint8_t above = settings->short_address == LINK_EXTENDED ? 0xff : OWN >> 8;
    const uint8_t bytes[] = {0x41,
                             0x88,
                             ++value,
                             (uint8_t)settings->pan,
                             (uint8_t)(settings->pan >> 8),
                             to,
                             above,
                             0x77,
                             0x77,
                             0x3f,
                             TRUE_TYPE,
                             value,
                             1,
                             2,
                             3};

    frame.length = sizeof(bytes);
    memcpy(frame.bytes, bytes, sizeof(bytes));
}

static void make_true(void)
{
    if (settings->level == LINK_LEVEL_NONE) {
        make_plain();
    } else {
        make_secured();
    }
}

static void feed_true(void)
{
    uint8_t bytes[HOSTILE_MAX] = {0};
    struct link_info info;

    take_all();
    make_true();
    receive();
    require(take(&trues, &info, bytes) == 4 && bytes[0] == value && bytes[3] == 3);
    require(info.type == TRUE_TYPE && blocks_used() == 0);
}

/* A secured frame that was changed is refused; if nothing was, it comes once. */
static void feed_changed(void)
{
    struct hostile_frame before;

    make_secured();
    before = frame;
    do {
        hostile_change(&frame);
    } while (hostile_any(2) != 0);
    bool is_same =
        frame.length == before.length && memcmp(frame.bytes, before.bytes, frame.length) == 0;
    for (unsigned i = 0; i < 2; i++) {
        unsigned long delivered_before = delivered;
        take_all();
        receive();
        require(delivered - delivered_before == (is_same && i == 0));
    }
}

static void run(unsigned long executions)
{
    for (unsigned long execution = 0; execution < executions; execution++) {
        if (execution % PERIOD == 0) {
            take_all();
            set(&variants[execution / PERIOD % (sizeof(variants) / sizeof(variants[0]))]);
        }
        if (settings->level != LINK_LEVEL_NONE && hostile_any(2) != 0) {
            feed_changed();
        } else {
            feed_hostile();
        }
        if (hostile_any(16) == 0) {
            feed_true();
        }
    }
    take_all();
}

/* -------- */

/* Whether frames can be lost for this reason here: no sending, no frame longer than the air's, a
 * link with a cipher, and a receiver of all. That a frame ends before its MIC, the codec finds. */
static bool is_possible(unsigned reason)
{
    unsigned of_frame = reason - LOST_BY_LINK + 1;
    unsigned of_security = of_frame - FRAME_REFUSALS + 1;

    if (reason < LOST_BY_LINK) {
        return reason < LOST_NO_BLOCK && reason != LOST_SECURED && reason != LOST_HEADER &&
               reason != LOST_NO_RECEIVER;
    }
    if (of_frame < FRAME_REFUSALS) {
        return of_frame < FRAME_NOT_IN_VERSION && of_frame != FRAME_TOO_LONG;
    }
    return of_security < LINK_COUNTER_NONE && of_security != LINK_HEADER_CUT &&
           of_security != LINK_MIC_CUT;
}

static void print_results(unsigned long executions)
{
    struct link_loss loss;

    printf("%lu frames: %lu delivered, %lu requests, %lu to be acknowledged", executions, delivered,
           asked, acknowledgments);
    for (unsigned i = 1; i < REASONS && link_loss(i - 1, &loss) == 0; i++) {
        if (lost[i] != 0) {
            printf(", %lu %s %s", lost[i], loss.part, loss.name);
        }
        require(executions < 1000000 || !is_possible(i) || lost[i] != 0);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: link SEED EXECUTIONS\n");
        return 2;
    }
    unsigned long executions = strtoul(argv[2], 0, 10);
    hostile_begin((uint32_t)strtoul(argv[1], 0, 10));
    host_at_death(tell);
    run(executions);
    print_results(executions);
    return 0;
}
