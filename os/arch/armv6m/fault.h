/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the entries of a panic share. */
#ifndef ARMV6M_FAULT_H
#define ARMV6M_FAULT_H

#include "arch/arch.h"

/* The place that an exception frame describes; only its address if it cannot be read.
 * at        where the processor has put the frame
 */
struct arch_place place_of(const struct exception_frame *frame, uint32_t at);

#endif
