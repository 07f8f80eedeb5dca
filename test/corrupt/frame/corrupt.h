/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a program of test/corrupt shows to the host, which overwrites words of its memory.
 *
 * The program does its work in rounds. A round is over when each of its parts has worked since the
 * last one; each part checks what it can by assertions. The parts' own state lies in one variable,
 * `own`, which the host does not overwrite. All other written memory belongs to the system. In a
 * program that has a variable `only`, just the words of that variable are overwritten.
 */
#ifndef TEST_CORRUPT_FRAME_CORRUPT_H
#define TEST_CORRUPT_FRAME_CORRUPT_H

/* A round is over: a place for a breakpoint. */
__attribute__((noinline)) void corrupt_round(void);

/* Called by `everything` once a round: to feed a watchdog, where there is one. */
void corrupt_all_work(void);

#endif
