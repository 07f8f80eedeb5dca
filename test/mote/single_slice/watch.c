/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One time slice at a time: it lasts 5 ms, whatever happened before it and whatever is done in it.
 *
 * `watcher` has the priority of the watched threads (it is their equal), and computes. It reads the
 * clock in each round: a gap between two readings is a slice that the others used. test/mote/slice
 * shows that many slices are shared fairly; here are cases in which a single one could be cut short
 * or restarted.
 */
#include <lichen/event.h>
#include <lichen/queue.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "slices.h"

volatile unsigned slices;
volatile bool computing;
static volatile uint32_t slice_us[SLICES]; /* how long they lasted */

void slice_lasted(uint32_t us)
{
    if (slices < SLICES) {
        slice_us[slices] = us;
        slices++;
    }
}

void compute_for(uint32_t us)
{
    fine_t begun = fine_now();
    while (fine_us(begun, fine_now()) < us) {
    }
}

uint32_t compute_to_the_end_of_the_slice(void)
{
    fine_t begun = fine_now(), now = begun, last;
    do {
        last = now;
        now = fine_now();
    } while (computing && fine_us(last, now) < GAP_US);
    return fine_us(begun, last);
}

void (*volatile act)(void);
void (*volatile seen)(uint32_t us);

SEMAPHORE(go_watcher, 0);
SEMAPHORE(go_watched, 0);
SEMAPHORE(ended, 0);

THREAD(watcher, MEDIUM_STACK, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_watcher);
        fine_t last = fine_now();
        while (computing) {
            fine_t now = fine_now();
            if (fine_us(last, now) > GAP_US) {
                seen(fine_us(last, now));
            }
            last = now;
        }
        semaphore_post(&ended);
    }
}

THREAD(watched, MEDIUM_STACK, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_watched);
        while (computing) {
            act();
        }
        semaphore_post(&ended);
    }
}

void nothing(void)
{
}

void nobody_asks(uint32_t us)
{
    (void)us;
}

void expect_slices(void)
{
    for (unsigned i = 0; i < slices; i++) {
        expect(slice_us[i] >= SLICE_US - SLACK_US);
        expect(slice_us[i] <= SLICE_US + SLACK_US);
    }
}

void begin_to_compute(void (*acts)(void), void (*sees)(uint32_t us))
{
    act = acts;
    seen = sees;
    slices = 0;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_watched);
}

void end_computing(void)
{
    computing = false;
    semaphore_wait(&ended);
    semaphore_wait(&ended);
}

static void expect_to_have_computed(void)
{
    end_computing();
    expect_equal(slices, SLICES);
    expect_slices();
}

void compute_ms(uint32_t ms, void (*acts)(void), void (*sees)(uint32_t us))
{
    begin_to_compute(acts, sees);
    sleep_ms(ms);
    expect_to_have_computed();
}

void compute(void (*acts)(void), void (*sees)(uint32_t us))
{
    compute_ms(120, acts, sees);
}

TEST(a_thread_that_computes_gets_whole_slices)
{
    compute(nothing, slice_lasted);
}

/* The thread before them waits for a message instead. */
QUEUE(messages, char, 1);
EVENT(sends)
{
    expect_equal(queue_try_send(&messages, ""), 0);
}
TIMER(sends_later, sends);

TEST(slices_begin_when_a_thread_waits_without_a_deadline)
{
    char message;
    begin_to_compute(nothing, slice_lasted);
    expect_equal(timer_arm_after(&sends_later, 120000), 0);
    queue_receive(&messages, &message);
    expect_to_have_computed();
}
