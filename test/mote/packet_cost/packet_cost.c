/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What calls of packet buffers cost, in cycles: the least of several rounds, in which no interrupt
 * of the console comes. lichen/packet.h states these numbers.
 */
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/time.h>

#include "cost_of_chip.h"
#include "net/ieee802154/frame.h"
#include "test.h"

#define ROUNDS  8u
#define LINE_MS 20u /* in which a test's output is sent */
#define FRAME   PACKET_FRAME_BYTES

static volatile cycles_t begun;
static volatile uint32_t least;
static packet_t packet;
static uint8_t bytes[FRAME];
static struct packet_piece piece;
static const char owner[] ARCH_TEXT_PLACED(owner) = "cost";
PACKET_SPARES(spares, "cost", 1, FRAME);

static inline __attribute__((always_inline)) void begin(void)
{
    begun = cycles_now();
}

static inline __attribute__((always_inline)) void end(void)
{
    cycles_t cycles = cycles_now() - begun;
    if (cycles < least) {
        least = cycles;
    }
}

static void nothing(void)
{
    begin();
    end();
}

static uint32_t least_of(void (*round)(void))
{
    sleep_ms(LINE_MS);
    least = UINT32_MAX;
    for (unsigned i = 0; i < ROUNDS; i++) {
        round();
    }
    return least;
}

/* The cycles of a round from begin to end, without these two calls. */
static uint32_t cycles_of(void (*round)(void))
{
    uint32_t both = least_of(nothing);
    return least_of(round) - both;
}

static void have(uint16_t headroom, uint16_t length)
{
    (void)!packet_alloc(&packet, owner, headroom, length);
}

static void alloc_short(void)
{
    begin();
    have(0, 10);
    end();
    packet_free(packet);
}

static void alloc_frame(void)
{
    begin();
    have(0, FRAME);
    end();
    packet_free(packet);
}

static void free_short(void)
{
    have(0, 10);
    begin();
    packet_free(packet);
    end();
}

static void free_frame(void)
{
    have(0, FRAME);
    begin();
    packet_free(packet);
    end();
}

static void prepend(void)
{
    have(12, 0);
    begin();
    (void)!packet_prepend(packet, bytes, 11);
    end();
    packet_free(packet);
}

static void append(void)
{
    have(0, 1);
    begin();
    (void)!packet_append(packet, bytes, 11);
    end();
    packet_free(packet);
}

static void trim(void)
{
    have(0, FRAME);
    begin();
    packet_trim_front(packet, 11);
    end();
    packet_free(packet);
}

static void write_frame(void)
{
    have(0, FRAME);
    begin();
    packet_write(packet, 0, bytes, FRAME);
    end();
    packet_free(packet);
}

static void read_frame(void)
{
    have(0, FRAME);
    begin();
    packet_read(packet, 0, bytes, FRAME);
    end();
    packet_free(packet);
}

static void gather(void)
{
    have(0, FRAME);
    begin();
    (void)packet_gather(packet, 0, &piece, 1);
    end();
    packet_free(packet);
}

static void cursor(void)
{
    struct packet_cursor place;
    have(0, FRAME);
    packet_cursor(&place, packet, 0);
    begin();
    (void)packet_cursor_u8(&place);
    end();
    packet_free(packet);
}

static void take_spare(void)
{
    (void)!packet_spares_fill(&spares);
    begin();
    packet = packet_spares_take(&spares);
    end();
    packet_free(packet);
}

/* How the program is laid out changes some jumps on AVR, by a cycle each. */
#define JUMPS 3u

/* A data frame of 2006 with short addresses, and the same with security of key mode 1. */
static const uint8_t plain[] = {0x41, 0x98, 7, 1, 2, 3, 4, 5, 6, 1, 2, 3};
static const uint8_t secured[] = {0x49, 0x98, 7, 1, 2, 3, 4, 5, 6, 0x0d,
                                  1,    2,    3, 4, 1, 1, 2, 3, 4, 5};
static struct frame frame;

static void parse(const uint8_t *from, uint16_t length)
{
    struct packet_cursor place;
    have(0, length);
    packet_write(packet, 0, from, length);
    packet_cursor(&place, packet, 0);
    begin();
    enum frame_refusal refusal = frame_parse(&frame, &place);
    end();
    expect_equal(refusal, FRAME_GOOD);
    packet_free(packet);
}

static void parse_plain(void)
{
    parse(plain, sizeof(plain));
}

static void parse_secured(void)
{
    parse(secured, sizeof(secured));
}

static void build_plain(void)
{
    uint8_t length;
    parse_plain();
    least = UINT32_MAX;
    begin();
    (void)frame_build(&frame, bytes, &length);
    end();
}

static void fcs_frame(void)
{
    begin();
    (void)fcs_of(FCS_BEGIN, bytes, FRAME);
    end();
}

static void check(const char *call, void (*round)(void), uint32_t cycles)
{
    uint32_t is = cycles_of(round);
    bool expected = is >= cycles - JUMPS && is <= cycles + JUMPS;
    if (!expected) {
        print("%s: %lu cycles\n", call, (unsigned long)is);
    }
    expect(expected);
}

TEST(calls_cost_what_the_header_states)
{
    check(TEXT("alloc_short"), alloc_short, ALLOC_SHORT);
    check(TEXT("alloc_frame"), alloc_frame, ALLOC_FRAME);
    check(TEXT("free_short"), free_short, FREE_SHORT);
    check(TEXT("free_frame"), free_frame, FREE_FRAME);
    check(TEXT("prepend"), prepend, PREPEND);
    check(TEXT("append"), append, APPEND);
    check(TEXT("trim"), trim, TRIM);
    check(TEXT("write_frame"), write_frame, WRITE_FRAME);
    check(TEXT("read_frame"), read_frame, READ_FRAME);
    check(TEXT("gather"), gather, GATHER);
    check(TEXT("cursor"), cursor, CURSOR);
    check(TEXT("take_spare"), take_spare, TAKE_SPARE);
}

TEST(the_codec_costs_what_its_headers_state)
{
    check(TEXT("parse_plain"), parse_plain, PARSE_PLAIN);
    check(TEXT("parse_secured"), parse_secured, PARSE_SECURED);
    check(TEXT("build_plain"), build_plain, BUILD_PLAIN);
    check(TEXT("fcs_frame"), fcs_frame, FCS_FRAME);
}
