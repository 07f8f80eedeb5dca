/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The radio in the SAM R21's package is asleep when a program has started. While it sleeps it takes
 * no register, so it cannot be asked: a mask that is written then is not there after it has woken.
 */
#include <lichen/gpio.h>
#include <lichen/time.h>

#include "test.h"

/* Group A of the pins. */
#define PORT_A_DIR  (*(volatile uint32_t *)0x41004400u)
#define PORT_A_OUT  (*(volatile uint32_t *)0x41004410u)
#define SLP_TR_MASK (1u << 20)

enum {
    SELECT = GPIO_PIN('B', 31),
    MOSI = GPIO_PIN('B', 30),
    SCK = GPIO_PIN('C', 18),
    IRQ = GPIO_PIN('B', 0),
    SLP_TR = GPIO_PIN('A', 20),
    READ = 0x80,
    WRITE = 0xc0,
    TRX_STATE = 0x02,
    IRQ_MASK = 0x0e,
    IRQ_STATUS = 0x0f,
    TRX_OFF = 0x08,
    AWAKE_END = 1 << 4, /* it has come to TRX_OFF from SLEEP or P_ON */
    WAKING_MS = 2,
};

static void send(uint8_t byte)
{
    for (unsigned bit = 0x80; bit != 0; bit >>= 1) {
        if (byte & bit) {
            gpio_set(MOSI);
        } else {
            gpio_clear(MOSI);
        }
        gpio_set(SCK);
        gpio_clear(SCK);
    }
}

static void access(uint8_t command, uint8_t value)
{
    gpio_clear(SELECT);
    send(command);
    send(value);
    gpio_set(SELECT);
}

static void write(uint8_t address, uint8_t value)
{
    access(WRITE | address, value);
}

/* Reading the requests ends them. */
static void forget_requests(void)
{
    access(READ | IRQ_STATUS, 0);
}

static void sleep_and_wake(void)
{
    gpio_set(SLP_TR);
    sleep_ms(WAKING_MS);
    gpio_clear(SLP_TR);
    sleep_ms(WAKING_MS);
}

TEST(it_is_told_to_sleep_when_a_program_has_started)
{
    expect(PORT_A_DIR & SLP_TR_MASK);
    expect(PORT_A_OUT & SLP_TR_MASK);
}

/* One that has not been commanded at start comes to TRX_OFF now, and says so. */
TEST(it_wakes_into_the_state_from_which_it_sleeps)
{
    gpio_input(IRQ, GPIO_PULL_NONE);
    gpio_clear(SLP_TR);
    sleep_ms(WAKING_MS);
    forget_requests();
    write(IRQ_MASK, AWAKE_END);
    write(TRX_STATE, TRX_OFF);
    sleep_ms(WAKING_MS);
    expect(!gpio_read(IRQ));
}

TEST(it_sleeps_and_wakes_again)
{
    sleep_and_wake();
    expect(gpio_read(IRQ));
}
