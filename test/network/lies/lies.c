/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends messages of dissemination that lie: objects that no store can hold, parts behind the end,
 * of the wrong length or of another object, requests for parts that nobody has, messages that are
 * cut short, and random ones. Between them are announcements of a newer object that does not exist.
 */
#include <lichen/am.h>
#include <lichen/dissemination.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

LINK_FRAMES(3, 110);

enum { ROUNDS = 30, ROUNDS_CREDIBLE = 6, PAUSE_MS = 150, MOST = 110 };

static uint8_t bytes[MOST];

static void send(uint8_t length)
{
    (void)!am_send(AM_ALL, DISSEMINATION_TYPE, bytes, length);
    sleep_ms(PAUSE_MS);
}

static void put16(uint8_t at, uint16_t number)
{
    bytes[at] = (uint8_t)(number >> 8);
    bytes[at + 1] = (uint8_t)number;
}

/* An announcement of object 5 or another one, whose length, CRC and parts are as good as any. */
static void announce(uint16_t number, uint16_t length, uint16_t have)
{
    random_bytes(bytes, sizeof(bytes));
    put16(0, 0x4000);
    put16(2, number);
    put16(4, length);
    put16(10, have);
    send(12);
}

static void lie(uint8_t round)
{
    if (round % ROUNDS_CREDIBLE == 0) {
        announce(6, 4096, 41);
    }
    announce(7, 0, 1);
    announce(7, UINT16_MAX, UINT16_MAX);
    announce(UINT16_MAX, 60000, 600);
    announce(0, 4096, 41);
    announce(6, 4096, UINT16_MAX);
    random_bytes(bytes, sizeof(bytes));
    put16(0, 0x8000);
    send(18);
    for (uint8_t i = 0; i < 4; i++) {
        random_bytes(bytes, sizeof(bytes));
        send((uint8_t)random_below(MOST + 1));
        bytes[0] &= 0x3f;
        send((uint8_t)(1 + random_below(MOST)));
        put16(0, (uint16_t)random_below(50));
        send(104);
    }
}

THREAD(liar, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    if (link_open(0) != 0) {
        print("not open\n");
    }
    for (uint8_t i = 0; i < ROUNDS; i++) {
        lie(i);
    }
    print("lied\n");
}
