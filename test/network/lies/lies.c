/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends messages of dissemination that lie: objects that no store can hold, parts behind the end,
 * of the wrong length or of another object, requests for parts that nobody has, messages that are
 * cut short, and random ones; and of the object that others talk about parts of a wrong length or
 * behind its end. Between them are announcements of a newer object that does not exist.
 */
#include <lichen/am.h>
#include <lichen/dissemination.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

LINK_FRAMES(3, 110);
AM_RECEIVER(heard, DISSEMINATION_TYPE, 3);

enum { ROUNDS = 20, ROUNDS_CREDIBLE = 4, PAUSE_MS = 150, MOST = 110 };

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

/* Parts of 4,096 bytes. */
static void send_part(uint16_t index, uint16_t tag, uint8_t length)
{
    random_bytes(bytes, sizeof(bytes));
    put16(0, index);
    put16(2, tag);
    send(length);
}

static void lie_about_parts(void)
{
    static uint16_t tag;
    struct am_message message;

    while (am_try_receive(&heard, &message, bytes, sizeof(bytes)) == 0) {
        if (message.length >= 4 && bytes[0] < 0x40) {
            tag = (uint16_t)(bytes[2] << 8 | bytes[3]);
        }
    }
    for (uint16_t index = 0; index < 40; index += 8) {
        send_part(index, tag, 103);
    }
    send_part(40, tag, 104);
    send_part(41, tag, 104);
    send_part(0x3fff, tag, 104);
}

static void lie(uint8_t round)
{
    lie_about_parts();
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
