/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What runs, and what is to run: levels.S. In a separate file, so that a program that has no
 * interrupts, and only asks, links nothing else. */
    .section .bss.arch_levels, "aw", @nobits
    .global arch_level, arch_requested, arch_deferred, arch_woken
arch_level:
    .skip 1
arch_requested:
    .skip 1
arch_deferred:
    .skip 1
arch_woken:
    .skip 1
