/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls what START has entered into the table. START pulls in this file. */
#include "kernel/start.h"

#include "arch/arch.h"

extern start_fn *const ARCH_FLASH starts_begin[], *const ARCH_FLASH starts_end[];

/* What has an entry in the table names it. */
extern const uint8_t kernel_has_starts;
const uint8_t kernel_has_starts = 0;

void kernel_starts_all(void)
{
    for (start_fn *const ARCH_FLASH *start = starts_begin; start < starts_end; start++) {
        (*start)();
    }
}
