/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Motes send numbered messages to one, for a time, each number until it has been acknowledged. Then
 * they tell it their last numbers. It is slow now and then, so that its queue becomes full, and at
 * the end it says whether each message that was acknowledged has come or is counted. A line says
 * which one a mote is:
 *
 *     receiver 14   of fourteen senders
 *     sender
 */
#include <stdlib.h>
#include <string.h>

#include <lichen/am.h>
#include <lichen/console.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    NUMBERED = 33, /* types of messages */
    LAST = 34,
    RECEIVER = 1, /* its address; those of senders are made of their serial numbers */
    SENDERS = 14,
    BYTES = 20,
    LENGTH_S = 4,
    TIMES_TOLD = 3,  /* one may come when there is no place */
    SLOW_EVERY = 50, /* messages */
    SLOW_MS = 40,
    FAIR_PERCENT = 80, /* of Jain's index */
    LINE_SIZE = 16,
};

AM_RECEIVER_ALL(messages, 4);

static void open(uint16_t address)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = address};
    int error = link_open(&settings);

    if (error != 0) {
        print("link: %s\n", error_name(error));
    }
}

/* -------- a sender */

static bool send(uint8_t type, uint16_t number)
{
    static uint8_t bytes[BYTES];

    bytes[0] = (uint8_t)(number >> 8);
    bytes[1] = (uint8_t)number;
    return am_send(RECEIVER, type, bytes, sizeof(bytes)) == 0;
}

static void be_sender(void)
{
    uint64_t end = time_now_us() + LENGTH_S * TIME_US_PER_S;
    uint16_t last = 0;

    open(LINK_ALL);
    while (time_now_us() < end) {
        last = (uint16_t)(last + send(NUMBERED, (uint16_t)(last + 1)));
    }
    for (uint8_t i = 0; i < TIMES_TOLD; i++) {
        sleep_us(random_below(TIME_US_PER_S));
        (void)send(LAST, last);
    }
}

/* -------- the receiver */

static struct share {
    uint16_t source, last, missing, told;
} shares[SENDERS + 1]; /* the last one of who is one too many */

static struct share *share_of(uint16_t source)
{
    struct share *share = shares;

    while (share < shares + SENDERS && share->source != 0 && share->source != source) {
        share++;
    }
    share->source = source;
    return share;
}

/* One that was not acknowledged may come again. */
static void note(struct share *share, uint16_t number)
{
    if (number > share->last) {
        share->missing = (uint16_t)(share->missing + number - share->last - 1);
        share->last = number;
    }
}

static void take_messages(void)
{
    const uint64_t slow_end = time_now_us() + LENGTH_S * TIME_US_PER_S;
    const uint64_t end = slow_end + (TIMES_TOLD + 1) * TIME_US_PER_S;
    struct am_message message;
    uint8_t bytes[2];

    for (unsigned i = 1; am_receive(&messages, &message, bytes, sizeof(bytes), end) == 0; i++) {
        struct share *share = share_of(message.source);
        uint16_t number = (uint16_t)(bytes[0] << 8 | bytes[1]);
        if (message.type == LAST) {
            share->told = number;
            number++; /* as if the one behind the last one had come */
        }
        note(share, number);
        if (i % SLOW_EVERY == 0 && time_now_us() < slow_end) {
            sleep_ms(SLOW_MS);
        }
    }
}

/* Messages that have come, and were dropped since nobody took them in time. */
static uint16_t full(void)
{
    struct link_loss loss;
    uint16_t count = 0;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        char name[LINE_SIZE];
        print_into(name, sizeof(name), "%s", loss.name);
        if (strcmp(name, "receiver full") == 0) {
            count = (uint16_t)(count + loss.count);
        }
    }
    return count;
}

static void be_receiver(uint8_t senders)
{
    uint32_t missing = 0, came = 0, squares = 0, told = 0;

    open(RECEIVER);
    take_messages();
    for (uint8_t i = 0; i < senders; i++) {
        uint32_t own = shares[i].told - shares[i].missing;
        missing += shares[i].missing;
        told += shares[i].told > 0;
        came += own;
        squares += own * own;
    }
    print("%lu told, %lu came, %lu missing, %u counted\n", (unsigned long)told, (unsigned long)came,
          (unsigned long)missing, full());
    print("%s\n", told == senders && missing <= full() ? "all accounted" : "lost in silence");
    print("%s\n", missing > 0 ? "some were lost" : "none was lost");
    print("%s\n", came * came / senders * 100 >= FAIR_PERCENT * squares ? "fair" : "unfair");
}

THREAD(shares_main, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    static char line[LINE_SIZE];

    console_read_line(line, sizeof(line));
    if (line[0] == 'r') {
        be_receiver((uint8_t)atoi(strchr(line, ' ') + 1));
    } else {
        be_sender();
    }
}
