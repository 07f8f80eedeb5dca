/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One thread at a time uses storage. If one ends while it does, what logs and volumes have in RAM
 * may be half changed: a new epoch begins, and each of them goes back to what is in storage. */
#ifndef DRIVER_STORAGE_LOCK_H
#define DRIVER_STORAGE_LOCK_H

#include <stdint.h>

/* Never 0: what has epoch 0 has not been read from storage yet. */
extern uint8_t storage_epoch;

/* Takes the lock. */
void storage_enter(void);

void storage_leave(void);

#endif
