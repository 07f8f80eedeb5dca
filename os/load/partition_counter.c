/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters of programs, in images that have PROGRAM_COUNTER. */
#include <lichen/partition.h>

#include "load/partition.h"

bool partition_put_counter(const ARCH_FLASH struct partition *partition, void *object,
                           uint16_t room)
{
    struct counter *counter = object;

    if (partition->kind != PARTITION_COUNTER) {
        return partition_put_log(partition, object, room);
    }
    if (room < sizeof(*counter)) {
        return false;
    }
    counter->places = partition->places;
    return true;
}
