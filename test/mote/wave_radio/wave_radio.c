/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A wave while the radio sends frames, which nobody hears, one after the other. */
#include <lichen/pwm.h>
#include <lichen/thread.h>

#include "sends.h"
#include "sleep_mode.h"
#include "test.h"
#include "wave.h"
#include "wave_pins.h"

enum { HZ = 50, FRAMES_LEAST = 2 };

/* A wave beside the radio, and that frames were sent meanwhile. */
static void expect_both(unsigned percent)
{
    unsigned before = sends_count();

    expect_wave(WAVE_PIN, percent, HZ);
    expect(sends_count() - before >= FRAMES_LEAST);
}

TEST(a_wave_runs_while_frames_are_sent)
{
    sends_begin();
    expect_equal(pwm_start(WAVE_PIN, HZ, PWM_SHARE(25)), 0);
    expect_both(25);
}

TEST(its_width_is_changed)
{
    static const uint8_t percents[] = {75, 10, 50};

    for (unsigned i = 0; i < sizeof(percents); i++) {
        expect_equal(pwm_set(WAVE_PIN, PWM_SHARE(percents[i])), 0);
        sleep_ms(25);
        expect_both(percents[i]);
    }
}

TEST(nothing_and_all_have_no_edges)
{
    expect_equal(pwm_set(WAVE_PIN, 0), 0);
    sleep_ms(25);
    expect_wave(WAVE_PIN, 0, 0);
    expect_equal(pwm_set(WAVE_PIN, PWM_ALWAYS), 0);
    sleep_ms(25);
    expect_wave(WAVE_PIN, 100, 0);
}

struct pulses {
    unsigned count;
    uint32_t shortest_us;
    uint32_t longest_us;
};

/* The pulses of a wave whose width changes between two, often and at any time in its period. */
static struct pulses pulses_between(unsigned percent, unsigned other)
{
    struct pulses seen = {.shortest_us = UINT32_MAX};
    uint64_t rose = 0;
    bool was_high = true;

    expect_equal(pwm_set(WAVE_PIN, PWM_SHARE(percent)), 0);
    sleep_ms(45);
    for (unsigned i = 0; i < 400; i++) {
        expect_equal(pwm_set(WAVE_PIN, i % 2 == 0 ? PWM_SHARE(other) : PWM_SHARE(percent)), 0);
        for (unsigned looks = 0; looks < 10 + i % 7; looks++) {
            bool is_high = gpio_read(WAVE_PIN);
            uint64_t now = time_now_us();
            if (is_high && !was_high) {
                rose = now;
            } else if (!is_high && was_high && rose != 0) {
                uint32_t length = (uint32_t)(now - rose);
                seen.count++;
                seen.shortest_us = length < seen.shortest_us ? length : seen.shortest_us;
                seen.longest_us = length > seen.longest_us ? length : seen.longest_us;
            }
            was_high = is_high;
            compute_us(40);
        }
    }
    expect(seen.count >= 8);
    return seen;
}

enum { HALF_US = 1000000 / HZ / 2, LATE_US = 2500 };

/* A width that the period has passed already: no pulse lasts longer than the wider one. */
TEST(a_pulse_is_no_longer_than_the_widths_that_are_set)
{
    expect(pulses_between(50, 10).longest_us <= HALF_US + LATE_US);
}

TEST(a_pulse_is_no_shorter_than_the_widths_that_are_set)
{
    expect(pulses_between(50, 75).shortest_us + LATE_US >= HALF_US);
}

TEST(another_pin_is_refused_where_there_is_one_wave)
{
    expect_equal(pwm_start(OTHER_PIN, HZ, PWM_SHARE(50)), OTHER_PIN_RESULT);
    pwm_stop(OTHER_PIN);
}

TEST(a_wave_may_be_slow_or_fast)
{
    expect_equal(pwm_start(WAVE_PIN, 1, PWM_SHARE(25)), 0);
    sleep_ms(200);
    expect(gpio_read(WAVE_PIN));
    sleep_ms(200);
    expect(!gpio_read(WAVE_PIN));
    expect_equal(pwm_start(WAVE_PIN, 1000000, PWM_SHARE(50)), 0);
    pwm_stop(WAVE_PIN);
    expect_wave(WAVE_PIN, 0, 0);
    expect_equal(pwm_start(WAVE_PIN, HZ, PWM_SHARE(25)), 0);
    expect_both(25);
    pwm_stop(WAVE_PIN);
    expect_wave(WAVE_PIN, 0, 0);
}

/* While an alarm is being set, as for the thread that sends, a sleep is less deep. */
static unsigned deepest_of_some(void)
{
    unsigned deepest = 0;

    for (unsigned i = 0; i < 5; i++) {
        sleep_ms(20 + i);
        deepest = sleep_mode() > deepest ? sleep_mode() : deepest;
    }
    return deepest;
}

TEST(without_waves_the_mote_sleeps_as_the_radio_lets_it)
{
    sends_end();
    sleep_ms(50);
    expect_equal(sleep_mode(), SLEEP_BESIDE_RADIO);
    expect_equal(pwm_start(WAVE_PIN, HZ, PWM_SHARE(25)), 0);
    expect_equal(deepest_of_some(), SLEEP_COUNTING);
    pwm_stop(WAVE_PIN);
    sleep_ms(20);
    expect_equal(sleep_mode(), SLEEP_BESIDE_RADIO);
}
