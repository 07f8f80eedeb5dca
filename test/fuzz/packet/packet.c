/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packet buffers against their model (test/mote/packet_random), as fast as this machine is.
 *
 *     packet SEED EXECUTIONS
 *
 * An execution is a history of calls. */
#include <stdio.h>
#include <stdlib.h>

#include <lichen/packet.h>

#include "../host/host.h"
#include "../../mote/packet_random/packet_model.h"

#define CALLS 400u

/* So few blocks that allocations are refused. */
PACKET_POOL(12);

static uint32_t seed;

void model_failed(unsigned line)
{
    host_assert_failed("test/mote/packet_random/packet_model.c", (int)line);
}

static void tell(void)
{
    fprintf(stderr, "history of seed %lu\n", (unsigned long)seed);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: packet SEED EXECUTIONS\n");
        return 2;
    }
    uint32_t first = (uint32_t)strtoul(argv[1], 0, 10);
    unsigned long executions = strtoul(argv[2], 0, 10);
    host_at_death(tell);
    for (unsigned long execution = 0; execution < executions; execution++) {
        seed = (uint32_t)(first + execution) | 1u << 31;
        model_run(seed, CALLS);
    }
    printf("%lu histories of %u calls\n", executions, CALLS);
    return 0;
}
