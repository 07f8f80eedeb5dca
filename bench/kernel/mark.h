/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Marks for `lichen bench`: a symbol at a place in the code, and no code.
 *
 * The host sets breakpoints on two marks and counts the cycles between them. The
 * compiler does not move volatile statements and memory accesses across a mark.
 */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

#define BENCH_MARK(name)                                                                           \
    __asm__ volatile(".global " #name "\n\t"                                                       \
                     ".type " #name ", %%function\n" #name ":"                                     \
                     :                                                                             \
                     :                                                                             \
                     : "memory")

#endif
