/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a program whose volumes are its image's. Until then its memory is as it has left it,
 * and a call for another volume may write its page; from now on the memory is the loader's. */
#include "driver/storage/block.h"
#include "driver/storage/lock.h"
#include "kernel/program/walk.h"

/* Another thread may be writing the page: it is waited for. */
void block_program_stop(struct program *program)
{
    program_stop(program);
    storage_enter();
    if (program_has(program, block_cache.volume)) {
        block_cache.volume = 0;
        block_cache.state = BLOCK_CLEAN;
    }
    storage_leave();
}
