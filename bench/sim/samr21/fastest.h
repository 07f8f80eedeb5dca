/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The fastest clock of the SAM R21, at which its flash needs a wait state. */
#ifndef BENCH_FASTEST_H
#define BENCH_FASTEST_H

#define FASTEST CHIP_CLOCK_48_MHZ

#endif
