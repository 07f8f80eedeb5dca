/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The way of a frame of TinyOS from the bytes of a CC1000 to a receiver, fed with hostile frames
 * (../link/hostile.h) at any bit, of any length, cut off, with wrong checksums, with parts of words
 * in odd places.
 *
 *     bytes SEED EXECUTIONS
 *
 * What must hold: a frame on the air is handed on as it is, or is counted by one reason; one that
 * is handed on is for others, or is in its receiver's queue, or is a request for data, or is
 * counted by one reason, and acknowledged accordingly; what comes out of the queues is what went
 * in; only the three bytes of an acknowledgment are one; and no frame and no block is lost.
 */
#include <lichen/am.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "../link/hostile.h"
#include "air.h"
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/driver.h"
#include "net/byte_link/byte_link.h"
#include "receivers.h"

enum {
    OWN = 0x1234,
    GROUP = 0x22,
    PREAMBLE_LEAST = 6,
    IN_A_ROW = 3,
    ACK_WORD = ACK_BEFORE << 16 | ACK_FIRST << 8 | ACK_LAST,
};

static const struct hostile_target target = {.pan = GROUP, .address = OWN};

static bool one_in(uint32_t count)
{
    return hostile_any(count) == 0;
}

static uint16_t crc_of(const uint8_t *bytes, unsigned count)
{
    uint16_t crc = 0;

    for (unsigned i = 0; i < count; i++) {
        crc ^= (uint16_t)(bytes[i] << 8);
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
        }
    }
    return crc;
}

/* -------- accounts */

static unsigned long lost[BYTE_LINK_REASONS], delivered, asked, ignored, acknowledged;
static unsigned long asked_before, ignored_before;

/* What has become of frames since the last time. The link's counts would stop at their largest
 * value. */
static unsigned account(void)
{
    unsigned sum = byte_link_counters.received;

    delivered += byte_link_counters.received;
    byte_link_counters.received = 0;
    for (unsigned reason = 0; reason < BYTE_LINK_REASONS; reason++) {
        sum += byte_link_losses[reason];
        lost[reason] += byte_link_losses[reason];
        byte_link_losses[reason] = 0;
    }
    sum += (unsigned)(asked - asked_before + ignored - ignored_before);
    asked_before = asked;
    ignored_before = ignored;
    return sum;
}

void byte_link_child_asks(uint16_t child)
{
    (void)child;
    asked++;
}

/* -------- a frame that is handed on */

static uint8_t handed_on[HEADER_BYTES + ROOM];
static bool has_handed_on, is_acknowledged;

static bool is_for_this(const uint8_t *frame)
{
    uint16_t to = (uint16_t)(frame[0] << 8 | frame[1]);

    return frame[GROUP_AT] == GROUP && (to == OWN || to == LINK_ALL);
}

/* Why it is lost. */
static uint8_t fate_of(const uint8_t *frame, bool is_own)
{
    if (frame[TYPE_AT] == TYPE_REQUEST) {
        return LOST_NONE;
    }
    if (is_own && frame[TYPE_AT] == TYPE_PACKET && frame[LENGTH_AT] == 0) {
        return LOST_EMPTY;
    }
    return receivers_expect(frame) ? LOST_NONE : LOST_RECEIVER_FULL;
}

bool cc1000_user_received(uint8_t *frame)
{
    uint8_t length = (uint8_t)(HEADER_BYTES + frame[LENGTH_AT]);
    bool is_own = frame[0] == OWN >> 8 && frame[1] == (OWN & 0xff);
    uint8_t fate = LOST_NO_RECEIVER;
    unsigned long asked_until = asked;

    require(length <= sizeof(handed_on));
    require(crc_of(frame, length) == (frame[length] | frame[length + 1] << 8));
    memcpy(handed_on, frame, length);
    has_handed_on = true;
    if (is_for_this(frame)) {
        fate = fate_of(frame, is_own);
    } else {
        ignored++;
    }
    uint16_t before = byte_link_losses[fate];
    bool acks = byte_link_received(frame);
    require(acks == (is_for_this(handed_on) && is_own && fate != LOST_RECEIVER_FULL));
    require((asked != asked_until) ==
            (is_for_this(handed_on) && handed_on[TYPE_AT] == TYPE_REQUEST));
    require(byte_link_losses[fate] == before + (fate == LOST_EMPTY || fate == LOST_RECEIVER_FULL));
    return acks;
}

void cc1000_user_note(uint8_t loss)
{
    byte_link_note(loss);
}

static void step(void)
{
    if (cc1000_receive_step()) {
        is_acknowledged = cc1000_receive_asks_acknowledgment();
        acknowledged += is_acknowledged;
    }
}

static unsigned frames_used(void)
{
    unsigned used = 0;

    for (unsigned i = 0; i < FRAMES; i++) {
        used += link_frame_is_used[i];
    }
    return used;
}

static bool has_memory(void)
{
    return receivers_held() < FRAMES;
}

static void check_memory(void)
{
    require((byte_link_state.receiving != 0) == has_memory());
    require(frames_used() == receivers_held() + has_memory());
}

/* -------- a frame on the air */

static struct hostile_frame frame;
static uint8_t content[HOSTILE_MAX + CRC_BYTES + 160]; /* behind the synchronization word */
static unsigned content_length;

static void tell(void)
{
    fprintf(stderr, "content:");
    for (unsigned at = 0; at < content_length; at++) {
        fprintf(stderr, " %02x", content[at]);
    }
    fprintf(stderr, ", silence %02x\n", air_silence);
}

/* With a checksum, cut off or followed by something. */
static void make_content(void)
{
    hostile_make_bytes(&target, &frame);
    unsigned covered = frame.length;
    if (covered > LENGTH_AT && frame.bytes[LENGTH_AT] + HEADER_BYTES < (int)covered) {
        covered = frame.bytes[LENGTH_AT] + HEADER_BYTES;
    }
    memcpy(content, frame.bytes, covered);
    uint16_t crc = crc_of(content, covered);
    if (one_in(8)) {
        crc ^= (uint16_t)(1 + hostile_any(UINT16_MAX));
    }
    content[covered] = (uint8_t)crc;
    content[covered + 1] = (uint8_t)(crc >> 8);
    content_length = covered + CRC_BYTES;
    if (one_in(8)) {
        content_length = hostile_any(content_length);
    }
}

/* Parts of words, which are none. */
static void put_odd(void)
{
    static const uint8_t odd[][4] = {
        {ACK_BEFORE, ACK_FIRST, ACK_LAST, 0},         {SYNC_FIRST, SYNC_LAST, 0x12, 0x34},
        {PREAMBLE, PREAMBLE, SYNC_FIRST, SYNC_LAST},  {ACK_FIRST, ACK_LAST, PREAMBLE, 0},
        {PREAMBLE, PREAMBLE, PREAMBLE_SHIFTED, 0x3c}, {SYNC_LAST, SYNC_FIRST, SYNC_LAST, 0xff}};

    air_put(odd[hostile_any(sizeof(odd) / sizeof(odd[0]))], sizeof(odd[0]));
}

static void put_frame(void)
{
    for (unsigned i = PREAMBLE_LEAST + hostile_any(6); i > 0; i--) {
        air_put_byte(PREAMBLE);
    }
    air_put_byte(SYNC_FIRST);
    air_put_byte(SYNC_LAST);
    air_put(content, content_length);
}

static void begin_air(void)
{
    air_silence = one_in(2) ? 0xff : 0;
    air_begin((uint8_t)hostile_any(8));
    if (one_in(8)) {
        put_odd();
    }
}

static void play(void)
{
    has_handed_on = is_acknowledged = false;
    air_play(step);
    require(!cc1000_bytes_has_happened(BYTES_ACKED));
    check_memory();
}

/* What the receiver must make of it, silence behind it included: a reason, or LOST_NONE if it is
 * handed on. */
static uint8_t reason_of(void)
{
    unsigned length = HEADER_BYTES + content[LENGTH_AT];

    if (content[LENGTH_AT] > ROOM) {
        return LOST_BY_LINK + CC1000_TOO_LONG;
    }
    bool is_good = crc_of(content, length) == (content[length] | content[length + 1] << 8);
    return is_good ? LOST_NONE : LOST_BY_LINK + CC1000_CORRUPTED;
}

static void feed_one(void)
{
    bool had_memory = has_memory();

    make_content();
    begin_air();
    put_frame();
    memset(content + content_length, air_silence, sizeof(content) - content_length);
    play();
    uint8_t reason = had_memory ? reason_of() : LOST_BY_LINK + CC1000_OVERFLOWED;
    require(has_handed_on == (reason == LOST_NONE));
    require(reason == LOST_NONE || byte_link_losses[reason] == 1);
    require(!has_handed_on || memcmp(handed_on, content, HEADER_BYTES + content[LENGTH_AT]) == 0);
    require(account() == 1);
}

/* Without a pause between them, so that one that is cut off swallows the next. */
static void feed_several(void)
{
    begin_air();
    for (unsigned i = 0; i < IN_A_ROW; i++) {
        make_content();
        put_frame();
        for (unsigned gap = hostile_any(5); gap > 0; gap--) {
            air_put_byte((uint8_t)hostile_any(256));
        }
    }
    play();
    unsigned accounted = account();
    require(accounted >= 1 && accounted <= IN_A_ROW);
}

/* -------- acknowledgments */

static void feed_asked(void)
{
    air_silence = 0;
    air_begin((uint8_t)hostile_any(8));
    for (unsigned i = hostile_any(12); i > 0; i--) {
        if (one_in(2)) {
            air_put_byte(one_in(4) ? (uint8_t)hostile_any(256) : PREAMBLE);
        } else {
            put_odd();
        }
    }
    bool has_come = air_has(ACK_WORD);
    cc1000_bytes_ask();
    air_play(step);
    require(cc1000_bytes_has_happened(BYTES_ACKED) == has_come);
    require(account() == 0);
    cc1000_bytes_hunt();
}

/* -------- */

static void run(unsigned long executions)
{
    const struct link_settings settings = {.pan = GROUP, .short_address = OWN};

    require(link_open(&settings) == 0);
    cc1000_bytes_open();
    cc1000_bytes_hunt();
    for (unsigned long execution = 0; execution < executions; execution++) {
        if (one_in(16)) {
            feed_asked();
        } else if (one_in(16)) {
            feed_several();
        } else {
            feed_one();
        }
        if (one_in(2)) {
            receivers_take_some();
        }
        check_memory();
    }
    receivers_take_all();
    check_memory();
}

/* Whether frames can be lost for this reason here. */
static bool is_possible(unsigned reason)
{
    return reason == LOST_EMPTY || reason == LOST_RECEIVER_FULL ||
           (reason >= LOST_BY_LINK && reason <= LOST_BY_LINK + CC1000_OVERFLOWED);
}

static void print_results(unsigned long executions)
{
    struct link_loss loss;

    printf("%lu frames: %lu delivered, %lu requests, %lu for others, %lu to be acknowledged",
           executions, delivered, asked, ignored, acknowledged);
    for (unsigned i = 1; i < BYTE_LINK_REASONS && link_loss(i - 1, &loss) == 0; i++) {
        if (lost[i] != 0) {
            printf(", %lu %s %s", lost[i], loss.part, loss.name);
        }
        require((lost[i] != 0) == is_possible(i));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bytes SEED EXECUTIONS\n");
        return 2;
    }
    unsigned long executions = strtoul(argv[2], 0, 10);
    hostile_begin((uint32_t)strtoul(argv[1], 0, 10));
    host_at_death(tell);
    run(executions);
    print_results(executions);
    return 0;
}
