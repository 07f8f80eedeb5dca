/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads, inside the kernel. */
#ifndef KERNEL_COOP_COOP_H
#define KERNEL_COOP_COOP_H

/* Runs cooperative threads for ever, and waits while none is ready. 0 in a program that has none.
 * context   thread: in programs with threads the idle one, else the only one there is
 */
_Noreturn __attribute__((weak)) void coop_run(void);

#endif
