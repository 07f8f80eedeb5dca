/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Linked unless the program says WATCHDOG_LIMIT_MS. */
#include <lichen/watchdog.h>

WATCHDOG_LIMIT_MS(WATCHDOG_PIECE_MS);
