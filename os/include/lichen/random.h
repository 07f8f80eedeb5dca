/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random numbers for protocols: backoffs, jitter, choices. Not for keys or anything else that must
 * not be guessed.
 *
 *     sleep_ms(random_below(1000));
 *
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, of which a counter of
 * 32 bits rules out short periods. Neither chip has a source of true random bits, so it starts from
 * what motes have:
 *
 *   - the serial number: differs from mote to mote, so that motes draw different numbers even if
 *     everything else is equal; not secret, and the same at each start;
 *   - RAM, what 48 bytes hold at start-up: some of them differ from power-on to power-on, by the
 *     chip, the temperature and how long the supply was off; after a reset, the state in which the
 *     generator stopped;
 *   - the radio's receiver, in a program that uses the radio: 32 bits of noise when it first
 *     listens; on a MICA2 the last bits of 32 samples of the channel's strength.
 *
 * That keeps motes from colliding for long. A program without radio starts from what RAM holds,
 * which may be little that an attacker has to guess, and the same as before if the supply was off
 * for a moment. A program that has more randomness, such as samples of an analog input, adds it:
 * random_add.
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

/* Adds what may be unpredictable, such as the last bits of samples; what is not does no harm.
 * context   event, thread, coop, init
 * blocks    no       cost  that of four numbers for each four bytes
 */
void random_add(const void *bytes, size_t length);

/* Forgets everything and begins the sequence of `seed`, for runs that must repeat. No noise of the
 * radio is added afterwards.
 * context   event, thread, coop, init
 * blocks    no       cost  that of 12 numbers
 */
void random_seed(uint32_t seed);

#endif
