/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Who is in reach. The table belongs to the kernel level. */
#include <string.h>

#include <lichen/time.h>

#include "net/byte_link/byte_link.h"

/* The expected transmissions are an average in which the last transfer counts an eighth, and one
 * that failed as so many more. */
enum {
    ETX_SHARE = 8,
    ETX_FAILED = 4,
    TIME_SHIFT = 20, /* of `heard` */
};

static uint16_t latest; /* when a neighbour was heard last */

static struct link_neighbour *find(uint16_t address)
{
    for (uint8_t i = 0; i < link_neighbour_count; i++) {
        struct link_neighbour *neighbour = &link_neighbours[i];
        if (neighbour->is_used && neighbour->address.short_address == address) {
            return neighbour;
        }
    }
    return 0;
}

/* Whether one makes place rather than the other. */
static bool is_older(const struct link_neighbour *one, const struct link_neighbour *other)
{
    if (one->is_used != other->is_used) {
        return !one->is_used;
    }
    if (one->was_heard != other->was_heard) {
        return !one->was_heard;
    }
    return (uint16_t)(latest - one->heard) > (uint16_t)(latest - other->heard);
}

/* Its entry, a new one if it has none; 0: all are children. */
static struct link_neighbour *enter(uint16_t address)
{
    struct link_neighbour *place = find(address);

    if (place != 0) {
        return place;
    }
    for (uint8_t i = 0; i < link_neighbour_count; i++) {
        struct link_neighbour *neighbour = &link_neighbours[i];
        if (!neighbour->is_child && (place == 0 || is_older(neighbour, place))) {
            place = neighbour;
        }
    }
    if (place != 0) {
        memset(place, 0, sizeof(*place));
        place->address.short_address = address;
        place->is_used = true;
    }
    return place;
}

void byte_link_heard(uint16_t source, int8_t dbm)
{
    struct time_moment moment;

    time_known(&moment);
    latest = (uint16_t)((moment.s * TIME_US_PER_S + moment.us) >> TIME_SHIFT);
    struct link_neighbour *neighbour = enter(source);
    if (neighbour != 0) {
        neighbour->heard = latest;
        neighbour->dbm = dbm;
        neighbour->was_heard = true;
    }
}

void byte_link_tried(const struct link_transfer *transfer, bool is_acknowledged)
{
    struct link_neighbour *neighbour = enter(transfer->destination.short_address);

    if (neighbour != 0) {
        uint16_t tries =
            (uint16_t)((transfer->sent + (is_acknowledged ? 0 : ETX_FAILED)) * LINK_ETX_ONE);
        neighbour->etx =
            neighbour->etx == 0
                ? tries
                : (uint16_t)(neighbour->etx - neighbour->etx / ETX_SHARE + tries / ETX_SHARE);
    }
}

bool byte_link_is_child(uint16_t address)
{
    const struct link_neighbour *neighbour = find(address);

    return neighbour != 0 && neighbour->is_child;
}

bool byte_link_set_child(uint16_t address, bool is_child)
{
    struct link_neighbour *neighbour = is_child ? enter(address) : find(address);

    if (neighbour != 0) {
        neighbour->is_child = is_child;
    }
    return neighbour != 0;
}

static int read(void *index_, void *neighbour)
{
    unsigned index = *(const unsigned *)index_;

    for (uint8_t i = 0; i < link_neighbour_count; i++) {
        if (link_neighbours[i].is_used && index-- == 0) {
            *(struct link_neighbour *)neighbour = link_neighbours[i];
            return 0;
        }
    }
    return ERR_EMPTY;
}

int link_neighbour(unsigned index, struct link_neighbour *neighbour)
{
    return kernel_run_with(read, &index, neighbour);
}
