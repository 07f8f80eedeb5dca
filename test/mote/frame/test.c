/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The thread that runs the tests and reports. */
#include "test.h"

#include <setjmp.h>

#include <lichen/arch.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

/* The linker's table of TEST declarations. */
extern const ARCH_FLASH struct test tests_begin[];
extern const ARCH_FLASH struct test tests_end[];

extern struct thread tests;

/* A failed expectation. */
struct failure {
    const ARCH_FLASH struct test_place *place;
    bool compared; /* left and right are known */
    int64_t left;
    int64_t right;
};

static jmp_buf end_of_test;
static bool failed;            /* the running test has failed; written before it is read */
static struct failure failure; /* its first failure, if it failed */

static void fail(const struct failure *what)
{
    if (!failed) {
        failure = *what;
        failed = true;
    }
    if (arch_in_thread() && thread_self() == &tests) {
        longjmp(end_of_test, 1);
    }
}

void test_fail(const ARCH_FLASH struct test_place *place)
{
    fail(&(const struct failure){.place = place});
}

void test_compare(int64_t left, int64_t right, const ARCH_FLASH struct test_place *place)
{
    if (left != right) {
        fail(&(const struct failure){place, .compared = true, .left = left, .right = right});
    }
}

bool same_text(const char *text, const char *wanted)
{
    while (arch_text(text) == *wanted) {
        if (*wanted++ == 0) {
            return true;
        }
        text++;
    }
    return false;
}

static void report(const ARCH_FLASH struct test *test)
{
    if (!failed) {
        print("test %s ok\n", test->name);
        return;
    }
    print("test %s failed %s:%u: %s", test->name, failure.place->file, failure.place->line,
          failure.place->expression);
    if (failure.compared) {
        print(" (%lld, %lld)", (long long)failure.left, (long long)failure.right);
    }
    print("\n");
}

/* True if the test passed. */
static bool run(const ARCH_FLASH struct test *test)
{
    failed = false;
    if (setjmp(end_of_test) == 0) {
        test->run();
    }
    report(test);
    return !failed;
}

THREAD(tests, TEST_STACK, PRIORITY_APP)
{
    unsigned passed = 0;
    unsigned count = (unsigned)(tests_end - tests_begin);

    for (unsigned i = 0; i < count; i++) {
        passed += run(&tests_begin[i]);
    }
    print("%u passed, %u failed\n", passed, count - passed);
    for (;;) {
        sleep_us(UINT32_MAX);
    }
}
