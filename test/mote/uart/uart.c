/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The second serial port with a plug that sends back what arrives, and fails as input.txt says.
 * With a ring that holds a byte (test/mote/uart_least), the port takes all of it within a call. */
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/uart.h>

#include <string.h>

#include "test.h"
#include "uart_of_chip.h"

enum {
    BAUD = 9600,
    BYTE_US = 1042,
    RECEIVE_RING = 32,
    MANY = 300,
};

UART_RINGS(SEND_RING, RECEIVE_RING);

static uint64_t in_ms(uint32_t ms)
{
    return time_now_us() + ms * UINT64_C(1000);
}

/* Reads until so many bytes are there. */
static int read_all(uint8_t *bytes, size_t size)
{
    uint64_t deadline = in_ms(1000);

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

static void expect_echo(const char *text)
{
    uint8_t got[16] = {0};
    size_t length = strlen(text);

    expect_equal(uart_write(text, length, TIME_NEVER), 0);
    expect_equal(read_all(got, length), 0);
    expect_equal(memcmp(got, text, length), 0);
}

/* Reads and ignores what has been received. */
static void drain(void)
{
    uint8_t byte;
    size_t length;

    while (uart_read(&byte, 1, &length, in_ms(10)) != ERR_TIMEOUT) {
    }
}

TEST(before_it_is_open_nothing_is_sent_or_received)
{
    uint8_t byte;
    size_t length = 7;

    expect_equal(uart_write("a", 1, TIME_NEVER), ERR_EMPTY);
    expect_equal(uart_read(&byte, 1, &length, TIME_NEVER), ERR_EMPTY);
    expect_equal(length, 0);
}

TEST(a_rate_that_it_cannot_make_is_refused)
{
    expect_equal(uart_open(0, UART_NO_PARITY), ERR_INVALID);
    expect_equal(uart_open(TOO_SLOW, UART_NO_PARITY), ERR_INVALID);
    expect_equal(uart_open(TOO_FAST, UART_NO_PARITY), ERR_INVALID);
    expect_equal(uart_open(BAUD, UART_NO_PARITY), 0);
}

TEST(bytes_are_sent_and_received)
{
    expect_echo("hello");
    expect_echo("x");
}

TEST(reading_waits_until_its_deadline)
{
    uint8_t byte;
    size_t length = 7;
    uint64_t start = time_now_us();

    expect_equal(uart_read(&byte, 1, &length, start + 20000), ERR_TIMEOUT);
    expect_equal(length, 0);
    expect(time_now_us() >= start + 20000);
}

TEST(an_idle_port_lets_the_mote_sleep)
{
    sleep_ms(50);
    sleep_ms(1);
    expect_equal(sleep_mode(), SLEEP_LISTENING);
}

static SEMAPHORE(written, 0);
static uint8_t pattern[MANY];

THREAD_STOPPED(writer, LARGE_STACK, PRIORITY_APP)
{
    expect_equal(uart_write(pattern, MANY, TIME_NEVER), 0);
    (void)semaphore_post(&written);
}

TEST(more_bytes_than_the_rings_have_go_through)
{
    uint8_t got[10];

    for (unsigned i = 0; i < MANY; i++) {
        pattern[i] = (uint8_t)(i * 7);
    }
    (void)thread_start(&writer, 0);
    for (unsigned i = 0; i < MANY; i += sizeof(got)) {
        expect_equal(read_all(got, sizeof(got)), 0);
        expect_equal(memcmp(got, &pattern[i], sizeof(got)), 0);
    }
    semaphore_wait(&written);
}

TEST(writing_waits_until_its_deadline)
{
    uint64_t start = time_now_us();

    expect_equal(uart_write(pattern, 100, start + 20000), ERR_TIMEOUT);
    expect(time_now_us() >= start + 20000);
    sleep_ms(60);
    drain();
}

TEST(writing_waits_for_other_writers_until_its_deadline)
{
    (void)thread_start(&writer, 0);
    sleep_ms(5);
    uint64_t start = time_now_us();
    expect_equal(uart_write("x", 1, start + 20000), ERR_TIMEOUT);
    expect(time_now_us() - start < 25000);
    semaphore_wait(&written);
    drain();
}

TEST(what_has_no_room_is_counted_and_told_once)
{
    struct uart_errors before, after;
    uint8_t got[RECEIVE_RING];

    uart_errors(&before);
    expect_equal(uart_write(pattern, RECEIVE_RING + 10, TIME_NEVER), 0);
    sleep_ms(60);
    size_t length = 7;
    expect_equal(uart_read(got, 1, &length, TIME_NEVER), ERR_IO);
    expect_equal(length, 0);
    expect_equal(read_all(got, RECEIVE_RING), 0);
    expect_equal(memcmp(got, pattern, RECEIVE_RING), 0);
    uart_errors(&after);
    expect_equal(after.overrun - before.overrun, 10);
    expect_equal(after.framing | after.parity, 0);
    expect_echo("after");
}

TEST(parity_is_sent_and_checked)
{
    expect_equal(uart_open(BAUD, UART_EVEN_PARITY), 0);
    expect_echo("even");
    expect_equal(uart_open(BAUD, UART_ODD_PARITY), 0);
    expect_echo("odd");
    expect_equal(uart_open(57600, UART_NO_PARITY), 0);
    expect_echo("fast");
    expect_equal(uart_open(BAUD, UART_NO_PARITY), 0);
    expect_echo("slow");
}

/* What is being sent may be corrupted, but goes on. */
TEST(a_new_rate_leaves_no_writer_behind)
{
    for (unsigned i = 0; i < 4; i++) {
        (void)thread_start(&writer, 0);
        sleep_us(20000 + i * 300);
        expect_equal(uart_open(i % 2 == 0 ? 57600 : BAUD, UART_NO_PARITY), 0);
        expect_equal(semaphore_wait_until(&written, in_ms(1000)), 0);
        drain();
    }
    expect_echo("new");
}

/* It leaves nothing that prevents sleep. */
TEST(a_new_rate_cuts_the_last_byte_off)
{
    expect_equal(uart_write("x", 1, TIME_NEVER), 0);
    sleep_us(300);
    expect_equal(uart_open(57600, UART_NO_PARITY), 0);
    drain();
    sleep_ms(50);
    sleep_ms(1);
    expect_equal(sleep_mode(), SLEEP_LISTENING);
    expect_equal(uart_open(BAUD, UART_NO_PARITY), 0);
    expect_echo("slow");
}

/* Sends a byte, of which none comes back without an error. */
static void expect_damage(enum uart_parity parity, struct uart_errors *errors)
{
    uint8_t byte;
    size_t length;
    struct uart_errors before;

    expect_equal(uart_open(BAUD, parity), 0);
    drain();
    uart_errors(&before);
    expect_equal(uart_write("\x55", 1, TIME_NEVER), 0);
    expect_equal(uart_read(&byte, 1, &length, in_ms(100)), ERR_IO);
    uart_errors(errors);
    errors->overrun -= before.overrun;
    errors->framing -= before.framing;
    errors->parity -= before.parity;
}

TEST(a_wrong_parity_bit_is_an_error)
{
    struct uart_errors errors;

    sleep_until_us(UINT64_C(3500000));
    expect_damage(UART_EVEN_PARITY, &errors);
    expect_equal(errors.parity, 1);
    expect_equal(errors.framing, 0);
    expect_damage(UART_ODD_PARITY, &errors);
    expect_equal(errors.parity, 1);
}

TEST(a_missing_stop_bit_is_an_error)
{
    struct uart_errors errors;

    expect_damage(UART_NO_PARITY, &errors);
    expect(errors.framing > 0);
    expect_equal(errors.parity, 0);
    drain();
}

TEST(a_line_that_is_not_connected_is_silent)
{
    uint8_t byte;
    size_t length;

    sleep_until_us(UINT64_C(5500000));
    drain();
    expect_equal(uart_write("x", 1, TIME_NEVER), 0);
    expect_equal(uart_read(&byte, 1, &length, in_ms(100)), ERR_TIMEOUT);
}

TEST(a_line_that_works_again_is_used_again)
{
    sleep_until_us(UINT64_C(7500000));
    drain();
    expect_echo("again");
}
