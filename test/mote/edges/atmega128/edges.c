/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Edges that the program makes itself, since a line senses its pin also as an output; and edges
 * that end sleep (input.txt). */
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/semaphore.h>
#include <lichen/time.h>

#include <avr/io.h>

#include "sleep_mode.h"
#include "test.h"

#define INT0_PIN GPIO_PIN('D', 0)
#define INT1_PIN GPIO_PIN('D', 1)
#define INT5_PIN GPIO_PIN('E', 5)
#define INT7_PIN GPIO_PIN('E', 7)

/* Two readings of the clock, waking, and the start of the mote after its supply. */
#define SLACK_US (EXTRA_US + 65000)

static const uint8_t pins[] = {
    GPIO_PIN('D', 0), GPIO_PIN('D', 1), GPIO_PIN('D', 2), GPIO_PIN('D', 3),
    GPIO_PIN('E', 4), GPIO_PIN('E', 5), GPIO_PIN('E', 6), GPIO_PIN('E', 7),
};

static SEMAPHORE(changes, 0);
static volatile unsigned edges;

EVENT(edge)
{
    edges++;
    (void)semaphore_post(&changes);
}

static unsigned edges_after(uint8_t pin, bool level)
{
    edges = 0;
    gpio_output(pin, level);
    for (volatile uint8_t i = 0; i < 10; i++) {
    }
    return edges;
}

static void expect_edges(uint8_t pin, enum gpio_edge edge_, unsigned rising, unsigned falling)
{
    gpio_output(pin, false);
    expect_equal(gpio_event_on_edge(pin, edge_, &edge), 0);
    for (unsigned times = 0; times < 3; times++) {
        expect_equal(edges_after(pin, true), rising);
        expect_equal(edges_after(pin, false), falling);
    }
}

/* Each line, alone. */
static void expect_edges_of_each(enum gpio_edge edge_, unsigned rising, unsigned falling)
{
    for (unsigned i = 0; i < sizeof(pins); i++) {
        expect_edges(pins[i], edge_, rising, falling);
        expect_equal(gpio_event_on_edge(pins[i], GPIO_EDGE_NONE, &edge), 0);
        gpio_input(pins[i], GPIO_PULL_UP);
    }
}

TEST(both_edges_post)
{
    expect_edges_of_each(GPIO_EDGE_BOTH, 1, 1);
}

TEST(a_rising_edge_posts_and_a_falling_one_does_not)
{
    expect_edges_of_each(GPIO_EDGE_RISING, 1, 0);
}

TEST(a_falling_edge_posts_and_a_rising_one_does_not)
{
    expect_edges_of_each(GPIO_EDGE_FALLING, 0, 1);
}

TEST(no_edge_posts_after_the_end)
{
    expect_edges_of_each(GPIO_EDGE_NONE, 0, 0);
}

TEST(lines_do_not_disturb_each_other)
{
    for (unsigned i = 0; i < sizeof(pins); i++) {
        expect_edges(pins[i], i % 2 == 0 ? GPIO_EDGE_BOTH : GPIO_EDGE_RISING, 1, i % 2 == 0);
    }
    for (unsigned i = 0; i < sizeof(pins); i++) {
        expect_equal(edges_after(pins[i], true), 1);
        expect_equal(edges_after(pins[i], false), i % 2 == 0);
        expect_equal(gpio_event_on_edge(pins[i], GPIO_EDGE_NONE, &edge), 0);
        gpio_input(pins[i], GPIO_PULL_UP);
    }
}

/* Away from the level and back, before the interrupt can be served. */
static unsigned edges_after_pulse(uint8_t pin, bool level)
{
    edges = 0;
    __asm__ volatile("cli" : : : "memory");
    gpio_output(pin, !level);
    gpio_output(pin, level);
    __asm__ volatile("sei" : : : "memory");
    for (volatile uint8_t i = 0; i < 10; i++) {
    }
    return edges;
}

/* INT4 to INT7 do not see a low one, but go on. */
TEST(after_a_pulse_edges_are_found_as_before)
{
    for (unsigned i = 0; i < sizeof(pins); i++) {
        expect_edges(pins[i], GPIO_EDGE_BOTH, 1, 1);
        expect_equal(edges_after_pulse(pins[i], false), 1);
        expect_equal(edges_after(pins[i], true), 1);
        expect_equal(edges_after_pulse(pins[i], true), i < 4);
        expect_equal(edges_after(pins[i], false), 1);
        expect_equal(gpio_event_on_edge(pins[i], GPIO_EDGE_NONE, &edge), 0);
        gpio_input(pins[i], GPIO_PULL_UP);
    }
}

TEST(a_pin_without_a_line_is_refused)
{
    static const uint8_t without[] = {
        GPIO_PIN('A', 0), GPIO_PIN('C', 7),     GPIO_PIN('D', 4),
        GPIO_PIN('E', 3), GPIO_PIN('E', 0) + 8, GPIO_PIN('G', 4),
    };
    for (unsigned i = 0; i < sizeof(without); i++) {
        expect_equal(gpio_event_on_edge(without[i], GPIO_EDGE_BOTH, &edge), ERR_INVALID);
    }
}

/* The next edge posts, at about that time after the supply, in that sleep mode. */
static void expect_change(unsigned ms, unsigned mode)
{
    expect_equal(semaphore_wait_until(&changes, time_now_us() + TIME_US_PER_S), 0);
    expect_equal(sleep_mode(), mode);
    uint64_t now = time_now_us();
    expect(now + SLACK_US > ms * TIME_US_PER_MS);
    expect(now < ms * TIME_US_PER_MS);
}

static void expect_silence_until(unsigned ms)
{
    expect_equal(semaphore_wait_until(&changes, ms * TIME_US_PER_MS), ERR_TIMEOUT);
}

static void begin(uint8_t pin, enum gpio_edge edge_, unsigned ms)
{
    while (semaphore_try(&changes) == 0) {
    }
    expect_equal(gpio_event_on_edge(pin, edge_, &edge), 0);
    expect_silence_until(ms);
}

static void end(uint8_t pin, unsigned ms)
{
    expect_silence_until(ms);
    expect_equal(gpio_event_on_edge(pin, GPIO_EDGE_NONE, &edge), 0);
}

TEST(a_sampled_line_ends_deep_sleep_when_it_falls_and_allows_idle_mode_while_it_is_low)
{
    begin(INT7_PIN, GPIO_EDGE_BOTH, 700);
    expect_change(1000, SLEEP_DEEPEST);
    expect_change(1200, 0);
    end(INT7_PIN, 1300);
}

TEST(an_asynchronous_line_ends_deep_sleep_at_both_edges)
{
    begin(INT1_PIN, GPIO_EDGE_BOTH, 1700);
    expect_change(2000, SLEEP_DEEPEST);
    expect_change(2200, SLEEP_DEEPEST);
    end(INT1_PIN, 2300);
}

TEST(a_sampled_line_that_is_low_at_rest_allows_idle_mode_only)
{
    gpio_input(INT5_PIN, GPIO_PULL_NONE);
    begin(INT5_PIN, GPIO_EDGE_BOTH, 2700);
    expect_change(3000, 0);
    expect_change(3200, SLEEP_DEEPEST);
    end(INT5_PIN, 3300);
}

TEST(a_sampled_line_notices_the_other_edge_too)
{
    begin(INT7_PIN, GPIO_EDGE_RISING, 3700);
    expect_change(4200, 0);
    end(INT7_PIN, 4300);
}

/* The pin of INT0 rises some cycles from now, at the most urgent level: the vector is the handler.
 */
ARCH_VECTOR(TIMER3_COMPB);
ARCH_SECOND_NAME("entry_TIMER3_COMPB", "__vector_rises");
void __vector_rises(void) __attribute__((signal, used));
void __vector_rises(void)
{
    TCCR3B = 0;
    PORTD |= 1 << 0;
}

static void rise_in(uint16_t cycles)
{
    ETIMSK |= 1 << OCIE3B;
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3B = cycles;
    ETIFR = 1 << OCF3B;
    TCCR3B = 1 << CS30;
}

#define CALL_CYCLES 1200u /* more than a call takes */

static void await_rise(void)
{
    while (TCCR3B != 0) {
    }
}

TEST(an_edge_while_a_line_is_being_set_keeps_no_later_one_from_being_found)
{
    for (uint16_t cycles = 1; cycles < CALL_CYCLES; cycles++) {
        gpio_output(INT0_PIN, false);
        rise_in(cycles);
        expect_equal(gpio_event_on_edge(INT0_PIN, GPIO_EDGE_BOTH, &edge), 0);
        await_rise();
        expect_equal(edges_after(INT0_PIN, false), 1);
        expect_equal(edges_after(INT0_PIN, true), 1);
        expect_equal(gpio_event_on_edge(INT0_PIN, GPIO_EDGE_NONE, &edge), 0);
    }
}

static volatile unsigned others;
EVENT(other)
{
    others++;
}

TEST(an_edge_while_a_line_is_turned_off_posts_no_event_of_that_call)
{
    for (uint16_t cycles = 1; cycles < CALL_CYCLES; cycles++) {
        gpio_output(INT0_PIN, false);
        expect_equal(gpio_event_on_edge(INT0_PIN, GPIO_EDGE_RISING, &edge), 0);
        rise_in(cycles);
        expect_equal(gpio_event_on_edge(INT0_PIN, GPIO_EDGE_NONE, &other), 0);
        await_rise();
    }
    expect_equal(others, 0);
    gpio_input(INT0_PIN, GPIO_PULL_UP);
}

/* Only lines that are sampled need the clock. */
TEST(an_asynchronous_line_that_is_low_at_rest_allows_deep_sleep)
{
    for (unsigned i = 0; i < 4; i++) {
        gpio_output(pins[i], false);
        expect_equal(gpio_event_on_edge(pins[i], GPIO_EDGE_BOTH, &edge), 0);
        sleep_ms(20);
        sleep_ms(10);
        expect_equal(sleep_mode(), SLEEP_DEEPEST);
        expect_equal(gpio_event_on_edge(pins[i], GPIO_EDGE_NONE, &edge), 0);
        gpio_input(pins[i], GPIO_PULL_UP);
    }
}

TEST(afterwards_nothing_prevents_sleep)
{
    sleep_ms(20);
    sleep_ms(10);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}
