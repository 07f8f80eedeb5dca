/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The thread that runs the tests and reports. */
#include "test.h"

#include <setjmp.h>

#include <lichen/arch.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

/* The linker's table of TEST declarations. */
extern const struct test tests_begin[];
extern const struct test tests_end[];

extern struct thread tests;

static jmp_buf end_of_test;
static bool failed;                 /* the running test has failed; written before it is read */
static struct test_failure failure; /* its first failure, if it failed */

void test_fail(const struct test_failure *what)
{
    if (!failed) {
        failure = *what;
        failed = true;
    }
    if (arch_in_thread() && thread_self() == &tests) {
        longjmp(end_of_test, 1);
    }
}

void test_compare(int64_t left, int64_t right, const struct test_failure *what)
{
    if (left != right) {
        struct test_failure compared = *what;

        compared.compared = true;
        compared.left = left;
        compared.right = right;
        test_fail(&compared);
    }
}

static void report(const struct test *test)
{
    if (!failed) {
        print("test %s ok\n", test->name);
    } else if (failure.compared) {
        print("test %s failed %s:%u: %s (%lld, %lld)\n", test->name, failure.file, failure.line,
              failure.expression, (long long)failure.left, (long long)failure.right);
    } else {
        print("test %s failed %s:%u: %s\n", test->name, failure.file, failure.line,
              failure.expression);
    }
}

/* True if the test passed. */
static bool run(const struct test *test)
{
    failed = false;
    if (setjmp(end_of_test) == 0) {
        test->run();
    }
    report(test);
    return !failed;
}

THREAD(tests, 1536, PRIORITY_APP)
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
