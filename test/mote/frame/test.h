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
 * A folder under test/mote with a CMakeLists.txt that calls lichen_test(name) is one program of
 * tests. They run one after another, in the order of their lines in the file, in one thread of
 * priority PRIORITY_APP that may wait, print, and let events and threads of the file run.
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

struct test {
    const char *name;
    void (*run)(void);
};

/* A failed expectation. */
struct test_failure {
    const char *file;
    unsigned line;
    const char *expression;
    bool compared; /* left and right are known */
    int64_t left;
    int64_t right;
};

/* The linker sorts the sections by the number at their end. */
#define TEST_SECTION_(line) ".lichen.tests." #line
#define TEST_SECTION(line)  TEST_SECTION_(line)

/* Declares a test and opens its body. */
#define TEST(name_)                                                                                \
    static void name_##_test(void);                                                                \
    static const struct test name_##_entry                                                         \
        __attribute__((section(TEST_SECTION(__LINE__)), used)) = {#name_, name_##_test};           \
    static void name_##_test(void)

/* Fails the running test if `condition` is false. In the test's own thread this ends the test; in
 * an event or another thread the test continues, but has failed. */
#define expect(condition)                                                                          \
    ((condition) ? (void)0                                                                         \
                 : test_fail(&(const struct test_failure){                                         \
                       .file = __FILE__, .line = __LINE__, .expression = #condition}))

/* Fails the running test if two integers differ, and prints both. */
#define expect_equal(left_, right_)                                                                \
    test_compare((left_), (right_),                                                                \
                 &(const struct test_failure){                                                     \
                     .file = __FILE__, .line = __LINE__, .expression = #left_ " == " #right_})

/* Records the first failure of the running test. */
void test_fail(const struct test_failure *failure);

/* Fails with both values if they differ. */
void test_compare(int64_t left, int64_t right, const struct test_failure *failure);

#endif
