/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the second place of messages adds, in programs that have one: syslog_sink.c. */
#ifndef DRIVER_CONSOLE_SYSLOG_H
#define DRIVER_CONSOLE_SYSLOG_H

/* Takes a character of a thread's message. Between console_claim and console_release.
 */
__attribute__((weak)) void syslog_sink_put(char character);

/* Hands the message over, likewise.
 */
__attribute__((weak)) void syslog_sink_end(void);

/* Counts a message of an event. */
__attribute__((weak)) void syslog_sink_miss(void);

#endif
