/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames for a mote that nobody should send: any header, any length, anything behind it. Made at
 * random, the same of the same seed; for this machine (main.c) and for a mote that sends them
 * (test/network/hostile).
 */
#ifndef FUZZ_LINK_HOSTILE_H
#define FUZZ_LINK_HOSTILE_H

#include <stdbool.h>
#include <stdint.h>

#define HOSTILE_MAX 125u /* the longest frame, without its FCS */

/* Whom they are for. */
struct hostile_target {
    uint16_t pan;
    uint16_t address;
    uint8_t extended[8]; /* the least significant byte first */
};

struct hostile_frame {
    uint8_t length;
    uint8_t bytes[HOSTILE_MAX];
};

/* Begins the sequence of a seed. */
void hostile_begin(uint32_t seed);

/* A number below a bound. */
uint32_t hostile_any(uint32_t below);

/* Makes the next frame of IEEE 802.15.4, of 1 byte at least: an eighth is noise, the others have
 * headers, of which one in four is for everybody or for others. Half of all are changed. */
void hostile_make(const struct hostile_target *target, struct hostile_frame *frame);

/* The same for frames of TinyOS. */
void hostile_make_bytes(const struct hostile_target *target, struct hostile_frame *frame);

/* Changes a few bytes or bits, or the end, of which each may leave the frame as it is. */
void hostile_change(struct hostile_frame *frame);

#endif
