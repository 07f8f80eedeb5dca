/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote of the histories of links (host/dev/model/src/link). Lines of its console:
 *
 *     s TO NUMBER COUNT LENGTH
 *                          sends messages with numbers from this one on, of so many bytes
 *     l                    prints counters
 *
 * What it prints:
 *
 *     started OWN          the link is open
 *     refused NUMBER ERROR
 *     ended NUMBER ERROR   0: acknowledged
 *     got FROM NUMBER
 *     spoilt FROM          a message with other bytes than were sent
 *     lost COUNT PART: NAME
 *     counted SENT RECEIVED
 *     deaf to COUNT characters
 *
 * Numbers in decimal.
 */
#include <lichen/am.h>
#include <lichen/console.h>
#include <lichen/print.h>
#include <lichen/thread.h>

enum { NUMBERED = 33, NUMBER_BYTES = 2, BYTES_MAX = 100, TRANSFERS = 4, LINE = 24, LOOK_MS = 10 };

AM_RECEIVER(numbered, NUMBERED, 3);
PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);

static struct {
    struct link_transfer transfer;
    uint16_t number;
    bool is_begun;
} sending[TRANSFERS];
static uint8_t bytes[BYTES_MAX]; /* of the message that is being made or read */

/* What a message with a number has behind it. */
static uint8_t filling(uint16_t number, uint8_t at)
{
    return (uint8_t)(number * 7u + at);
}

static void fill(uint8_t length, uint16_t number)
{
    bytes[0] = (uint8_t)(number >> 8);
    bytes[1] = (uint8_t)number;
    for (uint8_t i = NUMBER_BYTES; i < length; i++) {
        bytes[i] = filling(number, i);
    }
}

static bool is_intact(uint8_t length, uint16_t number)
{
    for (uint8_t i = NUMBER_BYTES; i < length; i++) {
        if (bytes[i] != filling(number, i)) {
            return false;
        }
    }
    return length >= NUMBER_BYTES && length <= BYTES_MAX;
}

static int begin(uint16_t to, uint16_t number, uint8_t length)
{
    for (uint8_t i = 0; i < TRANSFERS; i++) {
        if (!sending[i].is_begun) {
            sending[i].number = number;
            fill(length, number);
            int error = am_begin(&sending[i].transfer, to, NUMBERED, bytes, length);
            sending[i].is_begun = error == 0;
            return error;
        }
    }
    return ERR_BUSY;
}

static void tell_ends(void)
{
    for (uint8_t i = 0; i < TRANSFERS; i++) {
        if (sending[i].is_begun && !sending[i].transfer.active) {
            sending[i].is_begun = false;
            print("ended %u %u\n", sending[i].number, sending[i].transfer.result);
        }
    }
}

static void tell_arrivals(void)
{
    struct am_message message;

    while (am_try_receive(&numbered, &message, bytes, sizeof(bytes)) == 0) {
        uint16_t number = (uint16_t)(bytes[0] << 8 | bytes[1]);
        if (is_intact(message.length, number)) {
            print("got %u %u\n", message.source, number);
        } else {
            print("spoilt %u\n", message.source);
        }
    }
}

static void print_losses(void)
{
    struct link_loss loss;
    struct link_counters counters;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (loss.count > 0) {
            print("lost %u %s: %s\n", loss.count, loss.part, loss.name);
        }
    }
    link_count(&counters);
    print("counted %u %u\n", counters.sent, counters.received);
    if (console_lost_input() > 0) {
        print("deaf to %lu characters\n", (unsigned long)console_lost_input());
    }
}

static uint16_t read_number(const char **at)
{
    uint16_t number = 0;

    while (**at == ' ') {
        (*at)++;
    }
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        number = (uint16_t)(number * 10u + (uint16_t)(**at - '0'));
    }
    return number;
}

static void obey(const char *line)
{
    const char *at = line + 1;

    if (line[0] == 'l') {
        print_losses();
    } else if (line[0] == 's') {
        uint16_t to = read_number(&at), number = read_number(&at), count = read_number(&at);
        uint16_t length = read_number(&at);
        for (; count > 0; count--, number++) {
            int error = begin(to, number, (uint8_t)length);
            if (error != 0) {
                print("refused %u %d\n", number, error);
            }
        }
    } else if (line[0] != 0) {
        print("not understood: %s\n", line);
    }
}

/* Takes what has been typed, for a short time. */
static void listen(void)
{
    static char line[LINE];
    static uint8_t length;
    uint8_t byte;

    if (console_read_until(&byte, time_now_us() + LOOK_MS * TIME_US_PER_MS) != 0) {
        return;
    }
    if (byte == '\n') {
        line[length] = 0;
        length = 0;
        obey(line);
    } else if (length < LINE - 1) {
        line[length++] = (char)byte;
    }
}

/* One thread for all, which looks again and again: a message may wait until its queue is full. */
THREAD(act, ARCH_FLASH_IS_APART ? 384 : 576, PRIORITY_APP)
{
    struct link_address own;

    if (link_open(0) != 0) {
        print("not open\n");
    }
    link_own(&own);
    print("started %u\n", own.short_address);
    for (;;) {
        listen();
        tell_ends();
        tell_arrivals();
    }
}
