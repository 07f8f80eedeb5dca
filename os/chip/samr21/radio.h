/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The radio in the chip's package, a die of its own (SAM R21 data sheet, "Multiplexed signals,
 * internal"). */
#ifndef SAMR21_RADIO_H
#define SAMR21_RADIO_H

/* Puts the radio to sleep, from whatever state it is in. Its driver wakes it, if there is one, by
 * SLP_TR.
 * context   init
 * blocks    1 ms
 */
void radio_sleep(void);

/* Wakes the radio from its sleep for the sake of its clock output, and lets it sleep again. Waking
 * takes 210 us.
 * context   event
 * blocks    no
 */
void radio_clock_start(void);
void radio_clock_start_asleep(void);
void radio_clock_stop(void);
void radio_clock_stop_asleep(void);

#endif
