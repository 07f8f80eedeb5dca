/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waves by timer 3: fast PWM with ICR3 as top (ATmega128 data sheet, 16-bit Timer/Counter). An
 * output is high from the beginning of a period until the count after OCR3x, so at least for one
 * count: a pin that is always low is disconnected.
 *
 * An output that is disconnected stays as it is, and its pin would be so when it is connected
 * again. So it is disconnected while it is low: at once, or by the interrupt of the match that ends
 * its pulse. Then a wave begins with a whole period, and no pulse is cut.
 *
 * Timer 3 is also that of real-time tasks on RT_TIMER_A. Both have a handler of its vector, so a
 * program with both does not link.
 */
#include "chip/pwm.h"

#include <lichen/gpio.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/atmega128/pin.h"

enum {
    FIRST_PIN = GPIO_PIN('E', 3), /* OC3A, then OC3B and OC3C */
    OUTPUTS = 3,
    SHARE_BITS = 16,
    SHIFTS = 5,
    MODE = 1 << WGM33 | 1 << WGM32, /* with WGM31: fast PWM, ICR3 is the top */
};

static uint32_t counts; /* of a period */
static uint8_t clock;   /* CS32:0 */

/* COM3x1 of an output; COM3x0 is 0: cleared by a match. */
static uint8_t connection(uint8_t output)
{
    return (uint8_t)(1 << COM3A1 >> 2 * output);
}

/* OCIE3x of ETIMSK, and OCF3x of ETIFR. */
static uint8_t match_of(uint8_t output)
{
    return output == 0 ? 1 << OCIE3A : output == 1 ? 1 << OCIE3B : 1 << OCIE3C;
}
_Static_assert(OCIE3A == OCF3A && OCIE3B == OCF3B && OCIE3C == OCF3C, "the same bits");

static void enable_match(uint8_t output, bool enable)
{
    uint8_t bit = match_of(output);

    register_update(&ETIMSK, bit, enable ? bit : 0);
}

static void disconnect(uint8_t output)
{
    enable_match(output, false);
    register_update(&TCCR3A, connection(output), 0);
}

INTERRUPT(TIMER3_COMPA)
{
    disconnect(0);
}

INTERRUPT(TIMER3_COMPB)
{
    disconnect(1);
}

INTERRUPT(TIMER3_COMPC)
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
    TCCR3A = 1 << WGM31;
    TCCR3B = MODE;
    register_write_16(&ICR3, (uint16_t)(counts - 1));
    return true;
}

/* From the last count, after which compare values are taken over. */
void pwm_timer_run(void)
{
    /* Two counts before the first period: after a write, the next count is not compared, and at the
     * top it would run through all 16 bits. */
    register_write_16(&TCNT3, (uint16_t)(counts - 2));
    TCCR3B = (uint8_t)(MODE | clock);
}

/* Outside PWM modes a connected output is made low by FOC3x. */
void pwm_timer_stop(void)
{
    TCCR3B = 0;
    register_update(&TCCR3A, 1 << WGM31, 0);
    TCCR3C = 1 << FOC3A | 1 << FOC3B | 1 << FOC3C;
    for (uint8_t output = 0; output < OUTPUTS; output++) {
        disconnect(output);
    }
}

static volatile uint16_t *compare_of(uint8_t output)
{
    return output == 0 ? &OCR3A : output == 1 ? &OCR3B : &OCR3C;
}

void pwm_output_set(uint8_t output, uint16_t share)
{
    uint32_t length =
        share == UINT16_MAX ? counts : (counts * share + (1ul << (SHARE_BITS - 1))) >> SHARE_BITS;

    enable_match(output, false);
    if (length > 0) {
        register_write_16(compare_of(output), (uint16_t)(length - 1));
        register_update(&TCCR3A, connection(output), connection(output));
        return;
    }
    register_write_16(compare_of(output), 0);
    ETIFR = match_of(output);
    if (TCCR3A & connection(output)) {
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
