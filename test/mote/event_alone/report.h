/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reports of programs without threads, in the form that test.h describes: written to the port byte
 * by byte, since the console would bring threads.
 */
#ifndef TEST_MOTE_EVENT_ALONE_REPORT_H
#define TEST_MOTE_EVENT_ALONE_REPORT_H

#include <lichen/arch.h>

#include "plain_port.h"

static unsigned tests, failures;
static const char *failed; /* the first expectation of this test that did not hold */

/* Texts may lie in flash. */
static inline void say(const char *text)
{
    for (; arch_text(text) != 0; text++) {
        plain_send(arch_text(text));
    }
}

static inline void say_digit(unsigned digit)
{
    plain_send((char)('0' + digit));
}

static inline void report_begin(void)
{
    plain_open();
}

/* Ends a test. */
#define report(name) report_text(ARCH_TEXT(name))
static inline void report_text(const char *name)
{
    tests++;
    say(ARCH_TEXT("test "));
    say(name);
    if (failed == 0) {
        say(ARCH_TEXT(" ok\n"));
    } else {
        failures++;
        say(ARCH_TEXT(" failed " TEST_FILE ":1: "));
        say(failed);
        say(ARCH_TEXT("\n"));
    }
    failed = 0;
}

/* Ends all of them. */
static inline void report_all(void)
{
    say_digit(tests - failures);
    say(ARCH_TEXT(" passed, "));
    say_digit(failures);
    say(ARCH_TEXT(" failed\n"));
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition) && failed == 0) {                                                         \
            failed = ARCH_TEXT(#condition);                                                        \
        }                                                                                          \
    } while (0)

#endif
