/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote in the field starts again. Linked unless the program says PANIC_HALT. */
#include <lichen/panic.h>

const bool panic_halts = false;
