/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The wires of the AT45DB041B, in SPI mode 0 or 3. Defined by os/board/<name>. */
#ifndef DRIVER_STORAGE_AT45DB_WIRING_H
#define DRIVER_STORAGE_AT45DB_WIRING_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the wires outputs and an input, with the part not selected. */
void at45db_wires_open(void);

/* Drives the select line low, or high. */
void at45db_wires_select(bool is_selected);

/* Sends a byte, most significant bit first. What the part sends meanwhile is ignored. */
void at45db_wires_send(uint8_t byte);

/* Receives a byte. What the part receives meanwhile does not matter. */
uint8_t at45db_wires_receive(void);

#endif
