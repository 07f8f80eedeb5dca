/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Flash that holds code, where logs and volumes are in the same flash: its controller has one
 * buffer and one address. A thread that came between a log's filling the buffer and its writing
 * would have the log write something else, or erase a page of a program.
 *
 * Who writes code from a thread calls code_write_in_turn and its relatives (chip/code.h). They are
 * these functions in an image that has storage there, and else those of the chip (features.cmake).
 */
#ifndef DRIVER_STORAGE_CODE_H
#define DRIVER_STORAGE_CODE_H

#include "chip/code.h"

int storage_write_code(code_address_t page);
int storage_add_code(code_address_t page);
int storage_erase_code(code_address_t page);
void storage_hold_code(void);

#endif
