/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program is installed and started whose container lies in memory, where the host puts it when
 * `load_begin` is reached: on AVR in flash, for its RAM would not hold it beside the program. The
 * host counts from there to the program's first instruction, the first time or the second: before
 * that the program is removed, and there is time to erase its pages.
 *
 *   load_begin .. load_end   installs it; the program, which is more urgent, may run before the end
 */
#include <lichen/loader.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../../kernel/mark.h"

LOADER(PRIORITY_HIGH);

enum {
    BOOTED_MS = 100,
    ERASED_MS = 1000,
    PIECE = 32,
};

extern const volatile ARCH_FLASH uint8_t container[CONTAINER_ROOM];
extern const volatile ARCH_FLASH uint16_t container_bytes;
const volatile ARCH_FLASH uint8_t container[CONTAINER_ROOM] ARCH_FLASH_PLACED(container) = {0};
const volatile ARCH_FLASH uint16_t container_bytes ARCH_FLASH_PLACED(container_bytes) = 0;

volatile int load_error = -1;

static int feed(void)
{
    uint8_t piece[PIECE];
    uint16_t bytes = container_bytes;
    int error = 0;

    for (uint16_t at = 0; at < bytes && error == 0; at += PIECE) {
        uint8_t count = bytes - at < PIECE ? (uint8_t)(bytes - at) : PIECE;

        for (uint8_t i = 0; i < count; i++) {
            piece[i] = container[at + i];
        }
        error = loader_feed(piece, count);
    }
    return error;
}

static void install(void)
{
    int error = loader_begin(0);

    if (error == 0) {
        error = feed();
    }
    if (error == 0) {
        error = loader_end();
    }
    load_error = error;
}

/* The first time.
 * returns   whether it was
 */
static __attribute__((noinline)) bool remove_first(void)
{
    static bool was_removed;
    struct loader_program program;

    if (was_removed) {
        return false;
    }
    was_removed = true;
    loader_look(0, &program);
    load_error = loader_remove(program.name);
    sleep_ms(ERASED_MS);
    return true;
}

THREAD(installs, LOADER_STACK, PRIORITY_LOW)
{
    sleep_ms(BOOTED_MS);
    do {
        BENCH_MARK(load_begin);
        install();
        BENCH_MARK(load_end);
        sleep_ms(BOOTED_MS);
    } while (remove_first());
    for (;;) {
        sleep_ms(BOOTED_MS);
    }
}
