/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The only clock of the ATmega128, which has no wait states. */
#ifndef BENCH_FASTEST_H
#define BENCH_FASTEST_H

#define FASTEST CHIP_CLOCK_CRYSTAL

#endif
