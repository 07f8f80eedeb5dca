/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Storage in RAM that fails when the test says so: an implementation of driver/storage/medium.h. */
#ifndef TEST_MOTE_STORAGE_FAULTS_PLAYED_MEDIUM_H
#define TEST_MOTE_STORAGE_FAULTS_PLAYED_MEDIUM_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/storage/medium.h"

/* The row of a program says how many PLAYED_PAGES it has. */
#define PLAYED_NEVER UINT16_MAX

struct played_medium {
    uint8_t pages[PLAYED_PAGES][sizeof(struct storage_page)];
    uint8_t wear[PLAYED_PAGES]; /* how often each was erased */
    uint32_t worn;              /* a bit for each page that does not keep what is written */
    bool is_absent;             /* nothing answers */
    bool is_brief;              /* what `cut_after` cuts fails alone, and power stays */
    uint16_t cut_after;         /* power fails in the operation after so many that change a page */
    uint16_t torn_bytes;        /* how much of that operation is done */
    uint16_t unread_after;      /* the read after so many fails, alone */
};
extern struct played_medium played;

/* Called, if the program defines it, within each operation that changes a page: where a thread
 * waits for a part. */
__attribute__((weak)) void played_moves(void);

/* Power is back: what was cut is torn, and the part answers. */
void played_restart(void);

/* All pages are erased and good. */
void played_renew(void);

#endif
