/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the entries of a panic share. */
#ifndef ARMV6M_FAULT_H
#define ARMV6M_FAULT_H

#include <lichen/panic.h>

#include "arch/arch.h"

/* Begins a panic at the place that an exception frame describes; only its address is known if it
 * cannot be read.
 * at        where the processor has put the frame
 * returns   the record, without reason and detail
 */
struct panic_record *panic_at(const struct exception_frame *frame, uint32_t at);

#endif
