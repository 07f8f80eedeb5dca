/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sending to the console in pieces that stay together. */
#ifndef DRIVER_CONSOLE_OUTPUT_H
#define DRIVER_CONSOLE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/console/format.h"

enum {
    PIECE_SIZE = 32, /* characters gathered on the caller's stack for one kernel call */
};

/* Formatted text on its way to the console: print.c. Starts with console_sink_put and no length. */
struct console_sink {
    struct format_sink sink;
    uint8_t length;
    char piece[PIECE_SIZE];
};

/* Gathers a character, and sends what is gathered when it is a piece. */
void console_sink_put(struct format_sink *sink, char character);

/* Sends the rest. */
void console_sink_flush(struct console_sink *console);

/* Called before and after pieces that belong together. A thread waits until no other thread is
 * between the two calls; events, which cannot wait, pass. */
void console_claim(void);
void console_release(void);

/* Sends bytes as console_write does. Called between claim and release. */
void console_send(const void *bytes, size_t length);

/* A text of an event that is sent as a whole or not at all: its bytes are put behind those in the
 * ring, and begin to count when they are committed. In between the event must not send.
 * offset    of the byte in the text
 * returns   false if the ring has no room for it
 * context   event
 */
bool console_stage(uint8_t offset, uint8_t byte);
void console_commit(uint8_t length);

#endif
