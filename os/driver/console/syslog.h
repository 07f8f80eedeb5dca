/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages of interrupts (syslog_rt.c), and what the second place of messages adds, in programs
 * that have one: syslog_sink.c. */
#ifndef DRIVER_CONSOLE_SYSLOG_H
#define DRIVER_CONSOLE_SYSLOG_H

#include <lichen/syslog.h>

/* syslog_put, in an event, of a message that stands for `count` posts. All of them count as dropped
 * if there is no room for it.
 */
void syslog_put_for(const ARCH_FLASH struct syslog_place *place, unsigned count, ...);

/* Takes a character of a thread's message. Between console_claim and console_release.
 */
__attribute__((weak)) void syslog_sink_put(char character);

/* Hands the message over, likewise.
 */
__attribute__((weak)) void syslog_sink_end(void);

/* Counts a message of an event. */
__attribute__((weak)) void syslog_sink_miss(void);

#endif
