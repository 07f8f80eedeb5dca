/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/kernel.h>

#include "net/packet/block.h"

static void read_statistics(void *statistics_)
{
    struct packet_statistics *statistics = statistics_;
    statistics->blocks = packet_block_count;
    statistics->free = (uint8_t)(packet_block_count - packet_pool.used);
    statistics->least_free = (uint8_t)(packet_block_count - packet_pool.most_used);
    for (uint8_t purpose = 0; purpose < PACKET_PURPOSES; purpose++) {
        statistics->refused[purpose] = packet_pool.refused[purpose];
    }
}

void packet_statistics(struct packet_statistics *statistics)
{
    kernel_do(read_statistics, statistics);
}

static uint8_t count_blocks(packet_t packet)
{
    uint8_t count = 0;
    for (; packet != PACKET_NONE; packet = packet_block_of(packet)->next) {
        count++;
    }
    return count;
}

static void describe(struct packet_look *look, packet_t packet)
{
    const struct packet_block *first = packet_get(packet);
    look->packet = packet;
    look->references = packet_references[packet - 1u];
    look->blocks = count_blocks(packet);
    look->length = packet_length(packet);
    look->owner = first->owner;
}

static int look_behind(void *look_)
{
    struct packet_look *look = look_;
    for (packet_t packet = look->packet; packet < packet_pool.touched;) {
        packet++;
        uint8_t references = packet_references[packet - 1u];
        if (references != PACKET_FREE && references != PACKET_CONTINUES) {
            describe(look, packet);
            return true;
        }
    }
    return false;
}

bool packet_look(struct packet_look *look)
{
    return kernel_run(look_behind, look) != 0;
}
