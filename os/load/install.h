/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Installs a program while its container arrives.
 *
 *     header -> checks -> places -> linker -> pages (load/writer.h) -> CRC -> read back ->
 * directory
 *
 * Until the directory is written, the program lies in flash that no row of it has, and nothing else
 * was touched. What is refused before that, or cut by a failure of power, leaves no trace.
 *
 * One program arrives at a time. While one does, nothing else may write flash: its page is the one
 * that is being filled.
 */
#ifndef LOAD_INSTALL_H
#define LOAD_INSTALL_H

#include <stdbool.h>
#include <stdint.h>

#include "load/error.h"

/* Begins; what was arriving is given up.
 * instance  lichen/loader.h
 * context   thread; one at a time, as all of these
 * blocks    no
 */
void install_begin(uint8_t instance);

/* Takes bytes of the container.
 * returns   LOAD_OK, or why it is refused, and then again; LOAD_STATE without install_begin
 * context   thread
 * blocks    no, but see code_write
 */
enum load_error install_feed(const uint8_t *bytes, uint16_t count);

/* The container has ended: the program is installed and active, or refused.
 * index     set to its row
 * returns   LOAD_OK, or why it is refused
 * context   thread
 * blocks    no, but see code_write
 */
enum load_error install_end(uint8_t *index);

/* Gives up what is arriving, if anything is.
 * context   thread
 * blocks    no
 */
void install_give_up(void);

/* Whether a container is arriving that was not refused.
 * context   any
 * blocks    no
 */
bool install_is_busy(void);

/* The bytes that were taken, up to an error.
 * context   any
 * blocks    no
 */
uint32_t install_position(void);

#endif
