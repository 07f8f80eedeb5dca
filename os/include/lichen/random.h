/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random numbers for protocols: backoffs, jitter, choices. Not for keys or anything else that must
 * not be guessed.
 *
 *     sleep_ms(random_below(1000));
 *
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, of which a counter of
 * 32 bits rules out short periods. Neither chip has a source of true random bits, so it starts from
 * what the chips have:
 *
 *   - the serial number: differs from mote to mote, so that motes draw different numbers even if
 *     everything else is equal; not secret, and the same at each start;
 *   - RAM, what 48 bytes hold at start-up: some of them differ from power-on to power-on, by the
 *     chip, the temperature and how long the supply was off; after a reset, the state in which the
 *     generator stopped;
 *   - the ADC, 16 samples of the bandgap after start-up: their last bits are noise, perhaps a bit
 *     in each; none if the supply is quiet.
 *
 * That keeps motes from colliding for long, but may be as little as 20 bits that an attacker has
 * to guess. A program that has more randomness adds it: random_add.
 */
#ifndef LICHEN_RANDOM_H
#define LICHEN_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next number, of 32 bits.
 * returns   each number is equally likely
 * context   event, thread, coop, init
 * blocks    no       cost  30 cycles, and those of a call in a thread
 */
uint32_t random_u32(void);

/* The next number below a bound.
 * bound     at least 1: asserts
 * returns   each number below the bound is equally likely
 * context   event, thread, coop, init
 * blocks    no       cost  that of two numbers on average at most
 */
uint32_t random_below(uint32_t bound);

/* Fills bytes.
 * context   event, thread, coop, init
 * blocks    no       cost  that of a number for each four
 */
void random_bytes(void *bytes, size_t length);

/* Adds what may be unpredictable, such as random bits of a radio; what is not does no harm.
 * context   event, thread, coop, init
 * blocks    no       cost  that of four numbers for each four bytes
 */
void random_add(const void *bytes, size_t length);

/* Forgets everything and begins the sequence of `seed`, for runs that must repeat. Nothing of the
 * chip is added afterwards.
 * context   event, thread, coop, init
 * blocks    no       cost  that of 12 numbers
 */
void random_seed(uint32_t seed);

#endif
