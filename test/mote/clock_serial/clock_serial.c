/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is sent to a plug that sends it back arrives, at every usual rate, while the processor's
 * clock changes at random. */
#include <string.h>

#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/uart.h>

#include "clock_disturber.h"
#include "test.h"

enum {
    LENGTH = 64,
};

UART_RINGS(LENGTH, LENGTH);

static int read_all(uint8_t *bytes, size_t size)
{
    uint64_t deadline = time_now_us() + 1000000;

    while (size > 0) {
        size_t length;
        int error = uart_read(bytes, size, &length, deadline);
        if (error != 0) {
            return error;
        }
        bytes += length;
        size -= length;
    }
    return 0;
}

static void expect_echo_at(uint32_t baud)
{
    uint8_t sent[LENGTH], got[LENGTH] = {0};

    for (unsigned i = 0; i < LENGTH; i++) {
        sent[i] = (uint8_t)disturber_random();
    }
    expect_equal(uart_open(baud, UART_NO_PARITY), 0);
    disturber_start();
    expect_equal(uart_write(sent, LENGTH, TIME_NEVER), 0);
    expect_equal(read_all(got, LENGTH), 0);
    disturber_stop();
    expect_equal(memcmp(got, sent, LENGTH), 0);
    expect(disturbances > 2);
}

TEST(slow_rates)
{
    expect_echo_at(2400);
    expect_echo_at(9600);
}

TEST(usual_rates)
{
    expect_echo_at(19200);
    expect_echo_at(38400);
    expect_echo_at(57600);
}

TEST(fast_rates)
{
    expect_echo_at(115200);
    expect_echo_at(230400);
}
