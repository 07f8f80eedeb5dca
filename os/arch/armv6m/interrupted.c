/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Finds the place that a handler has interrupted. Entered from interrupted.S. */
#include "arch/arch.h"

#include "arch/armv6m/fault.h"

_Noreturn void panic_interrupted(uint32_t reason, uint32_t detail,
                                 const struct exception_frame *frame, uint32_t at);

_Noreturn void panic_interrupted(uint32_t reason, uint32_t detail,
                                 const struct exception_frame *frame, uint32_t at)
{
    struct panic_record *record = panic_at(frame, at);
    record->reason = reason;
    record->detail = detail;
    panic_record_end(record);
}
