/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls that an image has for programs: a group is found in the form in which the image has it,
 * and a call by its number, once its group was declared. What a call's address leads to is the
 * function, also where headers have it inline.
 */
#include <lichen/led.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "load/calls.h"
#include "load/linker.h"
#include "test.h"

extern const ARCH_FLASH struct calls calls_begin[], calls_end[];

static void declare_all(void)
{
    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        expect(calls_group(calls->group, calls->fingerprint));
    }
}

/* A call as a function. */
static call_fn *function_of(uint8_t id)
{
    uintptr_t address = linker_call(id);

    expect(address != 0);
    return (call_fn *)(ARCH_FLASH_IS_APART ? address / 2 : address);
}

TEST(a_group_is_found_in_its_form_alone)
{
    uint8_t groups = 0;

    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        calls_forget();
        for (uint8_t bit = 0; bit < 16; bit++) {
            expect(!calls_group(calls->group, calls->fingerprint ^ (uint16_t)(1u << bit)));
        }
        expect_equal(linker_call(calls->first), 0);
        expect(calls_group(calls->group, calls->fingerprint));
        expect(linker_call(calls->first) != 0);
        groups++;
    }
    expect_equal(groups, 25);
    expect(!calls_group(0, 0));
    expect(!calls_group(31, 0));
    expect(!calls_group(255, 0));
}

TEST(only_calls_of_declared_groups_are_found)
{
    const ARCH_FLASH struct calls *calls = calls_begin;

    calls_forget();
    expect(calls_group(calls->group, calls->fingerprint));
    for (unsigned id = 0; id <= UINT8_MAX; id++) {
        bool is_in = id >= calls->first && id < (unsigned)calls->first + calls->count;
        expect_equal(linker_call((uint8_t)id) != 0, is_in);
    }
    calls_forget();
    expect_equal(linker_call(calls->first), 0);
}

TEST(numbers_that_are_no_calls_are_not_found)
{
    declare_all();
    /* Between groups, and within log and link, which this image does not have. */
    const uint8_t none[] = {0x18, 0x1e, 0x35, 0x3f, 0x4a, 0x60, 0x70, 0x9f, 0xb0, 0xe8, 0xff};

    for (uint8_t i = 0; i < sizeof(none); i++) {
        expect_equal(linker_call(none[i]), 0);
    }
}

TEST(images_are_told_apart)
{
    uint32_t identity = calls_identity();

    expect(identity != 0);
    calls_forget();
    expect_equal(calls_identity() == identity, true);
}

SEMAPHORE(semaphore, 1);
MUTEX(mutex);
NOTIFY(notify);
QUEUE(queue, uint16_t, 2);

typedef int object_fn(void *object);
typedef int object_until_fn(void *object, uint64_t deadline);
typedef int queue_until_fn(struct queue *queue, void *message, uint64_t deadline);

TEST(calls_of_objects_are_their_functions)
{
    declare_all();
    object_fn *wait = (object_fn *)function_of(0x20), *try = (object_fn *)function_of(0x22);
    object_fn *post = (object_fn *)function_of(0x23);

    (void)wait(&semaphore);
    expect_equal(try(&semaphore), ERR_EMPTY);
    expect_equal(((object_until_fn *)function_of(0x21))(&semaphore, 0), ERR_TIMEOUT);
    expect_equal(post(&semaphore), 0);
    expect_equal(semaphore.count, 1);

    expect_equal(((object_fn *)function_of(0x24))(&mutex), 0);
    expect_equal(mutex.owner, (uintptr_t)thread_self());
    (void)((object_fn *)function_of(0x27))(&mutex);
    expect_equal(mutex.owner, 0);
    expect_equal(((object_until_fn *)function_of(0x25))(&mutex, TIME_NEVER), 0);
    mutex_unlock(&mutex);

    (void)((object_fn *)function_of(0x32))(&notify);
    (void)((object_fn *)function_of(0x33))(&notify);
    expect_equal(((object_until_fn *)function_of(0x34))(&notify, 0), ERR_TIMEOUT);

    uint16_t message = 7;
    expect_equal(((queue_until_fn *)function_of(0x39))(&queue, &message, 0), 0);
    message = 0;
    expect_equal(((queue_until_fn *)function_of(0x3c))(&queue, &message, 0), 0);
    expect_equal(message, 7);
}

static volatile uint8_t runs;

THREAD_STOPPED(other, 256, PRIORITY_HIGH)
{
    runs = (uint8_t)(runs + *(const uint8_t *)argument);
}

typedef int start_fn(struct thread *thread, void *argument);
typedef int join_fn(struct thread *thread, uint64_t deadline);
typedef struct thread *self_fn(void);
typedef void yield_fn(void);

TEST(calls_of_threads_are_their_functions)
{
    uint8_t three = 3;

    declare_all();
    expect_equal(((start_fn *)function_of(0x05))(&other, &three), 0);
    expect_equal(((join_fn *)function_of(0x0a))(&other, TIME_NEVER), 0);
    expect_equal(runs, 3);
    ((yield_fn *)function_of(0x04))();
    expect(((self_fn *)function_of(0x0f))() == thread_self());
    expect_equal(((unsigned (*)(void))function_of(0x59))(), led_count());
}

typedef void *copy_fn(void *to, const void *from, size_t length);

TEST(calls_of_compilers_are_theirs)
{
    char to[4] = "";

    declare_all();
    expect(((copy_fn *)function_of(0xc0))(to, "abc", sizeof(to)) == to);
    expect_equal(to[2], 'c');
}
