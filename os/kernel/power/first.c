/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The first choice of the depth of sleep, if idling comes first. What has a kernel level links this
 * file; other programs choose before each wait. */
#include "arch/arch.h"
#include "kernel/start.h"

extern const uint8_t power_first;
const uint8_t power_first = 0;

static void choose_first(void)
{
    arch_kernel_request();
}
START(choose_first);
