/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two motes and every kind of frame that the link sends: of 2003, 2006 and 2015, from a mote with
 * and without a short address, to one, to its extended address and to all, unsecured and with each
 * level of security; acknowledgments; requests of a child, and the answers. A line says which one a
 * mote is, `sender` or `receiver`. It begins each part at a time that both know, and prints
 *
 *     address OWN        its extended address
 *     got TEXT           what has come
 */
#include <string.h>

#include <lichen/am.h>
#include <lichen/console.h>
#include <lichen/link_security.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    SENDER = 1, /* short addresses */
    RECEIVER = 2,
    DISPATCH = 0x3f, /* of messages */
    ADDRESS = 7,     /* types of messages */
    TEXT_TYPE = 8,
    BEGIN_MS = 1500,
    PART_MS = 300,
    LEAD_MS = 100, /* the receiver is ready before */
    POLL_MS = 100,
    TEXT_MOST = 12,
    LINE_SIZE = 12,
};

LINK_SECURED(1, 2);
PACKET_POOL(8);
LINK_NEIGHBOURS(2);
AM_RECEIVER(addresses, ADDRESS, 1);
AM_RECEIVER(texts, TEXT_TYPE, 2);

static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 1};
static const uint8_t key[LINK_KEY_BYTES] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                            0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};
static const uint8_t levels[] = {
    LINK_LEVEL_NONE,       LINK_LEVEL_MIC_32,     LINK_LEVEL_MIC_64,     LINK_LEVEL_MIC_128,
    LINK_LEVEL_ENC_MIC_32, LINK_LEVEL_ENC_MIC_64, LINK_LEVEL_ENC_MIC_128};

/* For each level: with a short address and without, of 2003 or 2006 and of 2015. Then a child asks,
 * unsecured and secured. */
enum { KINDS = 4, PARTS = sizeof(levels) * KINDS, CHILD_PARTS = 2 };

static uint16_t own;
static struct link_address other = {.short_address = LINK_EXTENDED};

static void check(const char *what, int error)
{
    if (error != 0) {
        print("%s failed: %s\n", what, error_name(error));
    }
}

static void open(uint8_t level, uint8_t flags, bool is_short)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL,
                                           .short_address = is_short ? own : LINK_EXTENDED,
                                           .flags = flags,
                                           .level = level,
                                           .key = name};

    check(TEXT("open"), link_open(&settings));
}

static void send_text(const struct link_address *to, unsigned part, const char *what)
{
    char text[TEXT_MOST + 1];
    const uint8_t head[] = {DISPATCH, TEXT_TYPE};
    uint8_t length = (uint8_t)print_into(text, sizeof(text), "%02u %s", part, what);
    packet_t packet;
    int error = packet_alloc(&packet, TEXT("kinds"), LINK_HEADROOM, sizeof(head) + length);

    if (error == 0) {
        packet_write(packet, 0, head, sizeof(head));
        packet_write(packet, sizeof(head), text, length);
        error = link_send(to, packet, TIME_NEVER);
    }
    check(what, error);
}

static void print_texts_until(uint64_t end)
{
    struct am_message message;
    char text[TEXT_MOST + 1];

    while (am_receive(&texts, &message, text, TEXT_MOST, end) == 0) {
        text[message.length] = 0;
        print("got %s\n", text);
    }
}

/* Each tells the other one its extended address, by which frames are secured. */
static void meet(uint16_t of_other)
{
    struct link_address me;
    struct am_message message;

    open(LINK_LEVEL_NONE, 0, true);
    link_own(&me);
    print("address %02x%02x%02x%02x%02x%02x%02x%02x\n", me.extended[0], me.extended[1],
          me.extended[2], me.extended[3], me.extended[4], me.extended[5], me.extended[6],
          me.extended[7]);
    sleep_until_us((uint64_t)(BEGIN_MS - 2 * PART_MS + (own == SENDER ? LEAD_MS : 0)) *
                   TIME_US_PER_MS);
    check(TEXT("address"), am_send(AM_ALL, ADDRESS, me.extended, sizeof(me.extended)));
    check(TEXT("no address"), am_receive(&addresses, &message, other.extended,
                                         sizeof(other.extended), BEGIN_MS * TIME_US_PER_MS));
    check(TEXT("name"), link_device_name(&link_security, other.extended, LINK_PAN_USUAL, of_other));
}

static uint64_t begin_of(unsigned part)
{
    return (uint64_t)(BEGIN_MS + part * PART_MS) * TIME_US_PER_MS;
}

static void be_sender(void)
{
    const struct link_address all = link_short(LINK_ALL), one = link_short(RECEIVER);
    unsigned part = 0;

    meet(RECEIVER);
    for (; part < PARTS; part++) {
        sleep_until_us(begin_of(part) + LEAD_MS * TIME_US_PER_MS);
        open(levels[part / KINDS], (part & 1) != 0 ? LINK_2015 : 0, (part & 2) == 0);
        send_text(&one, part, TEXT("one"));
        send_text(&other, part, TEXT("extended"));
        send_text(&all, part, TEXT("all"));
    }
    check(TEXT("child"), link_child(&one, true));
    for (; part < PARTS + CHILD_PARTS; part++) {
        sleep_until_us(begin_of(part));
        open(part == PARTS ? LINK_LEVEL_NONE : LINK_LEVEL_ENC_MIC_32, 0, true);
        sleep_ms(LEAD_MS / 2);
        send_text(&one, part, TEXT("child"));
    }
}

static void be_receiver(void)
{
    const struct link_address parent = link_short(SENDER);
    unsigned part = 0;

    meet(SENDER);
    for (; part < PARTS; part++) {
        print_texts_until(begin_of(part));
        open(levels[part / KINDS], 0, true);
    }
    for (; part < PARTS + CHILD_PARTS; part++) {
        print_texts_until(begin_of(part));
        open(part == PARTS ? LINK_LEVEL_NONE : LINK_LEVEL_ENC_MIC_32, LINK_SLEEPS, true);
        check(TEXT("poll"), link_poll(&parent, POLL_MS));
    }
    print_texts_until(begin_of(part));
    check(TEXT("poll"), link_poll(&parent, 0));
    print("all parts are over\n");
}

THREAD(kinds, 704, PRIORITY_APP)
{
    static char line[LINE_SIZE];

    console_read_line(line, sizeof(line));
    own = line[0] == 's' ? SENDER : RECEIVER;
    check(TEXT("key"),
          link_key_set(&link_security, &name, key,
                       LINK_LEVELS_USUAL | LINK_LEVELS(LINK_LEVEL_MIC_32) |
                           LINK_LEVELS(LINK_LEVEL_MIC_64) | LINK_LEVELS(LINK_LEVEL_MIC_128)));
    if (own == SENDER) {
        be_sender();
    } else {
        be_receiver();
    }
}
