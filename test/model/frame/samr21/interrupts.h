/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupts that act. The same names for every chip:
 *
 *   MODEL_INTERRUPTS(function)   defines a handler for each level, which calls function(level)
 */
#ifndef TEST_MODEL_FRAME_INTERRUPTS_H
#define TEST_MODEL_FRAME_INTERRUPTS_H

#include "software_interrupt.h"

#define MODEL_INTERRUPTS(function) SOFTWARE_INTERRUPTS(function)

#endif
