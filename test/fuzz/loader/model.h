/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What installed programs should be, in the simplest words: a table by name, and maps of what is
 * taken, byte by byte.
 */
#ifndef FUZZ_LOADER_MODEL_H
#define FUZZ_LOADER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../mote/mote.h"

enum {
    NAMES = 10,
    INSTANCES = 2,
    KEYS = NAMES * INSTANCES,
    ROWS = 8,
};

/* A version of a program, and where it should be. */
struct version {
    bool is_there;
    bool is_active;
    bool is_on_trial;
    uint8_t failures;
    uint16_t version;
    uint16_t confirm_s;
    uint16_t pages;
    uint16_t first_page;
    uint16_t low, low_bytes;
    uint16_t data, data_bytes;
    uint16_t block_bytes;
    uint8_t block[4096]; /* its flash */
};

/* A name and an instance. */
struct modelled {
    struct version program;
    struct version kept;
    struct version dead;
    bool is_started; /* and may have ended */
    bool runs;
    bool was_confirmed;
    bool is_young; /* it has been started, and its time is not over */
    uint64_t due;
};

extern struct modelled model[KEYS];
extern uint16_t model_floors[NAMES];

/* The name of a key: "a.2" and so on. */
void model_name(unsigned key, char *text);

void model_erase(void);
void model_boot(void);
void model_serve(void);

/* A boot after a crash, in which a thread of a program ran, or KEYS. */
void model_crash(unsigned named);

/* Each returns the error that the loader should return. */
int model_install(unsigned key, const struct mote_container *container);
int model_start(unsigned key);
int model_stop(unsigned key);
int model_remove(unsigned key);
int model_set_floor(unsigned key);

/* The mote is what the model is. */
void model_compare(void);

/* Whether a page of flash belongs to a program. */
bool model_has_page(uint32_t page);

#endif
