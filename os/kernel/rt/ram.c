/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Vectors in RAM, for real-time tasks that do not depend on flash. */
#include "arch/arch.h"
#include "kernel/start.h"

void rt_vectors_in_ram(void);

/* RT_TASK_IN_RAM names it, which links this file and with it the entry in the start table. */
void rt_vectors_in_ram(void)
{
    arch_vectors_to_ram();
}
START(rt_vectors_in_ram);
