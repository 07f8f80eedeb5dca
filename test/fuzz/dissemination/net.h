/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Motes that take part in dissemination, and the air between them, on the machine that tests are
 * built on: dissemination's own sources, with one state and one flash for each mote. A link loses
 * frames by chance; frames that overlap where both are heard are lost there, and so is what comes
 * while a mote sends or writes. Times are those of IEEE 802.15.4 and of the SAM R21.
 */
#ifndef FUZZ_DISSEMINATION_NET_H
#define FUZZ_DISSEMINATION_NET_H

#include <stdbool.h>
#include <stdint.h>

enum {
    NET_MOTES = 15,
    NET_STORE = 8192, /* bytes of flash for an object */
};

#define NET_S 1000000ull /* microseconds */

/* Now, and the frames since net_begin. */
extern uint64_t net_now;
extern uint32_t net_frames;

/* New motes, which start within a second.
 * seed      of all that happens by chance
 * places    a number for each mote; motes hear those at the same place, and at the next ones
 * quality   the part of the frames that a link passes on, in 256ths
 */
void net_begin(uint32_t seed, const uint8_t *places, uint32_t quality);

/* A number from 0 to bound - 1, of the seed. */
uint32_t net_random(uint32_t bound);

/* Goes on until then. */
void net_run(uint64_t until);

/* An object comes to a mote. */
void net_feed(uint8_t mote, uint16_t number, uint16_t length);

/* A byte of the next part that comes to a mote is another one in its flash. */
void net_spoil(uint8_t mote);

/* What has come to a mote is of no use there. */
void net_refuse(uint8_t mote);

/* A mote's power fails for a moment before an operation of its flash, 0 the next one. */
void net_cut(uint8_t mote, uint8_t operation);

/* RAM is lost, flash is not. */
void net_power(uint8_t mote, bool is_on);

/* Whether all motes have an object, whole, with the bytes that net_feed gave it. */
bool net_all_have(uint16_t number);

/* Prints what each mote has. */
void net_tell(void);

#endif
