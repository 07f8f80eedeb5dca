/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that are ready for interrupts. An interrupt may empty a slot at any instruction here, but
 * never fills one; and only one context at a time fills slots. */
#include <lichen/kernel.h>
#include <lichen/packet.h>

static int fill(void *spares_)
{
    const struct packet_spares *spares = spares_;
    for (uint8_t index = 0; index < spares->count; index++) {
        if (spares->slots[index] != PACKET_NONE) {
            continue;
        }
        packet_t packet;
        int error = packet_alloc_receive(&packet, spares->owner, spares->length);
        if (error != 0) {
            return error;
        }
        spares->slots[index] = packet;
    }
    return 0;
}

int packet_spares_fill(const struct packet_spares *spares)
{
    return kernel_run(fill, (void *)(uintptr_t)spares);
}

packet_t packet_spares_take(const struct packet_spares *spares)
{
    for (uint8_t index = 0; index < spares->count; index++) {
        packet_t packet = spares->slots[index];
        if (packet != PACKET_NONE) {
            spares->slots[index] = PACKET_NONE;
            return packet;
        }
    }
    return PACKET_NONE;
}
