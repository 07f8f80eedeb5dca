/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random numbers: the generator sfc32, and where it starts from.
 *
 * Its state is in memory that start-up does not initialise, and is so itself a part of its seed:
 * what RAM holds at power-on, and the state before a reset. The driver of a radio adds noise.
 */
#include <lichen/random.h>

#include <stdbool.h>

#include <lichen/arch.h>
#include <lichen/assert.h>
#include <lichen/init.h>
#include <lichen/serial_number.h>

#include "base/noise.h"

enum {
    ROUNDS_OF_SEED = 12,
    ROUNDS_OF_WORD = 4,
    REST_WORDS = 8,
};

struct state {
    uint32_t a, b, c, counter;
};

static struct state state __attribute__((section(".noinit")));
static uint32_t rest[REST_WORDS] __attribute__((section(".noinit")));

static bool is_seeded; /* by the program: nothing is added any more */

static uint32_t step(void)
{
    uint32_t next = state.a + state.b + state.counter++;

    state.a = state.b ^ state.b >> 9;
    state.b = state.c + (state.c << 3);
    state.c = (state.c << 21 | state.c >> 11) + next;
    return next;
}

static void stir(unsigned rounds)
{
    for (; rounds > 0; rounds--) {
        (void)step();
    }
}

static void add_word(uint32_t word)
{
    state.a ^= word;
    stir(ROUNDS_OF_WORD);
}

static void add_bytes(const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 4 && length > 0; i++, length--) {
            word = word << 8 | *bytes++;
        }
        add_word(word);
    }
}

void random_noise(uint32_t noise)
{
    if (!is_seeded) {
        add_word(noise);
    }
}

static void random_start(void)
{
    uint8_t number[SERIAL_NUMBER_BYTES] = {0};

    (void)!serial_number_known(number);
    add_bytes(number, sizeof(number));
    for (unsigned i = 0; i < REST_WORDS; i++) {
        add_word(rest[i]);
    }
    stir(ROUNDS_OF_SEED);
}
INIT_IN(SERVICES, random_start);

static int draw(void *into, void *unused)
{
    (void)unused;
    *(uint32_t *)into = step();
    return 0;
}

uint32_t random_u32(void)
{
    uint32_t number;

    (void)arch_kernel_run(&number, 0, draw);
    return number;
}

/* Of numbers with as many bits, those that are too large are drawn again. */
uint32_t random_below(uint32_t bound)
{
    uint32_t mask = bound - 1;
    uint32_t number;

    assert(bound > 0);
    for (unsigned shift = 1; shift < 32; shift *= 2) {
        mask |= mask >> shift;
    }
    do {
        number = random_u32() & mask;
    } while (number >= bound);
    return number;
}

void random_bytes(void *bytes, size_t length)
{
    uint8_t *byte = bytes;

    while (length > 0) {
        uint32_t number = random_u32();
        for (unsigned i = 0; i < 4 && length > 0; i++, length--) {
            *byte++ = (uint8_t)number;
            number >>= 8;
        }
    }
}

static int add(void *bytes, void *length)
{
    add_bytes(bytes, *(size_t *)length);
    return 0;
}

void random_add(const void *bytes, size_t length)
{
    (void)arch_kernel_run((void *)(uintptr_t)bytes, &length, add);
}

static int seed_with(void *seed, void *unused)
{
    (void)unused;
    is_seeded = true;
    state = (struct state){.b = *(uint32_t *)seed, .counter = 1};
    stir(ROUNDS_OF_SEED);
    return 0;
}

void random_seed(uint32_t seed)
{
    (void)arch_kernel_run(&seed, 0, seed_with);
}
