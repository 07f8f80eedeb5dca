// SPDX-License-Identifier: MIT OR Apache-2.0
/* The same, with a control block that has no name that a probe knows. */
#define _SEGGER_RTT control_block
#include "probe.c"
