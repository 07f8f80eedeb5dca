/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Restarts of sequences (sequence.inc). */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

/* An entry of the table of sequences, in flash. */
struct sequence {
    uint32_t restart; /* its first instruction */
    uint32_t commit;  /* its last one */
};

extern const struct sequence sequence_table[], sequence_table_end[];
extern const uint8_t sequences_begin[], sequences_idle[];

/* Few threads are interrupted within the sequences' address range, so that is tested first. The
 * switch calls this for the idle thread, too, which waits behind it. */
void sequence_restart(void)
{
    struct exception_frame *frame;
    __asm__ volatile("mrs %0, psp" : "=r"(frame));
    if (frame->pc - (uintptr_t)sequences_begin >= (uintptr_t)(sequences_idle - sequences_begin)) {
        return;
    }
    for (const struct sequence *it = sequence_table; it < sequence_table_end; it++) {
        if (frame->pc - it->restart <= it->commit - it->restart) {
            frame->pc = it->restart;
        }
    }
}
