/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a program whose logs and volumes are its image's. */
#include "driver/storage/block.h"
#include "driver/storage/lock.h"
#include "kernel/program/walk.h"

/* In images with volumes. */
#pragma weak block_cache

void storage_program_stop(struct program *program)
{
    const bool entered = storage_hold();

    program_stop(program);
    if (&block_cache != 0 && program_has(program, block_cache.volume)) {
        block_cache.volume = 0;
        block_cache.state = BLOCK_CLEAN;
    }
    if (entered) {
        storage_release();
    }
}
