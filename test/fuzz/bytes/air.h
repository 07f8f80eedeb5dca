/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Bits on the air, and the CC1000 that hands them to its interrupt, byte by byte and inverted. The
 * bytes of the air begin anywhere in those of the part. */
#ifndef FUZZ_BYTES_AIR_H
#define FUZZ_BYTES_AIR_H

#include <stdbool.h>
#include <stdint.h>

#define AIR_MAX 700u /* bytes */

/* Begins, shifted by some bits, with silence in front. */
void air_begin(uint8_t shift);

void air_put(const uint8_t *bytes, unsigned count);
void air_put_byte(uint8_t byte);

/* Whether these 24 bits are on the air, anywhere. */
bool air_has(uint32_t word);

/* Has the interrupt take all of it, and then silence until nothing is under way. The event runs
 * up to three bytes late.
 * step      the event
 */
void air_play(void (*step)(void));

/* What silence sounds like, bit after bit. */
extern uint8_t air_silence;

#endif
