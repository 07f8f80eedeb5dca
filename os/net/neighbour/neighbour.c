/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Who is in reach. The table is read and changed at the kernel level only, for some hundred cycles.
 */
#include <string.h>

#include <lichen/kernel.h>
#include <lichen/time.h>

#include "net/neighbour/neighbour.h"

/* What tells it of frames, by the board's link: framed.c, short.c. */
__asm__(".global neighbour_hears");

/* The expected transmissions are an average in which the last transfer counts an eighth, and one
 * that failed as so many more. */
enum {
    TIME_SHIFT = 20, /* `heard` is in units of 2^20 us */
    ETX_SHARE = 8,
    ETX_FAILED = 4,
};

static uint16_t latest; /* when a neighbour was heard last */

static struct link_neighbour *find(const struct link_address *address)
{
    for (uint8_t i = 0; i < link_neighbour_count; i++) {
        struct link_neighbour *neighbour = &link_neighbours[i];
        if (neighbour->is_used && link_same(&neighbour->address, address)) {
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
static struct link_neighbour *enter(const struct link_address *address)
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
        place->address = *address;
        place->is_used = true;
    }
    return place;
}

static uint16_t time_of_now(void)
{
    struct time_moment moment;

    time_known(&moment);
    return (uint16_t)((moment.s * TIME_US_PER_S + moment.us) >> TIME_SHIFT);
}

static void note(struct link_neighbour *neighbour, const struct packet_attributes *attributes,
                 uint16_t now)
{
    neighbour->heard = now;
    neighbour->dbm = attributes->dbm;
    neighbour->lqi = attributes->lqi;
    neighbour->was_heard = true;
}

static int heard(void *source, void *attributes_)
{
    const struct packet_attributes *attributes = attributes_;

    latest = time_of_now();
    struct link_neighbour *neighbour = enter(source);
    if (neighbour != 0) {
        note(neighbour, attributes, latest);
    }
    return 0;
}

void neighbour_heard(const struct link_address *source, const struct packet_attributes *attributes)
{
    (void)kernel_run_with(heard, (void *)(uintptr_t)source, (void *)(uintptr_t)attributes);
}

void neighbour_tried(const struct link_address *destination, uint8_t sent, bool acknowledged)
{
    struct link_neighbour *neighbour = enter(destination);

    if (neighbour != 0) {
        uint16_t tries = (uint16_t)((sent + (acknowledged ? 0 : ETX_FAILED)) * LINK_ETX_ONE);
        neighbour->etx =
            neighbour->etx == 0
                ? tries
                : (uint16_t)(neighbour->etx - neighbour->etx / ETX_SHARE + tries / ETX_SHARE);
    }
}

static int is_child(void *address)
{
    const struct link_neighbour *neighbour = find(address);

    return neighbour != 0 && neighbour->is_child;
}

bool neighbour_is_child(const struct link_address *address)
{
    return kernel_run(is_child, (void *)(uintptr_t)address);
}

static int set_child(void *address, void *is_child_)
{
    bool becomes = is_child_ != 0;
    struct link_neighbour *neighbour = becomes ? enter(address) : find(address);

    if (neighbour != 0) {
        neighbour->is_child = becomes;
    }
    return neighbour != 0;
}

bool neighbour_set_child(const struct link_address *address, bool becomes)
{
    return kernel_run_with(set_child, (void *)(uintptr_t)address, (void *)(uintptr_t)becomes);
}

static int copy(void *index_, void *neighbour)
{
    unsigned index = (unsigned)(uintptr_t)index_;

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
    return kernel_run_with(copy, (void *)(uintptr_t)index, neighbour);
}
