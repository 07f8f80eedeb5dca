/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Volumes of programs, in images that have PROGRAM_VOLUME. */
#include <lichen/partition.h>

#include "load/partition.h"

bool partition_put_volume(const ARCH_FLASH struct partition *partition, void *object, uint16_t room)
{
    struct volume *volume = object;
    const uint16_t count = partition->count;

    if (partition->kind != PARTITION_VOLUME) {
        return partition_put_other(partition, object, room);
    }
    if (room < sizeof(*volume)) {
        return false;
    }
    volume->places = partition->places;
    volume->count = count;
    volume->size = VOLUME_PAGES(count) * (uint32_t)STORAGE_ROOM;
    return true;
}
