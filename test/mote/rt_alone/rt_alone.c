/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task and nothing else: no event, no thread, no console, no kernel level. Start-up
 * becomes a loop of waits, in which the mote sleeps as deeply as the task's timer allows.
 *
 * The timer is started the way parts of the kernel are, since nothing else runs at start-up; the
 * task itself prints its result, byte by byte.
 */
#include <lichen/rt.h>

#include <stdbool.h>

#include "board/hamilton/pins.h"
#include "chip/samr21/wiring.h"
#include "chip/usart.h"
#include "kernel/start.h"

#define SCB_SCR           (*(volatile uint32_t *)0xe000ed10u)
#define SCB_SCR_SLEEPDEEP 4u
#define PM_SLEEP          (*(volatile uint8_t *)0x40000401u)
#define PM_SLEEP_IDLE2    2u

#define RUNS 3u

static const struct usart_port port = {
    .sercom = BOARD_CONSOLE_SERCOM,
    .function = BOARD_CONSOLE_FUNCTION,
    .send_pin = BOARD_CONSOLE_TX_PIN,
    .send_pad = BOARD_CONSOLE_TX_PAD,
    .receive_pin = BOARD_CONSOLE_RX_PIN,
    .receive_pad = BOARD_CONSOLE_RX_PAD,
};

static void say(const char *text)
{
    for (; *text != 0; text++) {
        (void)usart_send_waiting(&port, (uint8_t)*text);
    }
}

/* In the form that test.h describes. */
static void report(bool passed)
{
    say("test the_mote_sleeps_between_runs_of_a_task ");
    say(passed ? "ok\n1 passed, 0 failed\n"
               : "failed " __FILE__ ":1: asleep == RUNS\n0 passed, 1 failed\n");
}

/* The last run takes as long as its report. */
RT_TASK(task, TC3, .priority = 1, .period_us = 50000, .deadline_us = 50000, .wcet_cycles = 200000)
{
    static unsigned runs, asleep;
    rt_acknowledge();
    runs++;
    asleep += PM_SLEEP == PM_SLEEP_IDLE2 && (SCB_SCR & SCB_SCR_SLEEPDEEP) == 0;
    if (runs == RUNS) {
        report(asleep == RUNS);
    }
}

static void begin(void)
{
    usart_open(&port, BOARD_CONSOLE_BAUD);
    rt_period_start(task);
}
START(begin);
