// SPDX-License-Identifier: MIT OR Apache-2.0
/* Loops as people write them, of which rounds.rs says how often they are repeated. Built by
 *
 *   flags="-Os -gno-record-gcc-switches -nostartfiles -fdebug-prefix-map=$PWD=. -Wl,-e,down"
 *   arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -g $flags \
 *     -Wl,-Ttext=0x100,-Tdata=0x20000000 -o loops.armv6m.elf loops.c
 *   avr-gcc -mmcu=atmega128 -gdwarf-4 $flags -mrelax -Wl,--emit-relocs -o loops.avr8.elf loops.c
 */
#include <stdint.h>

#define KEPT __attribute__((noinline, used))
/* The compiler cannot leave it out, nor count by something else. */
#define uses(number) __asm__ volatile("" ::"r"(number) : "memory")

KEPT uint16_t down(void)
{
    for (uint8_t i = 200; i > 0; i--)
        uses(i);
    return 0;
}

KEPT uint16_t up(void)
{
    for (uint16_t i = 0; i < 300; i++)
        uses(i);
    return 0;
}

KEPT uint16_t thirds(void)
{
    for (uint16_t i = 5; i <= 1000; i += 3)
        uses(i);
    return 0;
}

KEPT uint16_t negative(void)
{
    for (int16_t i = 100; i >= -41; i -= 2)
        uses(i);
    return 0;
}

KEPT uint16_t delay(void)
{
    for (uint32_t i = 2000; i != 0; i--)
        uses(i);
    return 0;
}

KEPT uint16_t bits(uint16_t number)
{
    uint16_t count = 0;
    for (uint8_t mask = 1; mask != 0; mask <<= 1)
        count += (number & mask) != 0;
    uses(count);
    return count;
}

KEPT void copy(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < 11; i++)
        to[i] = from[i] ^ 1;
}

/* The inner loop has another number of rounds in each of the outer one. */
KEPT uint16_t triangle(void)
{
    uint16_t sum = 0;
    for (uint8_t i = 1; i < 9; i++) {
        for (uint8_t j = 0; j < i; j++) {
            uses(j);
            sum += j;
        }
    }
    return sum;
}

/* Two ends: what is found, and all that there is. */
KEPT uint16_t found(const uint8_t *of, uint16_t wanted)
{
    for (uint8_t i = 0; i < 12; i++) {
        if (of[i] == (uint8_t)wanted)
            return i;
    }
    return 99;
}

/* The counter is kept across a call. */
KEPT uint16_t calls(uint16_t a)
{
    uint16_t sum = 0;
    for (uint8_t i = 0; i < 7; i++) {
        uses(i);
        sum += bits(a);
    }
    return sum;
}

static uint8_t table[4];

/* Of the first loop nobody knows where it ends, though it is known where it begins. */
KEPT uint16_t behind(void)
{
    const volatile uint8_t *at = table;
    while (*at != 0)
        at++;
    for (uint8_t i = 3; i < 93; i++)
        uses(i);
    return 0;
}

static volatile uint8_t busy, shown;

/* Within a loop that is counted there is one that waits. */
KEPT uint16_t waits(void)
{
    for (uint8_t i = 0; i < 6; i++) {
        shown = i;
        while (busy)
            ;
    }
    return 0;
}

/* Only the caller knows. */
KEPT uint16_t asked(uint16_t rounds)
{
    do
        uses(rounds);
    while (--rounds & 0xff);
    return 0;
}
