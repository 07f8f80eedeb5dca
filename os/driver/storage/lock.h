/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One thread at a time uses storage. If one ends while it does, what logs and volumes have in RAM
 * may be half changed: a new epoch begins, and each of them goes back to what is in storage. */
#ifndef DRIVER_STORAGE_LOCK_H
#define DRIVER_STORAGE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Never 0: what has epoch 0 has not been read from storage yet. */
extern uint8_t storage_epoch;

/* Takes the lock. */
void storage_enter(void);

void storage_leave(void);

/* The same for more than one step of the loader.
 * returns   whether it took the lock: not where the loader has it
 */
bool storage_hold(void);

void storage_release(void);

/* Stops a program that was loaded: os/load/partition.h. Nobody uses storage meanwhile: if a thread
 * ended while it did, a new epoch would begin, and others would lose what they have appended. */
struct program;
void storage_program_stop(struct program *program);

#endif
