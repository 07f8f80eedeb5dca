/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Vectors in RAM, for real-time tasks that do not depend on flash. */
#include "arch/arch.h"
#include "kernel/start.h"

void rt_vectors_in_ram(void);

/* Nobody calls it: RT_TASK_IN_RAM puts it among the starts. */
void rt_vectors_in_ram(void)
{
    arch_vectors_to_ram();
}
START(rt_vectors_in_ram);
