/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vectors of a real-time task and of a driver's interrupt, and the least stack of a thread. The
 * same names for every chip. */
#ifndef BENCH_KINDS_OF_CHIP_H
#define BENCH_KINDS_OF_CHIP_H

#define VECTOR_OF_TASK      TCC0
#define VECTOR_OF_INTERRUPT TCC2
#define STACK_OF_THREAD     128

#endif
