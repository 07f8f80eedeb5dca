// SPDX-License-Identifier: MIT OR Apache-2.0
/* A program for a MICA2 or MICAz with an MTS310 that talks to its parts as people do who have no drivers: bit by
 * bit. It prints what it reads, and then writes a page of the data flash for ever. Built by
 *
 *   avr-gcc -mmcu=atmega128 -DF_CPU=7372800UL -Os -g -gdwarf-4 -gno-record-gcc-switches \
 *     -fdebug-prefix-map="$PWD"=. -o parts.elf parts.c
 */
#include <avr/io.h>
#include <stdint.h>
#include <util/delay.h>

enum { PAGE_BYTES = 264, PAGE = 6 };

static void put(char character)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = character;
}

static void print(const char *text)
{
    while (*text != 0)
        put(*text++);
}

static void print_hex(uint8_t byte)
{
    put("0123456789abcdef"[byte >> 4]);
    put("0123456789abcdef"[byte & 15]);
}

static void print_number(const char *what, uint16_t number)
{
    char digits[6];
    uint8_t count = 0;
    print(what);
    do
        digits[count++] = '0' + number % 10;
    while ((number /= 10) != 0);
    while (count > 0)
        put(digits[--count]);
    put('\n');
}

/* DS2401: the line is PA4, which is never driven high. */
static uint8_t slot(uint8_t low_us)
{
    DDRA |= _BV(PA4);
    if (low_us > 10)
        _delay_us(60);
    else
        _delay_us(5);
    DDRA &= ~_BV(PA4);
    _delay_us(8);
    uint8_t high = bit_is_set(PINA, PA4);
    _delay_us(60);
    return high;
}

static void print_identity(void)
{
    DDRA |= _BV(PA4);
    _delay_us(500);
    DDRA &= ~_BV(PA4);
    _delay_us(80);
    print(bit_is_set(PINA, PA4) ? "absent" : "id ");
    _delay_us(420);
    for (uint8_t bit = 0; bit < 8; bit++)
        slot(0x33 >> bit & 1 ? 5 : 60);
    for (uint8_t index = 0; index < 8; index++) {
        uint8_t byte = 0;
        for (uint8_t bit = 0; bit < 8; bit++)
            byte |= (slot(5) != 0) << bit;
        print_hex(byte);
    }
    put('\n');
}

/* AT45DB041B: MOSI PD3, SCK PD5, MISO PD2, select PA3. */
static uint8_t exchange(uint8_t byte)
{
    for (uint8_t bit = 0; bit < 8; bit++) {
        PORTD &= ~(_BV(PD5) | _BV(PD3));
        if (byte & 0x80)
            PORTD |= _BV(PD3);
        byte = byte << 1 | bit_is_set(PIND, PD2) >> PD2;
        PORTD |= _BV(PD5);
    }
    PORTD &= ~_BV(PD5);
    return byte;
}

static void command(uint8_t opcode, uint16_t page)
{
    PORTA &= ~_BV(PA3);
    exchange(opcode);
    exchange(page >> 7);
    exchange(page << 1);
    exchange(0);
}

static void end(void)
{
    PORTA |= _BV(PA3);
}

static uint8_t flash_status(void)
{
    PORTA &= ~_BV(PA3);
    exchange(0xD7);
    uint8_t status = exchange(0);
    end();
    return status;
}

/* Waits with the clock low after the opcode, where the ready bit is put out. */
static void wait_for_flash(void)
{
    PORTA &= ~_BV(PA3);
    exchange(0xD7);
    loop_until_bit_is_set(PIND, PD2);
    end();
}

static uint16_t ones_of_page(void)
{
    uint16_t ones = 0;
    command(0xE8, PAGE);
    for (uint8_t skipped = 0; skipped < 4; skipped++)
        exchange(0);
    for (uint16_t index = 0; index < PAGE_BYTES; index++)
        for (uint8_t byte = exchange(0); byte != 0; byte &= byte - 1)
            ones++;
    end();
    return ones;
}

static void write_zeros(void)
{
    command(0x84, 0);
    for (uint16_t index = 0; index < PAGE_BYTES; index++)
        exchange(0);
    end();
    command(0x83, PAGE);
    end();
    wait_for_flash();
}

/* MTS310. */
static uint16_t convert(uint8_t channel, volatile uint8_t *port, uint8_t power)
{
    *port |= power;
    _delay_ms(20);
    ADMUX = channel;
    ADCSRA = _BV(ADEN) | _BV(ADSC) | 6;
    loop_until_bit_is_clear(ADCSRA, ADSC);
    *port &= ~power;
    return ADC;
}

int main(void)
{
    UBRR0L = 7;
    UCSR0B = _BV(TXEN0);
    PORTA = _BV(PA3);
    DDRA = _BV(PA3);
    DDRD = _BV(PD3) | _BV(PD5);
    DDRC = 0x7F;
    DDRE |= _BV(PE5);
    print_identity();
    print_number("flash ", flash_status());
    print_number("ones ", ones_of_page());
    print_number("temperature ", convert(1, &PORTC, _BV(PC0)));
    print_number("light ", convert(1, &PORTE, _BV(PE5)));
    print_number("x ", convert(3, &PORTC, _BV(PC4)));
    print_number("y ", convert(4, &PORTC, _BV(PC4)));
    for (uint8_t first = 1;; first = 0) {
        write_zeros();
        if (first)
            print_number("zeros ", ones_of_page());
    }
}
