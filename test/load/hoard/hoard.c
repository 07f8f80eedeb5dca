/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program whose volume is larger than that of its image. */
#include <lichen/block.h>
#include <lichen/thread.h>

enum { BYTES = 9 * STORAGE_ROOM };

VOLUME(tally, BYTES);

THREAD(writer, 520, PRIORITY_APP)
{
    (void)!block_sync(&tally);
}
