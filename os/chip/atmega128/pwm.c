/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waves by timer 1: fast PWM with ICR1 as top (ATmega128 data sheet, 16-bit Timer/Counter). An
 * output is high from the beginning of a period until the count after OCR1x, so at least for one
 * count: a pin that is always low is disconnected.
 *
 * An output that is disconnected stays as it is, and its pin would be so when it is connected
 * again. So it is disconnected while it is low: at once, or by the interrupt of the match that ends
 * its pulse. Then a wave begins with a whole period, and no pulse is cut.
 *
 * Timer 1 is also that of real-time tasks on RT_TIMER_A. Both have a handler of its vector, so a
 * program with both does not link.
 */
#include "chip/pwm.h"

#include <lichen/gpio.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/atmega128/pin.h"

enum {
    FIRST_PIN = GPIO_PIN('B', 5), /* OC1A, then OC1B and OC1C */
    OUTPUTS = 3,
    SHARE_BITS = 16,
    SHIFTS = 5,
    MODE = 1 << WGM13 | 1 << WGM12, /* with WGM11: fast PWM, ICR1 is the top */
};

static uint32_t counts; /* of a period */
static uint8_t clock;   /* CS12:0 */

/* COM1x1 of an output; COM1x0 is 0: cleared by a match. */
static uint8_t connection(uint8_t output)
{
    return (uint8_t)(1 << COM1A1 >> 2 * output);
}

static void enable_match(uint8_t output, bool enable)
{
    if (output == 2) {
        register_update(&ETIMSK, 1 << OCIE1C, enable ? 1 << OCIE1C : 0);
    } else {
        uint8_t bit = output == 0 ? 1 << OCIE1A : 1 << OCIE1B;
        register_update(&TIMSK, bit, enable ? bit : 0);
    }
}

static void clear_match(uint8_t output)
{
    if (output == 2) {
        ETIFR = 1 << OCF1C;
    } else {
        TIFR = output == 0 ? 1 << OCF1A : 1 << OCF1B;
    }
}

static void disconnect(uint8_t output)
{
    enable_match(output, false);
    register_update(&TCCR1A, connection(output), 0);
}

INTERRUPT(TIMER1_COMPA)
{
    disconnect(0);
}

INTERRUPT(TIMER1_COMPB)
{
    disconnect(1);
}

INTERRUPT(TIMER1_COMPC)
{
    disconnect(2);
}

uint8_t pwm_number_of_pin(uint8_t pin)
{
    uint8_t number = (uint8_t)(pin - FIRST_PIN);

    return number < OUTPUTS ? number : PWM_NO_PIN;
}

uint8_t pwm_output_of(uint8_t number)
{
    return number;
}

bool pwm_timer_prepare(uint32_t hz)
{
    static const ARCH_FLASH uint8_t shifts[SHIFTS] = {0, 3, 6, 8, 10};
    uint32_t cycles = (chip_clock_hz() + hz / 2) / hz;
    uint8_t i = 0;

    while (cycles >> shifts[i] > UINT16_MAX) {
        if (++i == SHIFTS) {
            return false;
        }
    }
    counts = cycles >> shifts[i];
    if (counts < 2) {
        return false;
    }
    clock = (uint8_t)(i + 1);
    pwm_timer_stop();
    TCCR1A = 1 << WGM11;
    TCCR1B = MODE;
    register_write_16(&ICR1, (uint16_t)(counts - 1));
    return true;
}

/* From the last count, after which compare values are taken over. */
void pwm_timer_run(void)
{
    /* Two counts before the first period: after a write, the next count is not compared, and at the
     * top it would run through all 16 bits. */
    register_write_16(&TCNT1, (uint16_t)(counts - 2));
    TCCR1B = (uint8_t)(MODE | clock);
}

/* Outside PWM modes a connected output is made low by FOC1x. */
void pwm_timer_stop(void)
{
    TCCR1B = 0;
    register_update(&TCCR1A, 1 << WGM11, 0);
    TCCR1C = 1 << FOC1A | 1 << FOC1B | 1 << FOC1C;
    for (uint8_t output = 0; output < OUTPUTS; output++) {
        disconnect(output);
    }
}

static volatile uint16_t *compare_of(uint8_t output)
{
    return output == 0 ? &OCR1A : output == 1 ? &OCR1B : &OCR1C;
}

void pwm_output_set(uint8_t output, uint16_t share)
{
    uint32_t length =
        share == UINT16_MAX ? counts : (counts * share + (1ul << (SHARE_BITS - 1))) >> SHARE_BITS;

    enable_match(output, false);
    if (length > 0) {
        register_write_16(compare_of(output), (uint16_t)(length - 1));
        register_update(&TCCR1A, connection(output), connection(output));
        return;
    }
    register_write_16(compare_of(output), 0);
    clear_match(output);
    if (TCCR1A & connection(output)) {
        if (gpio_read((uint8_t)(FIRST_PIN + output))) {
            enable_match(output, true);
        } else {
            disconnect(output);
        }
    }
}

bool pwm_pin_connect(uint8_t pin)
{
    gpio_output(pin, 0);
    return true;
}

/* It is low when its output is disconnected. */
void pwm_pin_release(uint8_t pin)
{
    (void)pin;
}
