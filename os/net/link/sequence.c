/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All of it runs at the kernel level. */
#include "net/link/sequence.h"

#include <lichen/random.h>
#include <lichen/time.h>

#include "base/hash.h"
#include "net/link/link.h"

/* Times are those of time_noted. */
enum {
    COUNTS = 10,
    SWEPT = 1 << 14, /* the ages of 16 bits are true for longer than that */
};

/* Of an entry. */
enum {
    IS_USED = 1 << 0,
    IS_EXTENDED = 1 << 1, /* its name is a hash */
    WAS_SENT = 1 << 2,    /* `sent` is the last number to it */
    IS_HEARD = 1 << 3,    /* `heard` is the last number from it, and `when` its time */
};

struct mote {
    uint16_t name; /* the short address, or a hash of the extended one */
    uint16_t when;
    uint8_t flags;
    uint8_t heard;
    uint8_t sent;
};

static struct mote motes[LINK_SEQUENCE_MOTES];
static struct mote *recent = motes; /* the one of the last frame: as a rule, of the next one, too */
static uint8_t last, last_to_all;
static bool has_begun, was_sent_to_all;
static uint32_t latest;      /* when a mote was heard last, if its time is known */
static struct mote *undated; /* whose frame came when the time was noted last; 0: none */
static uint32_t swept;

static bool counts(const struct mote *mote)
{
    return (mote->flags & IS_HEARD) != 0 && (uint16_t)((uint16_t)latest - mote->when) <= COUNTS;
}

/* So that 16 bits of a time are enough: what is old is forgotten before it seems to be young. If
 * nobody was heard for long, everything is old. */
static void sweep(uint32_t time)
{
    bool all = time - latest > COUNTS;

    latest = time;
    swept = time;
    for (struct mote *mote = motes; mote != motes + LINK_SEQUENCE_MOTES; mote++) {
        if (all || !counts(mote)) {
            mote->flags &= (uint8_t)~IS_HEARD;
        }
    }
}

static void go_to(uint32_t time)
{
    if (time - swept > SWEPT) {
        sweep(time);
    }
    latest = time;
}

/* The time is noted with each frame, and asked for with the next one: nobody waits for it. */
static void date(void)
{
    if (undated != 0) {
        go_to(time_noted());
        undated->flags |= IS_HEARD;
        undated->when = (uint16_t)latest;
        undated = 0;
    }
}

static uint16_t name_of(const struct link_address *address)
{
    return address->short_address != LINK_EXTENDED
               ? address->short_address
               : hash_fold(hash(HASH_BEGIN, address->extended, LINK_EXTENDED_BYTES));
}

static struct mote *find(uint16_t name, uint8_t kind)
{
    struct mote *mote = recent;

    for (uint8_t i = 0; i <= LINK_SEQUENCE_MOTES; i++) {
        if (mote->name == name && (mote->flags & (IS_USED | IS_EXTENDED)) == kind) {
            return mote;
        }
        mote = motes + i;
    }
    return 0;
}

/* The oldest entry of a mote that is silent; 0: all were just heard. */
static struct mote *find_silent(void)
{
    static uint8_t newest;

    for (uint8_t i = 0; i < LINK_SEQUENCE_MOTES; i++) {
        newest = (uint8_t)(newest + 1) % LINK_SEQUENCE_MOTES;
        if (!counts(&motes[newest])) {
            return &motes[newest];
        }
    }
    return 0;
}

/* An address's entry, a new one if it has none; 0: all are of motes that were just heard. */
static struct mote *enter(const struct link_address *address)
{
    uint16_t name = name_of(address);
    uint8_t kind = address->short_address == LINK_EXTENDED ? IS_USED | IS_EXTENDED : IS_USED;
    struct mote *mote = find(name, kind);

    if (mote == 0) {
        date();
        mote = find_silent();
        if (mote == 0) {
            return 0;
        }
        *mote = (struct mote){.name = name, .flags = kind};
    }
    recent = mote;
    return mote;
}

/* The present time matters only if the number is an equal one, or nobody seems to make place. */
static int hear(void *source, void *number_)
{
    uint8_t number = (uint8_t)(uintptr_t)number_;

    date();
    struct mote *mote = enter(source);
    time_note();
    if (mote == 0 || ((mote->flags & IS_HEARD) != 0 && mote->heard == number)) {
        go_to(time_noted());
        mote = enter(source);
    }
    if (mote == 0) {
        link_add(&link_counters.untracked);
        return true;
    }
    bool is_new = !counts(mote) || mote->heard != number;
    mote->heard = number;
    undated = mote;
    return is_new;
}

bool link_sequence_is_new(const struct link_address *source, uint8_t number)
{
    return kernel_run_with(hear, (void *)(uintptr_t)source, (void *)(uintptr_t)number) != 0;
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
