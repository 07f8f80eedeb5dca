/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Many motes, each with the address that its serial number gives it. */
#ifndef BENCH_NETWORK_CROWD_H
#define BENCH_NETWORK_CROWD_H

#include <lichen/assert.h>
#include <lichen/link.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#define CROWD_BYTES 20
#define CROWD_STACK (ARCH_FLASH_IS_APART ? 304 : 384)

extern struct link_receiver received;

EVENT(heard)
{
    struct link_info info;
    packet_t packet;

    while (link_try_receive(&received, &info, &packet) == 0) {
        packet_free(packet);
    }
}

static inline void open_link(uint8_t flags)
{
    const struct link_settings settings = {
        .flags = flags, .pan = LINK_PAN_USUAL, .short_address = LINK_ALL};
    int error = link_open(&settings);

    assert(error == 0);
}

/* What nobody hears, since the channel is busy, is lost. */
static inline void send_to_all(void)
{
    struct link_address all = link_short(LINK_ALL);
    packet_t packet;

    if (packet_alloc(&packet, TEXT("crowd"), LINK_HEADROOM, CROWD_BYTES) == 0) {
        (void)!link_send(&all, packet, TIME_NEVER);
    }
}

#endif
