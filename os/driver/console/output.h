/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sending to the console in pieces that stay together. */
#ifndef DRIVER_CONSOLE_OUTPUT_H
#define DRIVER_CONSOLE_OUTPUT_H

#include <stddef.h>

/* Called before and after pieces that belong together. A thread waits until no other thread is
 * between the two calls; events, which cannot wait, pass. */
void console_claim(void);
void console_release(void);

/* Sends bytes as console_write does. Called between claim and release. */
void console_send(const void *bytes, size_t length);

#endif
