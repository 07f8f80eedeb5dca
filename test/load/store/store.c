/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An image with storage for programs that are loaded: the logs of app/ssf, and what diary and
 * tally have. */
#include <lichen/loader.h>
#include <lichen/loader_serial.h>
#include <lichen/partition.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL("store");

PROGRAM_LOG(diary, 1000);
PROGRAM_LOG(marks, 8);
PROGRAM_LOG(samples, 6048);
PROGRAM_VOLUME(tally, 1000);
PROGRAM_COUNTER(starts);
