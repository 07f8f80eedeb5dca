/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waves at pins, which the tests watch by reading the pins' levels. */
#include <lichen/pwm.h>
#include <lichen/time.h>

#include "pwm_of_chip.h"
#include "sleep_mode.h"
#include "test.h"
#include "wave.h"

enum { HZ = 50 };

TEST(a_wave_has_its_frequency_and_width)
{
    expect_equal(pwm_start(ONE, HZ, PWM_SHARE(25)), 0);
    expect_wave(ONE, 25, HZ);
}

TEST(the_width_is_changed)
{
    expect_equal(pwm_set(ONE, PWM_SHARE(75)), 0);
    sleep_ms(25);
    expect_wave(ONE, 75, HZ);
}

TEST(nothing_and_all_have_no_edges)
{
    expect_equal(pwm_set(ONE, 0), 0);
    sleep_ms(25);
    expect_wave(ONE, 0, 0);
    expect_equal(pwm_set(ONE, PWM_ALWAYS), 0);
    sleep_ms(25);
    expect_wave(ONE, 100, 0);
    expect_equal(pwm_set(ONE, PWM_SHARE(50)), 0);
    sleep_ms(25);
    expect_wave(ONE, 50, HZ);
}

TEST(another_pin_has_another_width_and_the_same_frequency)
{
    expect_equal(pwm_start(OTHER, HZ + 1, PWM_SHARE(10)), ERR_BUSY);
    expect_equal(pwm_start(OTHER, HZ, PWM_SHARE(10)), 0);
    sleep_ms(25);
    expect_wave(OTHER, 10, HZ);
    expect_wave(ONE, 50, HZ);
    expect_equal(pwm_start(ONE, 2 * HZ, PWM_SHARE(50)), ERR_BUSY);
}

TEST(the_last_wave_may_change_its_frequency)
{
    pwm_stop(OTHER);
    expect_wave(OTHER, 0, 0);
    expect_equal(pwm_start(ONE, 2 * HZ, PWM_SHARE(50)), 0);
    expect_wave(ONE, 50, 2 * HZ);
}

TEST(a_wave_goes_on_while_the_mote_sleeps)
{
    sleep_ms(20);
    sleep_ms(1);
    expect(sleep_mode() == SLEEP_COUNTING);
    expect_wave(ONE, 50, 2 * HZ);
}

TEST(what_the_timer_cannot_do_is_refused)
{
    expect_equal(pwm_start(NO_WAVES, HZ, PWM_SHARE(50)), ERR_INVALID);
    expect_equal(pwm_set(NO_WAVES, PWM_SHARE(50)), ERR_EMPTY);
    expect_equal(pwm_set(OTHER, PWM_SHARE(50)), ERR_EMPTY);
    pwm_stop(NO_WAVES);
    expect_equal(pwm_start(ONE, 0, PWM_SHARE(50)), ERR_INVALID);
    expect_equal(pwm_start(ONE, 1000001, PWM_SHARE(50)), ERR_INVALID);
    expect_wave(ONE, 50, 2 * HZ);
}

TEST(without_waves_the_timer_stops)
{
    pwm_stop(ONE);
    pwm_stop(ONE);
    expect_wave(ONE, 0, 0);
    sleep_ms(20);
    sleep_ms(10);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
    expect_equal(pwm_set(ONE, PWM_SHARE(50)), ERR_EMPTY);
}

/* At these frequencies a timer of 16 bits may need a prescaler. */
TEST(the_first_period_is_like_the_others)
{
    for (unsigned start = 0; start < 2; start++) {
        expect_equal(pwm_start(ONE, 100, PWM_SHARE(25)), 0);
        sleep_ms(6);
        expect(!gpio_read(ONE));
        pwm_stop(ONE);
    }
    expect_equal(pwm_start(ONE, 1, PWM_SHARE(25)), 0);
    sleep_ms(400);
    expect(!gpio_read(ONE));
    pwm_stop(ONE);
}

TEST(the_slowest_and_the_fastest_wave_start)
{
    expect_equal(pwm_start(ONE, 1, PWM_SHARE(50)), 0);
    expect_wave(ONE, 100, 0);
    expect_equal(pwm_start(ONE, 1000000, PWM_SHARE(50)), 0);
    pwm_stop(ONE);
}

TEST(pins_with_the_same_output_have_one_wave)
{
    static const uint8_t pins[] = {ALL_OUTPUTS};

    for (unsigned i = 0; i < sizeof(pins); i++) {
        expect_equal(pwm_start(pins[i], HZ, PWM_SHARE(30)), 0);
    }
    expect_wave(pins[sizeof(pins) - 1], 30, HZ);
    for (unsigned i = 0; i < sizeof(pins); i++) {
        pwm_stop(pins[i]);
    }
}

/* The output was high all the time when its last pin stopped. */
TEST(a_pin_that_starts_is_low_until_the_next_period)
{
    expect_equal(pwm_start(ONE, HZ, PWM_SHARE(50)), 0);
    expect_equal(pwm_start(OTHER, HZ, PWM_ALWAYS), 0);
    sleep_ms(25);
    pwm_stop(OTHER);
    sleep_ms(50);
    for (unsigned i = 0; i < 4; i++) {
        sleep_ms(5);
        expect_equal(pwm_start(OTHER, HZ, PWM_SHARE(10)), 0);
        expect(!gpio_read(OTHER));
        pwm_stop(OTHER);
        sleep_ms(50);
    }
    pwm_stop(ONE);
}

/* Looks at a pin for a while, and counts its pulses, which all last a quarter of a period. */
static unsigned pulses_within(uint8_t pin, uint32_t us)
{
    static uint64_t rose_us;
    static bool was_high;
    unsigned pulses = 0;
    uint64_t end = time_now_us() + us;

    for (uint64_t now = time_now_us(); now < end; now = time_now_us()) {
        bool is_high = gpio_read(pin);
        if (is_high && !was_high) {
            rose_us = now;
        } else if (!is_high && was_high) {
            uint32_t length = (uint32_t)(now - rose_us);
            expect(length + 2500 >= 1000000 / HZ / 4);
            expect(length <= 1000000 / HZ / 4 + 2500);
            pulses++;
        }
        was_high = is_high;
    }
    return pulses;
}

TEST(no_pulse_is_cut_when_a_wave_pauses)
{
    unsigned pulses = 0;

    expect_equal(pwm_start(ONE, HZ, 0), 0);
    for (unsigned i = 0; i < 40; i++) {
        expect_equal(pwm_set(ONE, i % 2 == 0 ? PWM_SHARE(25) : 0), 0);
        pulses += pulses_within(ONE, 21300 + 700 * (i % 7));
    }
    pwm_stop(ONE);
    expect(pulses >= 20);
}
