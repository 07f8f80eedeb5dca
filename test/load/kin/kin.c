/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An image whose programs come over a link that is secured, to motes that listen and to leaves that
 * sleep. It prints its addresses, the extended and the short one; lines tell it those of others:
 *
 *     d ADDRESSES    a neighbour
 *     c ADDRESSES    a neighbour that is this mote's child
 *     p ADDRESSES    a neighbour that is this leaf's parent
 */
#include <lichen/console.h>
#include <lichen/link_security.h>
#include <lichen/loader_air.h>
#include <lichen/loader_serial.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { LINE = 24, OPEN_MS = 600, PERIOD_MS = 2000 };

static const uint8_t key[LINK_KEY_BYTES] = {0x4b, 0x69, 0x6e};
static struct link_settings settings = {
    .pan = LINK_PAN_USUAL,
    .short_address = LINK_ALL,
    .level = LINK_LEVEL_ENC_MIC_32,
    .key = {.mode = LINK_KEY_INDEX, .index = 1},
};

LINK_SECURED(1, 3);
LINK_NEIGHBOURS(4);
PACKET_POOL(8);
LOADER_WITH(608, PRIORITY_LOW);
LOADER_SERIAL("kin");
LOADER_OVER_THE_AIR(&settings);
DISSEMINATION_LEAF;
DISSEMINATION_PARENT;

static uint8_t digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void read_bytes(const char *text, uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    }
}

static int sleep_below(const struct link_address *parent)
{
    settings.flags = LINK_SLEEPS;
    int error = link_open(&settings);

    return error != 0 ? error : link_poll(parent, PERIOD_MS);
}

static int meet(char kind, const uint8_t *extended, uint16_t short_address)
{
    struct link_address other = link_short(short_address);

    link_device_add(&link_security, extended, 0);
    int error = link_device_name(&link_security, extended, LINK_PAN_USUAL, short_address);

    if (error == 0 && kind == 'c') {
        error = link_child(&other, true);
    } else if (error == 0 && kind == 'p') {
        error = sleep_below(&other);
    }
    return error;
}

/* It sets the key before the loader's thread, which is less urgent, opens the link. */
THREAD(meets, 680, PRIORITY_HIGH)
{
    static char line[LINE];
    uint8_t bytes[LINK_EXTENDED_BYTES + 2];
    struct link_address own;
    int error = link_key_set(&link_security, &settings.key, key, LINK_LEVELS_USUAL);

    sleep_ms(OPEN_MS);
    link_own(&own);
    print("I am ");
    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        print("%02x", own.extended[i]);
    }
    print("%04x %d\n", own.short_address, error);
    for (;;) {
        console_read_line(line, sizeof(line));
        read_bytes(line + 2, bytes, sizeof(bytes));
        error = meet(line[0], bytes,
                     (uint16_t)(bytes[LINK_EXTENDED_BYTES] << 8 | bytes[LINK_EXTENDED_BYTES + 1]));
        print("met %d\n", error);
    }
}
