/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mailbox: a parent has numbered packets for children whose radios sleep, three at a time for each,
 * and tells what has become of them; a child tells what it got. A line says which one a mote is:
 *
 *     parent 2      of two children
 *     child 1       the first of them
 *
 *     ./lichen run app/mailbox/test/lossy.toml --board hamilton
 */
#include <string.h>

#include <lichen/am.h>
#include <lichen/console.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    NUMBER = 86, /* the type of the packets */
    PARENT = 1,  /* addresses; that of child 1 follows on the second one */
    CHILD = 0x10,
    CHILDREN = 2,
    PACKETS = 300, /* for each child */
    AT_A_TIME = 3,
    PERIOD_MS = 500,
    LOOK_MS = 10,
    LAST_S = 5, /* a child waits so long for what comes after the last number */
    LINE_SIZE = 16,
};

PACKET_POOL(ARCH_FLASH_IS_APART ? 6 : 16);
LINK_NEIGHBOURS(4);

AM_RECEIVER(numbers, NUMBER, 4);

/* Opens the link, and prints an error. */
static bool opens(uint16_t address, uint8_t flags)
{
    const struct link_settings settings = {
        .flags = flags, .pan = LINK_PAN_USUAL, .short_address = address};
    int error = link_open(&settings);

    if (error != 0) {
        print("link: %s\n", error_name(error));
    }
    return error == 0;
}

/* -------- the parent */

struct box {
    struct link_transfer transfers[AT_A_TIME];
    bool is_open[AT_A_TIME]; /* its outcome is not counted yet */
    uint16_t begun, arrived, timed_out, failed;
};
static struct box boxes[CHILDREN];

static void count(struct box *box, uint8_t result)
{
    if (result == 0) {
        box->arrived++;
    } else if (result == ERR_TIMEOUT) {
        box->timed_out++;
    } else {
        box->failed++;
    }
}

/* Returns how many have not ended. */
static uint8_t count_ended(struct box *box)
{
    uint8_t open = 0;

    for (uint8_t i = 0; i < AT_A_TIME; i++) {
        if (box->is_open[i] && !box->transfers[i].active) {
            box->is_open[i] = false;
            count(box, box->transfers[i].result);
        }
        open = (uint8_t)(open + box->is_open[i]);
    }
    return open;
}

static void fill(struct box *box, uint16_t address)
{
    for (uint8_t i = 0; i < AT_A_TIME && box->begun < PACKETS; i++) {
        const uint8_t payload[] = {(uint8_t)(box->begun >> 8), (uint8_t)box->begun};
        if (am_begin(&box->transfers[i], address, NUMBER, payload, sizeof(payload)) != 0) {
            return; /* the packets that it holds are sent before */
        }
        box->is_open[i] = true;
        box->begun++;
    }
}

/* Returns whether all has been sent. */
static bool serve(struct box *box, uint16_t address)
{
    uint8_t open = count_ended(box);

    if (open > 0) {
        return false;
    }
    if (box->begun < PACKETS) {
        fill(box, address);
        return false;
    }
    return true;
}

static void be_parent(uint8_t children)
{
    uint8_t done = 0;

    if (!opens(PARENT, 0)) {
        return;
    }
    for (uint8_t i = 0; i < children; i++) {
        struct link_address address = link_short((uint16_t)(CHILD + i));
        if (link_child(&address, true) != 0) {
            print("no place for a child\n");
        }
    }
    while (done < children) {
        sleep_ms(LOOK_MS);
        done = 0;
        for (uint8_t i = 0; i < children; i++) {
            done = (uint8_t)(done + serve(&boxes[i], (uint16_t)(CHILD + i)));
        }
    }
    for (uint8_t i = 0; i < children; i++) {
        print("to child %u: %u arrived, %u timed out, %u failed\n", i + 1, boxes[i].arrived,
              boxes[i].timed_out, boxes[i].failed);
    }
}

/* -------- a child */

static void be_child(uint8_t number)
{
    const struct link_address parent = link_short(PARENT);
    struct am_message message;
    uint8_t payload[2];
    uint16_t next = 0, received = 0, missing = 0, repeated = 0;
    uint64_t end = TIME_NEVER;

    if (!opens((uint16_t)(CHILD + number - 1), LINK_SLEEPS) || link_poll(&parent, PERIOD_MS) != 0) {
        return;
    }
    while (am_receive(&numbers, &message, payload, sizeof(payload), end) == 0) {
        uint16_t value = (uint16_t)(payload[0] << 8 | payload[1]);
        if (value < next) {
            repeated++;
            continue;
        }
        received++;
        missing = (uint16_t)(missing + value - next);
        next = (uint16_t)(value + 1);
        if (next == PACKETS) {
            end = time_now_us() + LAST_S * TIME_US_PER_S;
        }
    }
    print("%u received, %u missing, %u repeated or late\n", received, missing, repeated);
    print("%s\n", missing < PACKETS / 100 ? "below 1 % missing" : "1 % missing or more");
}

THREAD(mailbox, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    static char line[LINE_SIZE];

    console_read_line(line, sizeof(line));
    uint8_t number = (uint8_t)(line[strlen(line) - 1] - '0');
    if (number < 1 || number > CHILDREN) {
        print("parent or child, 1 or 2\n");
    } else if (line[0] == 'p') {
        be_parent(number);
    } else {
        be_child(number);
    }
}
