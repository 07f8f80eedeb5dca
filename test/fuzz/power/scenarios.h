/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is done when power fails. */
#ifndef FUZZ_POWER_SCENARIOS_H
#define FUZZ_POWER_SCENARIOS_H

#include <stdbool.h>

struct scenario {
    const char *name;
    void (*prepare)(void); /* makes what was there before */
    void (*act)(void);     /* power fails in this; again afterwards, and it may have been done */
    bool shows_nothing;    /* a start does the same, or it only counts starts on trial */
};

extern const struct scenario scenarios[];
extern const unsigned scenario_count;

/* The container of a version, as scenarios install it: what must be in flash. */
struct mote_container;
const struct mote_container *scenario_container(const char *name, unsigned version);

#endif
