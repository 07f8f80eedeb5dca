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

/* The record of a fault in a handler says if it was a kernel call. Does nothing in programs without
 * a kernel level, which cannot make one.
 */
void panic_of_handler(struct panic_record *record);
void panic_of_handler_call(struct panic_record *record);

#endif
