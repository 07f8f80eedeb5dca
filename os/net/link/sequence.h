/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sequence numbers: which received frame is a repetition, and which number is the next one.
 *
 * The standard has one counter for all destinations (802.15.4-2015, 8.4.3.1, macDsn), so a number
 * returns after 256 frames, of which the shortest take 736 us each: after 188 ms at the soonest.
 * The copies of a frame follow each other within 43 ms: 115 backoff periods, 5 looks at the
 * channel, 133 bytes and the wait for the acknowledgment. So a frame is a repetition if its number
 * is the last one that was heard from its source, and that was heard at most 10 units of 15.6 ms
 * ago: 156 to 172 ms. Two copies may be missed between two that are heard, and each renews the
 * time.
 *
 * Peers differ: TinyOS and RIOT compare with the last number of a source however old it is. So the
 * sender leaves out a number that it has used last for the same destination, or to all, as far as
 * the table knows.
 */
#ifndef NET_LINK_SEQUENCE_H
#define NET_LINK_SEQUENCE_H

#include <lichen/link.h>

enum {
    /* Motes of which numbers are known, 7 bytes each, 8 on ARM. Those whose number counts stay: if
     * all do, a frame of another mote passes untracked. An extended address counts by a hash of 16
     * bits. */
    LINK_SEQUENCE_MOTES = 16,
    /* For so long after its start a mote neither sends nor receives: then neither it nor a
     * neighbour has a number of before that counts still, each by its own clock, and no copy comes
     * of a frame that was received before. */
    LINK_SEQUENCE_SILENCE_US = 200000,
};

/* Notes the number of a frame that was received now, and was found good.
 * returns   false: it is a repetition
 * context   event, thread
 * cost      O(n) motes; of an equal number also the reading of the clock
 */
bool link_sequence_is_new(const struct link_address *source, uint8_t number);

/* The number of the next frame to a destination. The first one is a random one.
 * context   event, thread
 * cost      O(n) motes, again for each number that is left out
 */
uint8_t link_sequence_next(const struct link_address *destination);

#endif
