/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handler of level 0 comes at each cycle of what drivers do with registers that belong together.
 */
#include <avr/io.h>

#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/rt.h>
#include <lichen/time.h>

#include "chip/atmega128/wiring.h"
#include "chip/usart.h"

#include "compute.h"
#include "test.h"

#define BYTE_CYCLES 1280u /* ten bits at 57,600 baud */

static volatile bool keeps_long;
static volatile bool shows_low; /* FREE_PIN, PC7, was an output and low */

/* The vector is the handler. It writes a register of 16 bits of the same timer, too. */
ARCH_VECTOR(TIMER3_COMPB);
ARCH_SECOND_NAME("entry_TIMER3_COMPB", "__vector_intrudes");
void __vector_intrudes(void) __attribute__((signal, used));
void __vector_intrudes(void)
{
    TCCR3B = 0;
    OCR1C = 0xa5a5;
    shows_low = shows_low || ((DDRC & 1 << 7) && !(PORTC & 1 << 7));
    if (keeps_long) {
        compute_cycles(2 * BYTE_CYCLES);
    }
}

static inline __attribute__((always_inline)) void intrude_in(uint16_t cycles)
{
    ETIMSK |= 1 << OCIE3B;
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3B = cycles;
    ETIFR = 1 << OCF3B;
    TCCR3B = 1 << CS30;
}

static volatile unsigned ran;
RT_TASK(task, TIMER1_COMPA, .priority = 0, .period_us = 8000, .deadline_us = 1000,
        .wcet_cycles = 100)
{
    rt_acknowledge();
    ran++;
}

/* 8 ms, in cycles. */
TEST(the_period_of_a_task_is_set_whole_whatever_interrupts)
{
    keeps_long = false;
    for (uint16_t cycles = 1; cycles < 4000; cycles++) {
        intrude_in(cycles);
        rt_period_start(task);
        uint16_t top = OCR1A;
        rt_period_stop(task);
        expect_equal(top + 1u, 58982u);
    }
    expect_equal(ran, 0);
}

TEST(a_pin_that_becomes_a_high_output_is_not_low_before)
{
    shows_low = false;
    for (uint16_t cycles = 1; cycles < 300; cycles++) {
        gpio_input(FREE_PIN, GPIO_PULL_NONE);
        intrude_in(cycles);
        gpio_output(FREE_PIN, true);
        while (TCCR3B != 0) {
        }
    }
    expect(!shows_low);
}

static const ARCH_FLASH struct usart_port port = {.usart = 1};

/* Nothing is received. What is sent ends lines, so that it does not disturb those of the console.
 */
static void open_port(void)
{
    sleep_ms(20);
    usart_open(&port, 57600);
    usart_disable(&port, USART_RECEIVED);
}

/* 4 cycles a round, and some more. */
static __attribute__((noinline)) void wait_cycles(uint16_t cycles)
{
    uint16_t rounds = cycles / 4 + 1;
    uint8_t rest = cycles % 4;
    __asm__ volatile("1: sbiw %0, 1\n\tbrne 1b" : "+w"(rounds));
    switch (rest) {
    case 3:
        __asm__ volatile("nop");
        /* fall through */
    case 2:
        __asm__ volatile("nop");
        /* fall through */
    case 1:
        __asm__ volatile("nop");
        break;
    default:
        break;
    }
}

static uint16_t cycles_to_send(void)
{
    TCCR1B = 0;
    TCNT1 = 0;
    TCCR1B = 1 << CS10;
    expect(usart_send_waiting(&port, '\n'));
    return TCNT1;
}

/* The flag of the byte before must not be taken for that of this one. */
TEST(a_byte_is_sent_after_the_one_before_wherever_that_ends)
{
    open_port();
    for (uint16_t cycles = 0; cycles < 1500; cycles++) {
        (void)usart_send_waiting(&port, '\n');
        usart_send(&port, '\n');
        wait_cycles(cycles);
        expect(cycles_to_send() >= BYTE_CYCLES);
    }
}

/* While the handler runs, the byte is sent. */
TEST(the_end_of_a_byte_is_noticed_whatever_interrupts)
{
    open_port();
    keeps_long = true;
    for (uint16_t cycles = 1; cycles < 200; cycles++) {
        intrude_in(cycles);
        expect(usart_send_waiting(&port, '\n'));
    }
}
