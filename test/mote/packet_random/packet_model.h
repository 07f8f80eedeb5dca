/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The executable specification of packet buffers: a packet is an array of bytes, and each call does
 * with it what lichen/packet.h says. Random calls are made on packets and on the model of them, and
 * what both hold is compared.
 *
 * How many blocks the pool spends is left open within what the header states: a call is refused
 * only if the blocks that it may need at most are not there, and one that is refused changes
 * nothing.
 */
#ifndef PACKET_RANDOM_PACKET_MODEL_H
#define PACKET_RANDOM_PACKET_MODEL_H

#include <stdint.h>

/* Makes so many calls, then frees all packets, and checks that the pool is whole again. The same
 * seed, not 0, gives the same calls. */
void model_run(uint32_t seed, unsigned calls);

/* The program's: something differs. */
void model_failed(unsigned line);

#endif
