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

/* Takes the lock for the loader, over more than one of its steps.
 * returns   whether it took it: not where the loader has it
 * context   thread whose turn it is (load/turn.h), as storage_release
 */
bool storage_hold(void);

/* Gives it back, if the loader has it. */
void storage_release(void);

/* What partition_stop is in an image with partitions (load/partition.h). Nobody uses storage
 * meanwhile: if a thread ended while it did, a new epoch would begin, and others would lose what
 * they have appended. */
struct program;
void storage_program_stop(struct program *program);

#endif
