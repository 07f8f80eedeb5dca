/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The storage of app/ssf, in an image that is else that of loads. */
#include <lichen/partition.h>

PROGRAM_LOG(marks, 8);
PROGRAM_LOG(samples, 6048);
