/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How the conductor waits while radios and links are at work: by a timer of its own. */
#ifndef TEST_FORCE_RADIO_WAITING_H
#define TEST_FORCE_RADIO_WAITING_H

#include <stdbool.h>

/* Sleeps for a while. */
void pass(unsigned ms);

/* What `settle` of an object returns that looks each millisecond whether something still goes on,
 * up to `rounds_max` times in a row; more are a failure. */
bool pass_while(bool goes_on, unsigned rounds_max);

#endif
