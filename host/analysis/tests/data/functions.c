// SPDX-License-Identifier: MIT OR Apache-2.0
/* Functions as people write them, for tests that execute them. Built by
 *
 *   flags="-Os -gno-record-gcc-switches -nostartfiles -fdebug-prefix-map=$PWD=. -Wl,-e,gcd"
 *   arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -g $flags \
 *     -Wl,-Ttext=0x100,-Tdata=0x20000000 -o armv6m.elf functions.c
 *   avr-gcc -mmcu=atmega128 -gdwarf-4 $flags \
 *     -mrelax -Wl,--emit-relocs -o avr8.elf functions.c
 */
#include <stdint.h>

#define KEPT __attribute__((noinline, used))

/* Its callers rely on it that it leaves registers: the compiler sees which. */
static KEPT uint16_t least(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

KEPT uint16_t gcd(uint16_t a, uint16_t b)
{
    while (a != 0 && b != 0) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a | b;
}

KEPT uint16_t sort(uint8_t *of, uint16_t count)
{
    uint16_t moved = 0;
    for (uint8_t i = 1; i < (uint8_t)count; i++) {
        uint8_t one = of[i];
        uint8_t at = i;
        for (; at > 0 && of[at - 1] > one; at--) {
            of[at] = of[at - 1];
            moved++;
        }
        of[at] = one;
    }
    return moved;
}

KEPT uint16_t crc(const uint8_t *of, uint16_t count)
{
    uint16_t crc = 0xffff;
    for (uint8_t i = 0; i < (uint8_t)count; i++) {
        crc ^= of[i];
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
    }
    return crc;
}

KEPT uint16_t chosen(uint16_t number, uint16_t value)
{
    switch (number) {
    case 0:
        return value + 7;
    case 1:
        return value * 3;
    case 2:
        return value ^ 0x1234;
    case 3:
        return value >> 3;
    case 4:
        return least(value, 99);
    case 5:
        return ~value;
    case 6:
        return value * value;
    case 7:
        return gcd(value & 15, 6);
    default:
        return 0;
    }
}

KEPT uint16_t divided(uint16_t a, uint16_t b)
{
    uint16_t c = b | 1;
    return a / c + 5 * least(a % c, b);
}

KEPT uint16_t smallest(const uint8_t *of, uint16_t count)
{
    uint16_t found = 0x100;
    for (uint8_t i = 0; i < (uint8_t)count; i++)
        found = least(found, of[i]);
    return found;
}

static volatile uint16_t counted;
static uint16_t plain;

KEPT uint16_t count(uint16_t a, uint16_t b)
{
    counted += a;
    plain += b;
    return counted + plain;
}
