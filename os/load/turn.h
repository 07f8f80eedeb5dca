/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whose turn it is: all below the loader's calls (install.h, run.h, table.h, directory.h), and the
 * flash that it writes, is used by one thread at a time.
 */
#ifndef LOAD_TURN_H
#define LOAD_TURN_H

#include "load/error.h"

/* Waits for the turn. The first one reads the directory.
 * context   thread
 * blocks    yes
 */
void turn_begin(void);

/* Ends it.
 * returns   `error`
 * context   thread, which has the turn
 * blocks    no
 */
int turn_end(enum load_error error);

/* The next turn reads the directory again.
 * context   thread
 * blocks    no
 */
void turn_forget(void);

#endif
