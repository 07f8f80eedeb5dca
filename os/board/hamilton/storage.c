/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: storage is the chip's own flash. In a separate file, so that a program without
 * storage does not link the driver. */
#include "driver/storage/chip_flash.h"
#include "driver/storage/medium.h"

STORAGE_IS(chip_flash)
