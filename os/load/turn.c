/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/turn.h"

#include <stdbool.h>
#include <stdint.h>

#include <lichen/mutex.h>

#include "base/crc32.h"
#include "load/arena.h"
#include "load/calls.h"
#include "load/directory.h"

static MUTEX(turn);
static bool is_open; /* the directory; guarded by `turn` */

/* Programs are linked to the image's calls and to the places in its RAM. */
static uint32_t identity(void)
{
    const uintptr_t places[2] = {(uintptr_t)arena_begin, (uintptr_t)arena_end};

    return crc32_add_all(calls_identity(), (const uint8_t *)places, sizeof(places));
}

/* An owner that was destroyed left nothing that a later call relies on. */
void turn_begin(void)
{
    (void)mutex_lock(&turn);
    if (!is_open) {
        is_open = true;
        directory_open(identity());
    }
}

/* Not inline: unlocking is, and often called. */
__attribute__((noinline)) int turn_end(enum load_error error)
{
    mutex_unlock(&turn);
    return error;
}

void turn_forget(void)
{
    is_open = false;
}
