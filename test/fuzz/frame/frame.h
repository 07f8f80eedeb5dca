/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of this program share. */
#ifndef FUZZ_FRAME_FRAME_H
#define FUZZ_FRAME_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "net/ieee802154/frame.h"

#include "../host/host.h"

/* Parses bytes in every way, and aborts if something is wrong: the entry of libFuzzer, too.
 * returns   0
 */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* How many inputs had each result of frame_parse. */
extern unsigned long results[FRAME_REFUSALS];

/* Writes a capture of all frames that the standard's tables have, and prints what the codec reads
 * in them, as `tshark -T fields` does. Returns the program's exit code.
 */
int capture(const char *file);

#endif
