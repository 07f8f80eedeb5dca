/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the loader's thread does, and what wakes it. */
#ifndef LOAD_THREAD_H
#define LOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/notify.h>

#include "load/error.h"

struct program;

/* Wakes the loader's thread: there may be something to do. */
extern struct notify loader_work;

/* A program has called program_confirm. The loader's thread writes that.
 * context   thread (of the program)
 * blocks    no
 */
void loader_confirmed(struct program *program);

/* program_confirm and program_version (lichen/program.h) of what was loaded.
 * context   thread
 * blocks    no
 */
void loader_confirm(void);
uint16_t loader_version(void);

/* Reads the directory, and starts what is active.
 * context   thread
 * blocks    yes
 */
void loader_boot(void);

/* Serves trials, or gives up a container of which nothing came since the last call.
 * is_idle   nothing has come for a while: erases a page ahead, if there is one to erase
 * returns   time until this is to be called again if nothing wakes the thread, or RUN_NEVER
 *           (load/run.h)
 * context   thread
 * blocks    yes
 */
uint32_t loader_serve(bool is_idle);

/* Serves the frames that have arrived, and listens for more: in images with LOADER_SERIAL.
 * returns   when to call this again at the latest, or TIME_NEVER
 * context   the loader's thread
 * blocks    yes
 */
uint64_t load_serial_serve(void);

/* Passes on what goes to all motes, and installs it: in images with LOADER_OVER_THE_AIR.
 * returns   when to call this again at the latest, or TIME_NEVER
 * context   the loader's thread
 * blocks    yes
 */
uint64_t load_air_serve(void);

/* There may be room for what found none.
 * context   thread
 * blocks    no
 */
void load_air_retry(void);

/* Installs the program whose container has arrived (install_end), stops its older version, and
 * starts it.
 * returns   LOAD_OK or an error
 * context   thread, which has the turn
 * blocks    yes, for the threads of the older version
 */
enum load_error loader_finish(void);

#endif
