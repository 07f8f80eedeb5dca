// SPDX-License-Identifier: MIT OR Apache-2.0
/* A program for ATmega128 that knows nothing of Lichen, as people write them with avr-libc: the console echoes
 * what is typed, timer 0 on the watch crystal ticks once per second, and the processor idles otherwise. Built by
 *
 *   avr-gcc -mmcu=atmega128 -Os -g -gdwarf-4 -gno-record-gcc-switches -fdebug-prefix-map="$PWD"=. \
 *     -o ticks.elf ticks.c
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

volatile uint16_t ticks;

static void put(char character)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = character;
}

static __attribute__((noinline)) void print(const char *text)
{
    while (*text != 0)
        put(*text++);
}

ISR(USART0_RX_vect)
{
    put(UDR0);
}

ISR(TIMER0_OVF_vect)
{
    ticks++;
    PORTA ^= _BV(PA2);
}

/* 57600 baud of 7.3728 MHz. */
static void start_console(void)
{
    UBRR0L = 7;
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

/* 32768 Hz / 128 / 256. */
static void start_timer(void)
{
    ASSR = _BV(AS0);
    TCCR0 = _BV(CS02) | _BV(CS00);
    loop_until_bit_is_clear(ASSR, TCR0UB);
    TIMSK = _BV(TOIE0);
}

int main(void)
{
    uint16_t seen = 0;
    DDRA = _BV(PA2);
    PORTA = _BV(PA2);
    start_console();
    start_timer();
    sei();
    print("ready\n");
    for (;;) {
        sleep_mode();
        if (seen != ticks) {
            seen = ticks;
            print("tick\n");
        }
    }
}
