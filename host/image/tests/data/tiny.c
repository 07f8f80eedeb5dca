// SPDX-License-Identifier: MIT OR Apache-2.0
/* A small image with everything that its reader looks for: functions with and without a size,
 * inlined code, nested structures, an enumeration, initialised data. Built by
 *
 *   arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -g -gdwarf-4 -ffreestanding -nostdlib \
 *     -fdebug-prefix-map="$PWD"=. -Wl,-T,tiny.ld -o tiny.elf tiny.c
 */
#include <stdint.h>

enum colour { RED = 1, GREEN = 2, BLUE = -3 };

struct point {
    int16_t x;
    int16_t y;
};

struct shape {
    struct point corner[3];
    enum colour colour;
    struct shape *next;
    union {
        uint32_t area;
        uint8_t bytes[4];
    };
    struct {
        uint8_t inner;
    };
};

typedef struct {
    volatile uint64_t wide;
    const char *name;
} record_t;

extern uint32_t stack_top;
void reset_handler(void);
void label_handler(void);

struct shape first = {.colour = GREEN, .area = 5};
record_t record;
const uint32_t answer = 42;

__attribute__((section(".vectors"), used)) void *const vectors[] = {
    &stack_top, (void *)reset_handler, (void *)label_handler, (void *)label_handler};

__asm__(".text\n.thumb_func\n.global label_handler\nlabel_handler: b label_handler\n");

static inline __attribute__((always_inline)) uint32_t square(uint32_t side)
{
    return side * side + first.area;
}

__attribute__((noinline)) uint32_t measure(uint32_t side)
{
    record.wide += side;
    return square(side) ^ answer;
}

void reset_handler(void)
{
    for (uint32_t side = 0;; side++)
        first.area = measure(side);
}
