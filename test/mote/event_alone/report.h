/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reports of programs without threads, in the form that test.h describes: written to the port byte
 * by byte, since the console would bring threads.
 */
#ifndef TEST_MOTE_EVENT_ALONE_REPORT_H
#define TEST_MOTE_EVENT_ALONE_REPORT_H

#include <lichen/interrupt.h>

#include "board/hamilton/pins.h"
#include "chip/samr21/wiring.h"
#include "chip/usart.h"

static const struct usart_port port = {
    .sercom = BOARD_CONSOLE_SERCOM,
    .function = BOARD_CONSOLE_FUNCTION,
    .send_pin = BOARD_CONSOLE_TX_PIN,
    .send_pad = BOARD_CONSOLE_TX_PAD,
    .receive_pin = BOARD_CONSOLE_RX_PIN,
    .receive_pad = BOARD_CONSOLE_RX_PAD,
};

/* Opening the port enables its line. Nobody types. */
INTERRUPT(SERCOM0)
{
}

static unsigned tests, failures;
static const char *failed; /* the first expectation of this test that did not hold */

static inline void say(const char *text)
{
    for (; *text != 0; text++) {
        (void)usart_send_waiting(&port, (uint8_t)*text);
    }
}

static inline void say_digit(unsigned digit)
{
    char text[2] = {(char)('0' + digit), 0};
    say(text);
}

static inline void report_begin(void)
{
    usart_open(&port, BOARD_CONSOLE_BAUD);
}

/* Ends a test. */
static inline void report(const char *name)
{
    tests++;
    say("test ");
    say(name);
    if (failed == 0) {
        say(" ok\n");
    } else {
        failures++;
        say(" failed " __FILE__ ":1: ");
        say(failed);
        say("\n");
    }
    failed = 0;
}

/* Ends all of them. */
static inline void report_all(void)
{
    say_digit(tests - failures);
    say(" passed, ");
    say_digit(failures);
    say(" failed\n");
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition) && failed == 0) {                                                         \
            failed = #condition;                                                                   \
        }                                                                                          \
    } while (0)

#endif
