/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CRC of pages. */
#ifndef DRIVER_STORAGE_CRC_H
#define DRIVER_STORAGE_CRC_H

#include <stdint.h>

#include "base/crc16.h"

/* Continues a CRC over bytes in memory. */
uint16_t page_crc_of(uint16_t crc, const void *bytes, uint16_t length);

#endif
