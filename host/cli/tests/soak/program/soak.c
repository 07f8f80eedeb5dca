/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote at low rate, for weeks: every five minutes a packet to a neighbour, or, one in five, to
 * everybody; every hour a line with what has become of them.
 */
#include <lichen/link.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    PERIOD_S = 300,
    AN_HOUR = 3600 / PERIOD_S, /* packets */
    LENGTH = 40,
    TO_ALL = 5, /* one in so many */
};

static uint32_t received, sent, failed;

EVENT_EXTERN(heard);
LINK_RECEIVER_EVENT(packets, 4, heard);

EVENT(heard)
{
    struct link_info from;
    packet_t packet;

    while (link_try_receive(&packets, &from, &packet) == 0) {
        received++;
        packet_free(packet);
    }
}

static struct link_address somebody(void)
{
    struct link_neighbour neighbour;
    unsigned count = 0;

    while (link_neighbour(count, &neighbour) == 0) {
        count++;
    }
    if (count == 0 || random_below(TO_ALL) == 0 ||
        link_neighbour(random_below(count), &neighbour) != 0) {
        return link_short(LINK_ALL);
    }
    return neighbour.address;
}

static void send(void)
{
    struct link_address to = somebody();
    packet_t packet;

    if (packet_alloc(&packet, TEXT("soak"), LINK_HEADROOM, LENGTH) != 0 ||
        link_send(&to, packet, TIME_NEVER) != 0) {
        failed++;
    } else {
        sent++;
    }
}

THREAD(soak, ARCH_FLASH_IS_APART ? 416 : 640, PRIORITY_APP)
{
    uint64_t due = (uint64_t)random_below(PERIOD_S * 1000UL) * TIME_US_PER_MS;

    if (link_open(0) != 0) {
        print("the link is not there\n");
        return;
    }
    for (uint32_t packet = 1;; packet++) {
        sleep_until_us(due);
        due += PERIOD_S * TIME_US_PER_S;
        send();
        if (packet % AN_HOUR == 0) {
            sleep_ms(1000); /* what is on its way has arrived */
            print("sent %lu failed %lu received %lu blocks %u\n", (unsigned long)sent,
                  (unsigned long)failed, (unsigned long)received, packet_pool.used);
        }
    }
}
