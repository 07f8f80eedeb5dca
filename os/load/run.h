/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which installed programs run, and the trials of those that were not confirmed yet.
 *
 * A start is counted in the directory before it happens, and the count is undone by the
 * confirmation: so a start that ends in a reset of the mote has failed like one that ends at its
 * deadline.
 *
 * The start of a program that is not on trial is counted only after the mote has crashed: what
 * remains of it in memory (kernel/program/program.h) says which programs were young.
 */
#ifndef LOAD_RUN_H
#define LOAD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "load/directory.h"

enum {
    RUN_SURVIVAL_S = 30, /* LOADER_SURVIVAL_S */
};

/* Starts a program. If it is damaged, has failed too often, or cannot run, the one that is kept
 * takes its place and is started.
 * index     of an active row; no program of its key runs
 * returns   LOAD_OK; or why this one was not started. LOAD_CRC: flash does not have what was
 *           installed; LOAD_INITIAL, LOAD_ADDRESS: it is not fit to run; LOAD_EVENTS: other
 *           programs have the slots that its events need; LOAD_STATE: it is dead now; LOAD_WRITE:
 *           its start could not be counted
 * context   thread; one at a time, as all of these
 * blocks    no, but see code_write
 */
enum load_error run_start(uint8_t index);

/* Stops a program that runs.
 * context   thread
 * blocks    yes, for its threads
 */
void run_stop(uint8_t index);

/* Stops the programs that the directory does not have as active.
 * context   thread
 * blocks    yes, for their threads
 */
void run_stop_others(void);

/* Why it has ended since it was started: enum panic_reason, or 0 if it has not failed.
 * context   thread
 * blocks    no
 */
uint8_t run_failed(uint8_t index);

/* Starts what is active, after directory_open; a crash before it is counted. Nothing runs yet.
 * context   thread
 * blocks    no, but see code_write
 */
void run_boot(void);

/* Whether it runs: its threads have not all ended, or it has none and was not stopped.
 * context   thread
 * blocks    no
 */
bool run_runs(uint8_t index);

/* How many of its threads have not ended; 0 if it does not run.
 * context   thread
 * blocks    no
 */
uint8_t run_threads(uint8_t index);

/* The time in units of 64 us, of which a second has a whole number. It wraps after three days; what
 * is measured by it takes less than half of that.
 * context   thread
 * blocks    no
 */
uint32_t run_now(void);

/* So many seconds in these units. */
static inline uint32_t run_seconds(uint16_t seconds)
{
    return seconds * UINT32_C(15625);
}

/* What is left of the time until `due`; 0: nothing. */
static inline uint32_t run_left(uint32_t due, uint32_t now)
{
    return (int32_t)(due - now) > 0 ? due - now : 0;
}

#define RUN_NEVER UINT32_MAX

/* Ends trials that were confirmed, and those whose time is over, with another start; and forgets
 * the crashes of programs that have run for long enough.
 * now       run_now()
 * returns   time until this is to be called again, or RUN_NEVER; program_confirm calls too
 * context   thread
 * blocks    yes, for threads
 */
uint32_t run_serve(uint32_t now);

#endif
