/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Neighbours: who hears whom. Every five seconds each mote sends a list of the motes that it hears,
 * and how well, and prints its own list and those of the motes in reach:
 *
 *     016d hears aa87 -61, ff46 -72 dBm
 *
 * So each mote knows the links of the motes around it, and which of them work in one direction
 * only.
 *
 *     ./lichen run neighbours --motes 5 --topology grid --for 1min
 */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    HEARS = 82,
    PERIOD_MS = 5000,
    JITTER_MS = 1000,
    MOST = 8,  /* most neighbours in a message */
    ENTRY = 3, /* bytes of a neighbour in it: address and dBm */
};

AM_RECEIVER(lists, HEARS, 4);

static void print_list(uint16_t mote, const uint8_t *list, uint8_t length)
{
    print("%04x hears", mote);
    for (uint8_t i = 0; i + ENTRY <= length; i += ENTRY) {
        print("%s %04x %d", i == 0 ? TEXT("") : TEXT(","), list[i] << 8 | list[i + 1],
              (int8_t)list[i + 2]);
    }
    print("%s\n", length == 0 ? TEXT(" nobody") : TEXT(" dBm"));
}

/* Returns bytes. */
static uint8_t make_list(uint8_t *list)
{
    struct link_neighbour neighbour;
    uint8_t length = 0;

    for (unsigned i = 0; link_neighbour(i, &neighbour) == 0 && length < MOST * ENTRY; i++) {
        if (neighbour.was_heard) {
            list[length++] = (uint8_t)(neighbour.address.short_address >> 8);
            list[length++] = (uint8_t)neighbour.address.short_address;
            list[length++] = (uint8_t)neighbour.dbm;
        }
    }
    return length;
}

/* Prints the lists of other motes, for so long. */
static void listen(uint32_t ms)
{
    uint64_t end = time_now_us() + ms * TIME_US_PER_MS;
    struct am_message message;
    uint8_t list[MOST * ENTRY];

    while (am_receive(&lists, &message, list, sizeof(list), end) == 0) {
        print_list(message.source, list,
                   message.length < sizeof(list) ? message.length : sizeof(list));
    }
}

THREAD(teller, ARCH_FLASH_IS_APART ? 448 : 640, PRIORITY_APP)
{
    struct link_address own;
    uint8_t list[MOST * ENTRY];
    int error = link_open(0);

    if (error != 0) {
        print("no link: %s\n", error_name(error));
        return;
    }
    link_own(&own);
    for (;;) {
        listen(PERIOD_MS - JITTER_MS / 2 + random_below(JITTER_MS));
        uint8_t length = make_list(list);
        print_list(own.short_address, list, length);
        error = am_send(AM_ALL, HEARS, list, length);
        if (error != 0) {
            print("the list was not sent: %s\n", error_name(error));
        }
    }
}
