/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tests that run on a mote.
 *
 *     TEST(a_set_pin_reads_high)
 *     {
 *         gpio_output(PIN, true);
 *         expect(gpio_read(PIN));
 *         expect_equal(led_count(), 1);
 *     }
 *
 * A folder of test/mote, or of a program's own tests, is one program of tests. They run one after
 * another, in the order of their lines in the file, in one thread of priority PRIORITY_APP that may
 * wait, print, and let events and threads of the file run.
 *
 * The whole protocol is what a test program prints on the console, one line each:
 *
 *     test NAME ok
 *     test NAME failed FILE:LINE: EXPRESSION
 *     test NAME failed FILE:LINE: LEFT == RIGHT (7, 8)
 *     3 passed, 1 failed
 *
 * The last line ends the program. Other lines are the tests' own and are ignored. A program that
 * panics, or that prints no last line in time, has failed, and the runner reports it.
 */
#ifndef TEST_MOTE_FRAME_TEST_H
#define TEST_MOTE_FRAME_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

#include "machine.h"

/* Texts stay in flash: lichen/print.h. */
struct test {
    const char *name;
    void (*run)(void);
};

/* An expectation: where it stands, and what it says. */
struct test_place {
    const char *file;
    const char *expression;
    uint16_t line;
};

/* The file, relative to the repository's root (os/lichen.cmake). */
static const char test_file[] ARCH_TEXT_PLACED(test_file) __attribute__((unused)) = TEST_FILE;

#define TEST_PLACE(expression_)                                                                    \
    __extension__({                                                                                \
        static const char text_[] ARCH_TEXT_PLACED(__LINE__) = expression_;                        \
        static const ARCH_FLASH struct test_place place_ = {test_file, text_, __LINE__};           \
        &place_;                                                                                   \
    })

/* The linker sorts the sections by the number at their end. */
#define TEST_SECTION_(line) ".lichen.tests." #line
#define TEST_SECTION(line)  TEST_SECTION_(line)

/* Declares a test and opens its body. */
#define TEST(name_)                                                                                \
    static void name_##_test(void);                                                                \
    static const char name_##_name[] ARCH_TEXT_PLACED(name_) = #name_;                             \
    static const struct test name_##_entry                                                         \
        __attribute__((section(TEST_SECTION(__LINE__)), used)) = {name_##_name, name_##_test};     \
    static void name_##_test(void)

/* Fails the running test if `condition` is false. In the test's own thread this ends the test; in
 * an event or another thread the test continues, but has failed. */
#define expect(condition) ((condition) ? (void)0 : test_fail(TEST_PLACE(#condition)))

/* Fails the running test if two integers differ, and prints both. */
#define expect_equal(left_, right_)                                                                \
    test_compare((left_), (right_), TEST_PLACE(#left_ " == " #right_))

/* Whether a text, which may lie in flash, is `wanted`. */
bool same_text(const char *text, const char *wanted);

/* Records the first failure of the running test. */
void test_fail(const ARCH_FLASH struct test_place *place);

/* Fails with both values if they differ. */
void test_compare(int64_t left, int64_t right, const ARCH_FLASH struct test_place *place);

#endif
