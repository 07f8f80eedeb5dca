/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Leaf: the radio of a mote sleeps, and every ten seconds it asks its parent for packets. The mote
 * whose button is pressed at the start is the parent; where motes have no button, it is one that
 * finds no parent. The others find it, and become its children. It has a count for each child every
 * ten seconds, which waits until the child asks.
 *
 * The Hamilton paper measures this in figure 8b.
 *
 *     ./lichen run app/leaf/test/leaf.toml --energy
 */
#include <lichen/am.h>
#include <lichen/button.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    SEARCH = 83, /* a leaf looks for a parent */
    FOUND = 84,  /* the parent's answer */
    COUNT = 85,  /* a number for a child */
    CHILDREN = 4,
    PERIOD_MS = 10000,
    SEARCH_MS = 1000,
    SEARCHES = 3,      /* without a button, at least */
    SEARCHES_MORE = 8, /* up to so many more, at random: motes that start together must differ */
};

PACKET_POOL_OF(ARCH_FLASH_IS_APART ? 10 : 12, 40);
LINK_FRAMES(CHILDREN + 2, AM_PAYLOAD_USUAL); /* a count for each child may wait */

AM_RECEIVER(searches, SEARCH, CHILDREN);
AM_RECEIVER(found, FOUND, 1);
AM_RECEIVER(counts, COUNT, 2);

static struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = LINK_ALL};

EVENT(pressed)
{
}

/* Prints an error of the link, and passes it on. */
static int checked(int error)
{
    if (error != 0) {
        print("link: %s\n", error_name(error));
    }
    return error;
}

/* -------- the parent */

static uint16_t children[CHILDREN];
static uint8_t child_count;

static void adopt(uint16_t child)
{
    struct link_address address = link_short(child);

    if (am_send(child, FOUND, 0, 0) == 0 && child_count < CHILDREN &&
        link_child(&address, true) == 0) {
        children[child_count++] = child;
        print("%04x is a child\n", child);
    }
}

/* Sends a count to each child. One that was not fetched within the period is skipped. */
static void send_all(uint16_t count)
{
    const uint8_t payload[] = {(uint8_t)(count >> 8), (uint8_t)count};
    static struct link_transfer transfers[CHILDREN];

    for (uint8_t i = 0; i < child_count; i++) {
        if (am_begin(&transfers[i], children[i], COUNT, payload, sizeof(payload)) != 0) {
            continue; /* the count before still waits for its child */
        }
    }
}

static void be_parent(void)
{
    struct am_message message;
    uint8_t nothing;

    for (uint16_t count = 1;; count++) {
        uint64_t end = time_now_us() + PERIOD_MS * TIME_US_PER_MS;
        while (am_receive(&searches, &message, &nothing, 0, end) == 0) {
            adopt(message.source);
        }
        send_all(count);
    }
}

/* -------- a leaf */

/* Returns false if there is none. Where motes have a button, searches until it is found. */
static bool find_parent(uint16_t *parent)
{
    uint32_t left = SEARCHES + random_below(SEARCHES_MORE);
    struct am_message message;
    uint8_t nothing;

    while (button_count() > 0 || left-- > 0) {
        checked(am_send(AM_ALL, SEARCH, 0, 0));
        if (am_receive(&found, &message, &nothing, 0, time_now_us() + SEARCH_MS * TIME_US_PER_MS) ==
            0) {
            *parent = message.source;
            return true;
        }
    }
    return false;
}

static void be_leaf(uint16_t parent_address)
{
    struct link_address parent = link_short(parent_address);
    struct am_message message;
    uint8_t count[2];

    print("%04x is the parent\n", parent.short_address);
    settings.flags = LINK_SLEEPS;
    if (checked(link_open(&settings)) != 0 || checked(link_poll(&parent, PERIOD_MS)) != 0) {
        return;
    }
    for (;;) {
        if (am_receive(&counts, &message, count, sizeof(count), TIME_NEVER) == 0) {
            print("count %u\n", (unsigned)(count[0] << 8 | count[1]));
        }
    }
}

/* Whether its button is held. */
static bool is_chosen(void)
{
    if (button_count() == 0) {
        return false;
    }
    button_notify(0, &pressed);
    sleep_ms(SEARCH_MS);
    return button_pressed(0);
}

THREAD(leaf, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    uint16_t parent;

    if (checked(link_open(&settings)) != 0) {
        return;
    }
    if (is_chosen() || !find_parent(&parent)) {
        be_parent();
    }
    be_leaf(parent);
}
