/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote's flash, its RAM for programs and what the loader calls of the kernel, on the machine that
 * tests are built on. Power can fail at each operation of the flash.
 */
#ifndef FUZZ_MOTE_MOTE_H
#define FUZZ_MOTE_MOTE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include <lichen/reset.h>

#include "kernel/program/program.h"
#include "load/container.h"

enum {
    MOTE_DIRECTORY = 0x4000, /* addresses of flash */
    MOTE_BEGIN = 0x8000,
    MOTE_PAGES = 40,
    MOTE_ARENA = 2048, /* bytes of RAM */
    MOTE_CONTAINER_MAX = 8192,
};

/* What becomes of a page if power fails in the middle. */
enum mote_torn {
    TORN_BEFORE, /* it is what it was */
    TORN_ERASED, /* it reads as erased, but what is written there without another erasure is lost */
    TORN_PREFIX, /* the first part is written */
    TORN_MIXED,  /* each halfword is the old one, the new one or erased */
    TORN_GARBAGE, /* it is anything */
    TORN_BEHIND,  /* it is written */
    TORN_WAYS,
};

/* A container. */
struct mote_container {
    char name[CONTAINER_NAME_MAX + 1];
    uint16_t version;
    uint16_t confirm_s;
    uint16_t constants_bytes;
    uint16_t code_bytes;
    uint16_t object_bytes;
    uint16_t stack_bytes;
    uint16_t data_bytes;
    uint32_t seed; /* of what is in it */
    uint8_t bytes[MOTE_CONTAINER_MAX];
    uint16_t count;
    uint8_t block[MOTE_CONTAINER_MAX]; /* what it is in flash */
    uint16_t block_bytes;
};

uint32_t mote_random(void);
void mote_seed(uint32_t seed);

/* A number from 0 to bound - 1. */
uint32_t mote_below(uint32_t bound);

/* Fills in what follows `seed`. */
void mote_make(struct mote_container *container);

/* A new mote, and another start of the one there is: after a loss of power, and after another
 * cause, when the thread at an address ran in a panic, or 0. */
void mote_erase(void);
void mote_boot(void);
void mote_boot_after(enum reset_cause cause, uintptr_t thread);

/* A start that somebody has asked for. */
void mote_restart(void);

/* Flash as it is. */
const uint8_t *mote_flash(uint32_t address);

/* Power fails at an operation from now on, 0 the next one; UINT32_MAX: never. It comes back with
 * longjmp(mote_power, 1). */
extern jmp_buf mote_power;
void mote_cut(uint32_t operation, enum mote_torn torn);

/* Operations since mote_erase. */
uint32_t mote_operations(void);

/* Whether a page may be written now. */
extern bool (*mote_may_write)(uint32_t page);

/* Whether what is written, or erased, stays as it is, and the chip says so. */
extern bool mote_is_worn;

extern uint64_t mote_now;

/* The program of a row, if it runs, or 0; it ends by itself. */
struct program *mote_running(uint8_t row);
void mote_end(uint8_t row);

/* The thread of the loader has something to do, or nothing. */
void mote_serve(void);
void mote_idle(void);

#endif
