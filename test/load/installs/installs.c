/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Installs, or removes, the program whose container lies in memory, where the host puts it when
 * `installs_begin` is reached; again and again. Before the first time it tells what is installed.
 *
 *   installs_begin .. installs_end   installs it, or removes the program of its name
 */
#include <string.h>

#include <lichen/loader.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/watchdog.h>

LOADER(PRIORITY_HIGH);

/* Fed in each turn. */
WATCHDOG_CHANNEL(turns);
WATCHDOG_LIMIT_MS(1000);

enum {
    BOOTED_MS = 100,
    PIECE = 32,
    NAME_BYTES_AT = 28, /* doc/spec/container.md */
    NAME_AT = 30,
};

/* A symbol at a place in the code. */
#define MARK(name)                                                                                 \
    __asm__ volatile(".global " #name "\n\t"                                                       \
                     ".type " #name ", %%function\n" #name ":"                                     \
                     :                                                                             \
                     :                                                                             \
                     : "memory")

/* On AVR in flash: its RAM would not hold a container beside the program. */
extern const volatile ARCH_FLASH uint8_t container[1024];
extern const volatile ARCH_FLASH uint16_t container_bytes;
const volatile ARCH_FLASH uint8_t container[1024] ARCH_FLASH_PLACED(container) = {0};
const volatile ARCH_FLASH uint16_t container_bytes ARCH_FLASH_PLACED(container_bytes) = 0;

/* What the host asks for, and what came of it. */
volatile uint8_t removes;
volatile int turn_error;

/* What was installed at the start. */
volatile uint8_t rows;
volatile uint8_t running;
volatile uint16_t version; /* of what runs */

static void look(void)
{
    struct loader_program program;

    for (uint8_t i = 0; i < LOADER_PROGRAMS; i++) {
        loader_look(i, &program);
        if (program.state != LOADER_FREE) {
            rows++;
        }
        if (program.runs) {
            running++;
            version = program.version;
        }
    }
}

static int install(void)
{
    uint8_t piece[PIECE];
    uint16_t bytes = container_bytes;
    int error = loader_begin(0);

    for (uint16_t at = 0; at < bytes && error == 0; at += PIECE) {
        uint8_t count = bytes - at < PIECE ? (uint8_t)(bytes - at) : PIECE;

        for (uint8_t i = 0; i < count; i++) {
            piece[i] = container[at + i];
        }
        error = loader_feed(piece, count);
    }
    return error == 0 ? loader_end() : error;
}

static int remove(void)
{
    char name[LOADER_NAME_BYTES];
    uint8_t bytes = container[NAME_BYTES_AT];

    memset(name, 0, sizeof(name));
    for (uint8_t i = 0; i < bytes; i++) {
        name[i] = (char)container[NAME_AT + i];
    }
    return loader_remove(name);
}

THREAD(installs, LOADER_STACK, PRIORITY_LOW)
{
    sleep_ms(BOOTED_MS);
    look();
    for (;;) {
        watchdog_feed(&turns);
        MARK(installs_begin);
        turn_error = removes ? remove() : install();
        MARK(installs_end);
    }
}
