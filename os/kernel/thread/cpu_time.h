/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CPU time of threads, for the switch. */
#ifndef KERNEL_THREAD_CPU_TIME_H
#define KERNEL_THREAD_CPU_TIME_H

#include <stdint.h>

/* Value of the cycle counter when cycles were last charged to a thread. Written at the kernel
 * level.
 */
extern uint32_t cpu_time_since;

#endif
