/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* INIT: phases in their order, whatever the functions' names, and what is allowed in each. The
 * names here are in the opposite order of the phases, and sort before those of all drivers.
 */
#include <string.h>

#include <lichen/console.h>
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/init.h>
#include <lichen/print.h>
#include <lichen/semaphore.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "sleep_mode.h"
#include "start_of_chip.h"
#include "test.h"

#define DELAY_US (5 * TIME_US_PER_MS)

static char order[8];
static unsigned length;
static unsigned fired;

EVENT(timer_fired)
{
    fired++;
}
TIMER(of_chip, timer_fired);
TIMER(of_driver, timer_fired);
TIMER(of_service, timer_fired);
TIMER(of_program, timer_fired);

EVENT(pressed)
{
}

/* Everything that an event may call. */
static void start(char phase, struct timer *timer)
{
    order[length++] = phase;
    print("from phase %c\n", phase);
    gpio_output(DRIVEN_PIN, true);
    use_button(&pressed);
    int error = timer_arm_after(timer, DELAY_US);
    expect_equal(error, 0);
}

static void a_program(void)
{
    start('p', &of_program);
}
INIT(a_program);

static void b_service(void)
{
    start('s', &of_service);
}
INIT_IN(SERVICES, b_service);

static void c_driver(void)
{
    start('d', &of_driver);
}
INIT_IN(DRIVERS, c_driver);

static void d_chip(void)
{
    start('c', &of_chip);
}
INIT_IN(CHIP, d_chip);

TEST(phases_follow_each_other_whatever_the_names_are)
{
    expect(strcmp(order, "cdsp") == 0);
}

TEST(a_led_that_no_program_names_is_driven_dark)
{
    expect(led_is_driven());
}

TEST(timers_of_all_phases_fire)
{
    sleep_us(2 * DELAY_US);
    expect(fired > 0);
    expect_equal(of_chip.deadline.expire == 0 && of_driver.deadline.expire == 0, 1);
    expect_equal(of_service.deadline.expire == 0 && of_program.deadline.expire == 0, 1);
}

TEST(a_pin_and_a_button_work)
{
    expect(gpio_read(DRIVEN_PIN));
    expect(!button_is_pressed());
}

TEST(what_was_printed_is_sent_and_the_mote_sleeps_deeply)
{
    expect_equal(console_lost(), 0);
    sleep_ms(50);
    sleep_ms(10);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}
