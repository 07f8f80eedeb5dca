/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vectors of a real-time task and of a driver's interrupt, and the least stack of a thread. The
 * same names for every chip. */
#ifndef BENCH_KINDS_OF_CHIP_H
#define BENCH_KINDS_OF_CHIP_H

#define VECTOR_OF_TASK      TIMER1_COMPA
#define VECTOR_OF_INTERRUPT TIMER3_COMPA
#define STACK_OF_THREAD     192

#endif
