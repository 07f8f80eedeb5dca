// SPDX-License-Identifier: MIT OR Apache-2.0
/* A small image for AVR as people write them: with avr-libc, constants in flash and in RAM, EEPROM, fuses,
 * lock bits, and the signature of the chip. Built by
 *
 *   for version in 2 4; do
 *     avr-gcc -mmcu=atmega128 -Os -g -gdwarf-$version -gno-record-gcc-switches \
 *       -fdebug-prefix-map="$PWD"=. -o avr-dwarf$version.elf avr.c
 *   done
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/signature.h>

FUSES = {.low = 0xbf, .high = 0x89, .extended = 0xff};
LOCKBITS = 0xfc;

struct point {
    int8_t x;
    int16_t y;
};

struct shape {
    struct point corner[3];
    void (*draw)(struct shape *);
    struct shape *next;
    const char *name;
};

struct label {
    const __flash char *text;
    const __flash1 char *other_text;
};

const char notice[] PROGMEM = "in flash";
uint8_t remembered EEMEM = 7;
const uint32_t answer = 42;
struct shape first = {.name = "in RAM"};
struct label label;
static volatile uint32_t ticks;

ISR(TIMER0_OVF_vect)
{
    ticks++;
}

static inline __attribute__((always_inline)) uint16_t square(uint16_t side)
{
    ticks = side;
    return side * side + first.corner[1].y;
}

__attribute__((noinline)) uint16_t measure(uint16_t side)
{
    first.corner[0].x++;
    return square(side) ^ (uint16_t)answer;
}

int main(void)
{
    for (uint16_t side = 0;; side++)
        first.corner[2].y = measure(side) + pgm_read_byte(&notice[side & 3]) + eeprom_read_byte(&remembered);
}
