/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Shared registers of the SAM R21. */
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/rt.h>

#include "../registers.h"
#include "chip/chip.h"
#include "test.h"

#define PM_APBCMASK (*(volatile uint32_t *)0x40000420u)

/* The registers, for reading only. */
#define EIC_WAKEUP (*(volatile uint32_t *)0x40001814u)
#define EIC_CONFIG ((volatile uint32_t *)0x40001818u)
#define NVIC_IPR(line)                                                                             \
    (*(volatile uint32_t *)(0xe000e400u + (line) / 4 * 4) >> (line) % 4 * 8 & 0xffu)

/* Lines 0 and 1, which share CONFIG[0] and WAKEUP. */
#define THREADS_PIN GPIO_PIN('A', 16)
#define EVENTS_PIN  GPIO_PIN('A', 17)

/* These lines have no handlers and are never requested; they share a word of priorities. */
#define THREADS_VECTOR 5u /* NVMCTRL */
#define EVENTS_VECTOR  6u /* DMAC */

extern volatile uint8_t rt_timer_TC4[], rt_timer_TC5[];

EVENT(edge)
{
}

static enum gpio_edge edge_of(bool is_odd)
{
    return is_odd ? GPIO_EDGE_RISING : GPIO_EDGE_NONE;
}

static void set_edge(uint8_t pin, bool is_odd)
{
    int error = gpio_event_on_edge(pin, edge_of(is_odd), &edge);
    expect_equal(error, 0);
}

static void threads_edge(bool is_odd)
{
    set_edge(THREADS_PIN, is_odd);
}

static void events_edge(bool is_odd)
{
    set_edge(EVENTS_PIN, is_odd);
}

static void check_edges(bool threads, bool events)
{
    expect_equal(EIC_CONFIG[0] & 0xfu, edge_of(threads));
    expect_equal(EIC_CONFIG[0] >> 4 & 0xfu, edge_of(events));
    expect_equal(EIC_WAKEUP & 1u, threads);
    expect_equal(EIC_WAKEUP >> 1 & 1u, events);
}

TEST(no_edge_of_a_pin_is_lost)
{
    sweep(threads_edge, events_edge, check_edges, 500);
    threads_edge(false);
    events_edge(false);
}

static uint8_t level_of(bool is_odd)
{
    return is_odd ? LEVEL_DRIVER : 0;
}

static void threads_level(bool is_odd)
{
    chip_interrupt_enable(THREADS_VECTOR, level_of(is_odd));
}

static void events_level(bool is_odd)
{
    chip_interrupt_enable(EVENTS_VECTOR, level_of(is_odd));
}

static void check_levels(bool threads, bool events)
{
    expect_equal(NVIC_IPR(THREADS_VECTOR), (unsigned)level_of(threads) << 6);
    expect_equal(NVIC_IPR(EVENTS_VECTOR), (unsigned)level_of(events) << 6);
}

TEST(no_level_of_an_interrupt_is_lost)
{
    sweep(threads_level, events_level, check_levels, 200);
}

static void run_timer(volatile uint8_t *timer, bool is_odd)
{
    if (is_odd) {
        rt_timer_start(timer, 1000);
    } else {
        rt_timer_stop(timer);
    }
}

static void threads_timer(bool is_odd)
{
    run_timer(rt_timer_TC4, is_odd);
}

static void events_timer(bool is_odd)
{
    run_timer(rt_timer_TC5, is_odd);
}

static void check_timers(bool threads, bool events)
{
    expect_equal(PM_APBCMASK >> 12 & 1u, threads);
    expect_equal(PM_APBCMASK >> 13 & 1u, events);
}

TEST(no_bus_clock_of_a_timer_is_lost)
{
    sweep(threads_timer, events_timer, check_timers, 700);
    run_timer(rt_timer_TC4, false);
    run_timer(rt_timer_TC5, false);
}
