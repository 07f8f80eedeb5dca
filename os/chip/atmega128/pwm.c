/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waves by timer 1: fast PWM with ICR1 as top (ATmega128 data sheet, 16-bit Timer/Counter). An
 * output is high from the beginning of a period until the count after OCR1x, so at least for one
 * count: a pin that is always low is disconnected.
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

static uint32_t counts;   /* of a period */
static uint8_t clock;     /* CS12:0 */
static uint8_t connected; /* pins, a bit for each output */
static uint8_t high;      /* outputs that are high for at least a count */

/* Never enabled; its name keeps real-time tasks off the timer. */
INTERRUPT(TIMER1_COMPA)
{
}

uint8_t pwm_output_of_pin(uint8_t pin)
{
    uint8_t output = (uint8_t)(pin - FIRST_PIN);

    return output < OUTPUTS ? output : PWM_NO_OUTPUT;
}

static uint8_t connection(uint8_t output)
{
    return (uint8_t)(1 << COM1A1 >> 2 * output);
}

/* WGM11, and COM1x1 of outputs that are connected and not always low. */
static void connect(void)
{
    uint8_t control = 1 << WGM11;

    for (uint8_t output = 0; output < OUTPUTS; output++) {
        if (connected & high & 1 << output) {
            control |= connection(output);
        }
    }
    TCCR1A = control;
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
    high = 0;
    connect();
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

void pwm_timer_stop(void)
{
    TCCR1B = 0;
    TCCR1A = 0;
}

static volatile uint16_t *compare_of(uint8_t output)
{
    return output == 0 ? &OCR1A : output == 1 ? &OCR1B : &OCR1C;
}

void pwm_output_set(uint8_t output, uint16_t share)
{
    uint32_t length =
        share == UINT16_MAX ? counts : (counts * share + (1ul << (SHARE_BITS - 1))) >> SHARE_BITS;

    if (length > 0) {
        register_write_16(compare_of(output), (uint16_t)(length - 1));
        high |= (uint8_t)(1 << output);
    } else {
        high &= (uint8_t) ~(1 << output);
    }
    connect();
}

bool pwm_pin_connect(uint8_t pin)
{
    gpio_output(pin, 0);
    connected |= (uint8_t)(1 << pwm_output_of_pin(pin));
    connect();
    return true;
}

void pwm_pin_release(uint8_t pin)
{
    connected &= (uint8_t) ~(1 << pwm_output_of_pin(pin));
    connect();
    gpio_output(pin, 0);
}
