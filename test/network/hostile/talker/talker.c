/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends hostile frames (test/fuzz/link/hostile.h) in rounds, and true packets among them, to a mote
 * that has told its addresses. At the end of each round it prints
 *
 *     round 3: 1000 hostile, 371 requests or acknowledgments, 0 for it
 *
 * where the last number is of frames of TinyOS that are for the receiver, and no requests.
 */
#include <lichen/link_security.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/queue.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include <string.h>

#include "../../../fuzz/link/hostile.h"
#include "../hostile.h"
#include "net/security/frame.h"

enum {
    HOSTILE = 1000, /* frames of a round */
    RUN = 25,       /* of them, until a true packet follows */
    PAUSE_MS = 12,
    PAUSE_OF_BYTES_MS = 30,
    CALM_MS = 60, /* around a true packet */
    ROUND_MS = 2500,
    AM_DISPATCH = 0x3f,
    HEADER_BYTES = 9,
    TINYOS_HEADER_BYTES = 7,
    SECURED_HEADER_BYTES = 15,
    MIC_BYTES = 4,
    CHANNEL = 26,
    CHANNEL_OF_BYTES = 2,
};

LINK_SECURITY(security, 1, 1);

static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 1};
static struct air_announcement told;
static struct hostile_target target;
static struct hostile_frame frame;
static uint8_t number;

static bool has_frames(void)
{
    return radio_facts.symbol_us == 16;
}

/* -------- the radio */

QUEUE(received, packet_t, 1);

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        if (queue_try_send(&received, &packet) != 0) {
            packet_free(packet);
        }
    }
}

SEMAPHORE(sent, 0);

EVENT(has_sent)
{
    semaphore_post(&sent);
}

static struct radio_transfer transfer = {.ended = &has_sent,
                                         .csma_retries = 4,
                                         .exponent_least = 3,
                                         .exponent_most = 5,
                                         .frame_retries = 3};

/* What the radio refuses to send is no frame of its kind. */
static bool send(uint8_t flags)
{
    transfer.flags = flags;

    if (packet_alloc(&transfer.packet, TEXT("talker"), 0, frame.length) != 0) {
        return false;
    }
    packet_write(transfer.packet, 0, frame.bytes, frame.length);
    bool is_sent = radio_send(&transfer) == 0;
    if (is_sent) {
        semaphore_wait(&sent);
        is_sent = transfer.result == 0;
    }
    packet_free(transfer.packet);
    return is_sent;
}

/* -------- true packets */

static void make_plain(uint8_t type, uint8_t value)
{
    const uint8_t bytes[] = {0x41,
                             0x88,
                             ++number,
                             (uint8_t)target.pan,
                             (uint8_t)(target.pan >> 8),
                             (uint8_t)target.address,
                             (uint8_t)(target.address >> 8),
                             (uint8_t)AIR_TALKER,
                             AIR_TALKER >> 8,
                             AM_DISPATCH,
                             type,
                             value};

    frame.length = sizeof(bytes);
    memcpy(frame.bytes, bytes, sizeof(bytes));
}

static void make_of_tinyos(uint8_t type, uint8_t value)
{
    const uint8_t bytes[] = {(uint8_t)(target.address >> 8),
                             (uint8_t)target.address,
                             AIR_TALKER >> 8,
                             (uint8_t)AIR_TALKER,
                             1,
                             (uint8_t)target.pan,
                             type,
                             value};

    frame.length = sizeof(bytes);
    memcpy(frame.bytes, bytes, sizeof(bytes));
}

/* The header with the security header behind it, and the payload. */
static void put_secured(uint8_t type, uint8_t value, const struct security_header *header)
{
    const uint8_t bytes[] = {0x49,
                             0xd8,
                             ++number,
                             (uint8_t)target.pan,
                             (uint8_t)(target.pan >> 8),
                             (uint8_t)target.address,
                             (uint8_t)(target.address >> 8)};
    const uint8_t payload[] = {AM_DISPATCH, type, value};
    uint8_t *at = frame.bytes + sizeof(bytes);

    memcpy(frame.bytes, bytes, sizeof(bytes));
    for (uint8_t i = 0; i < sizeof(air_talker); i++) {
        *at++ = air_talker[sizeof(air_talker) - 1 - i];
    }
    security_header_write(header, at);
    at += security_header_bytes(header);
    memcpy(at, payload, sizeof(payload));
    frame.length = (uint8_t)(at + sizeof(payload) + MIC_BYTES - frame.bytes);
}

static void make_secured(uint8_t type, uint8_t value)
{
    static struct security_pass pass;
    struct security_header header = {.key = name, .level = LINK_LEVEL_ENC_MIC_32};
    const uint8_t open =
        (uint8_t)(SECURED_HEADER_BYTES + security_header_bytes(&header)); /* everybody reads it */
    const struct security_outgoing out = {.key = &name,
                                          .sender = air_talker,
                                          .open_bytes = open,
                                          .private_bytes = 3,
                                          .level = LINK_LEVEL_ENC_MIC_32};

    if (security_outgoing_begin(&pass, &security, &out, &header) != LINK_GOOD) {
        print("failed to secure\n");
        return;
    }
    put_secured(type, value, &header);
    security_open(&pass, frame.bytes, open);
    security_private(&pass, frame.bytes + open, 3);
    security_outgoing_end(&pass, frame.bytes + open + 3);
}

static void make_true(uint8_t type, uint8_t value)
{
    if (!has_frames()) {
        make_of_tinyos(type, value);
    } else if (told.is_secured) {
        make_secured(type, value);
    } else {
        make_plain(type, value);
    }
}

/* Twice, and on the slow radio until it is acknowledged, since what hostile frames make the other
 * one send may be on the air. */
static void send_true(uint8_t type, uint8_t value)
{
    uint8_t flags = has_frames() ? 0 : RADIO_CSMA | RADIO_RETRY;

    make_true(type, value);
    for (unsigned i = 0; i < 2; i++) {
        sleep_ms(CALM_MS);
        (void)send(flags);
    }
    sleep_ms(CALM_MS);
}

/* -------- hostile frames */

static bool is_request_or_acknowledgment(void)
{
    if (!has_frames()) {
        return frame.length >= TINYOS_HEADER_BYTES && frame.bytes[6] == 0xff;
    }
    return (frame.bytes[0] & 7) == 2 || (frame.bytes[0] & 7) == 3;
}

static bool is_for_receiver(void)
{
    uint16_t to = (uint16_t)(frame.bytes[0] << 8 | frame.bytes[1]);

    return !has_frames() && (to == target.address || to == 0xffff) &&
           frame.bytes[5] == (uint8_t)target.pan && !is_request_or_acknowledgment();
}

/* Not from who sends true packets: a number of theirs would be taken before. */
static void disown(void)
{
    for (uint8_t at = 1; at < frame.length; at++) {
        if (frame.bytes[at - 1] == (AIR_TALKER & 0xff) && frame.bytes[at] == AIR_TALKER >> 8) {
            frame.bytes[at]--;
        }
    }
}

static void make(void)
{
    if (!has_frames()) {
        hostile_make_bytes(&target, &frame);
    } else if (told.is_secured && hostile_any(2) != 0) {
        make_secured(AIR_CHANGED, 0);
        hostile_change(&frame);
    } else {
        hostile_make(&target, &frame);
    }
    disown();
}

static void run_round(uint8_t round)
{
    static uint8_t value;
    unsigned hostile = 0, special = 0, for_it = 0;

    for (unsigned i = 1; i <= HOSTILE; i++) {
        make();
        if (send(0)) {
            hostile++;
            special += is_request_or_acknowledgment();
            for_it += is_for_receiver();
        }
        sleep_ms(has_frames() ? PAUSE_MS : PAUSE_OF_BYTES_MS);
        if (i % RUN == 0) {
            send_true(AIR_TRUE, ++value);
        }
    }
    send_true(AIR_ROUND, round);
    print("round %u: %u hostile, %u requests or acknowledgments, %u for it\n", round, hostile,
          special, for_it);
    sleep_ms(ROUND_MS);
}

/* -------- */

static int prepare(void)
{
    const struct radio_settings settings = {.channel = has_frames() ? CHANNEL : CHANNEL_OF_BYTES};
    int error = link_key_set(&security, &name, air_key, LINK_LEVELS_USUAL);

    error = error == 0 ? counter_reserve(security.counter) : error;
    error = error == 0 ? radio_set(&settings) : error;
    radio_listen(true);
    return error;
}

static void await_announcement(void)
{
    packet_t packet;
    uint16_t at;

    do {
        queue_receive(&received, &packet);
        at = (uint16_t)(packet_length(packet) - sizeof(told));
        packet_read(packet, at, &told, sizeof(told));
        packet_free(packet);
    } while (at > HEADER_BYTES + 2);
    target.pan = told.pan;
    target.address = AIR_ADDRESS;
    memcpy(target.extended, told.extended, sizeof(told.extended));
}

THREAD(talk, ARCH_FLASH_IS_APART ? 512 : 640, PRIORITY_APP)
{
    if (prepare() != 0) {
        print("failed to start\n");
    }
    await_announcement();
    hostile_begin(1);
    sleep_ms(1000);
    for (uint8_t round = 1;; round++) {
        run_round(round);
        (void)!counter_reserve(security.counter);
    }
}
