/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs whose actors use storage, over a medium that is played (test/mote/storage_faults). Only
 * threads use storage, so interrupts wake threads that do; and one that changes a page waits until
 * all others wait. */
#ifndef TEST_FORCE_STORAGE_STORAGE_H
#define TEST_FORCE_STORAGE_STORAGE_H

#include "../../mote/storage_faults/played_medium.h"
#include "force.h"

/* Lets the actor that changes a page go on. Returns whether there is one. */
bool storage_settle(void);

#endif
