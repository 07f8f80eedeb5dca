/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All of it runs at the kernel level. */
#include "net/link/sequence.h"

#include <lichen/random.h>
#include <lichen/time.h>

#include "net/link/link.h"

/* Times are in units of 2^14 us. */
enum { COUNTS = 9 };

/* Of an entry. */
enum {
    IS_USED = 1 << 0,
    IS_EXTENDED = 1 << 1, /* its name is a hash */
    WAS_SENT = 1 << 2,    /* `sent` is the last number to it */
    IS_HEARD = 1 << 3,    /* `heard` counts still */
};

struct mote {
    uint16_t name; /* the short address, or a hash of the extended one */
    uint8_t flags;
    uint8_t heard; /* the last number from it, */
    uint8_t when;  /* and its time */
    uint8_t sent;
};

static struct mote motes[LINK_SEQUENCE_MOTES];
static uint8_t last, last_to_all;
static bool has_begun, was_sent_to_all;

static uint32_t latest; /* when a mote was heard last */

/* AVR moves bytes more cheaply than it shifts them. */
static uint32_t now(void)
{
    uint64_t us = time_now_us();

    return (uint32_t)(us >> 16) << 2 | (uint8_t)((uint16_t)us >> 14);
}

/* What has become too old counts no longer. Done with each frame, so that eight bits of a time are
 * enough. */
static void forget_until(uint32_t time)
{
    bool all = time - latest > COUNTS;

    latest = time;
    for (struct mote *mote = motes; mote != motes + LINK_SEQUENCE_MOTES; mote++) {
        if (all || (uint8_t)((uint8_t)time - mote->when) > COUNTS) {
            mote->flags &= (uint8_t)~IS_HEARD;
        }
    }
}

/* FNV-1a, folded: the addresses of one lot differ in few bits. */
static uint16_t hash(const uint8_t extended[LINK_EXTENDED_BYTES])
{
    uint32_t state = 2166136261u;

    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        state = (state ^ extended[i]) * 16777619u;
    }
    return (uint16_t)(state >> 16 ^ state);
}

static uint16_t name_of(const struct link_address *address)
{
    return address->short_address == LINK_EXTENDED ? hash(address->extended)
                                                   : address->short_address;
}

static struct mote *behind(struct mote *mote)
{
    return mote == motes + LINK_SEQUENCE_MOTES - 1 ? motes : mote + 1;
}

/* An address's entry; a new one, in place of the oldest one of a mote that is silent, if it has
 * none; 0: all are of motes that were just heard. */
static struct mote *enter(const struct link_address *address)
{
    static struct mote *newest = motes;
    uint16_t name = name_of(address);
    uint8_t kind = address->short_address == LINK_EXTENDED ? IS_USED | IS_EXTENDED : IS_USED;
    struct mote *place = 0, *mote = newest;

    do {
        mote = behind(mote);
        if (mote->name == name && (mote->flags & (IS_USED | IS_EXTENDED)) == kind) {
            return mote;
        }
        if (place == 0 && (mote->flags & IS_HEARD) == 0) {
            place = mote;
        }
    } while (mote != newest);
    if (place != 0) {
        newest = place;
        *place = (struct mote){.name = name, .flags = kind};
    }
    return place;
}

struct heard {
    const struct link_address *source;
    uint32_t time;
    uint8_t number;
};

static int hear(void *heard_)
{
    const struct heard *heard = heard_;

    forget_until(heard->time);
    struct mote *mote = enter(heard->source);
    if (mote == 0) {
        link_add(&link_counters.untracked);
        return true;
    }
    bool is_new = (mote->flags & IS_HEARD) == 0 || mote->heard != heard->number;
    mote->flags |= IS_HEARD;
    mote->heard = heard->number;
    mote->when = (uint8_t)heard->time;
    return is_new;
}

bool link_sequence_is_new(const struct link_address *source, uint8_t number)
{
    struct heard heard = {.source = source, .time = now(), .number = number};

    return kernel_run(hear, &heard) != 0;
}

/* -------- sent */

/* Whether a receiver's last number is this one, as far as is known: its own last one, or that of
 * the last frame to all. */
static bool is_last(uint8_t number, const struct mote *receiver)
{
    if (was_sent_to_all && last_to_all == number) {
        return true;
    }
    if (receiver != 0) {
        return (receiver->flags & WAS_SENT) != 0 && receiver->sent == number;
    }
    for (const struct mote *mote = motes; mote != motes + LINK_SEQUENCE_MOTES; mote++) {
        if ((mote->flags & WAS_SENT) != 0 && mote->sent == number) {
            return true;
        }
    }
    return false;
}

static int next(void *destination_)
{
    const struct link_address *destination = destination_;
    bool to_all = destination->short_address == LINK_ALL;
    struct mote *receiver = to_all ? 0 : enter(destination);

    last = has_begun ? (uint8_t)(last + 1) : (uint8_t)random_u32();
    has_begun = true;
    while (is_last(last, receiver)) {
        last++;
    }
    if (to_all) {
        last_to_all = last;
        was_sent_to_all = true;
    } else if (receiver != 0) {
        receiver->sent = last;
        receiver->flags |= WAS_SENT;
    }
    return last;
}

uint8_t link_sequence_next(const struct link_address *destination)
{
    return (uint8_t)kernel_run(next, (void *)(uintptr_t)destination);
}
