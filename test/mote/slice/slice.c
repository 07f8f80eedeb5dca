/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time slices: threads of equal priority (equals) share the processor to within one slice, whatever
 * interrupts them.
 *
 * Two or three equals count rounds of the same loop, so that rounds measure processor time. The
 * law: in any window of ten slices, no equal gets more than one slice more than another. So the
 * difference of two counts stays within a range as wide as a slice, from the beginning of any slice
 * to the end of the tenth. Each equal examines the differences in each round, and the first round
 * of a slice ends a window. The interruptions are those of a more urgent thread, `urgent`, which is
 * woken by a timer or, at chosen rounds of one equal's slice, by an interrupt or by that equal
 * itself.
 */
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "software_interrupt.h"
#include "test.h"

#define EQUALS   3u
#define EQUAL    (PRIORITY_APP - 1)
#define SLICE_US UINT32_C(5000)

#define WINDOW 10u /* slices */

enum { NOBODY = EQUALS };

/* Small numbers, so that a round takes few cycles. */
static volatile unsigned rounds[EQUALS];

/* The bounds of each pair's difference, slice by slice. There are as many pairs as equals. Only its
 * two members examine a pair: a third equal could be interrupted between its two reads. */
#define PAIRS            EQUALS
#define PAIR(one, other) ((one) + (other)-1)
struct range {
    int least, most;
};
static struct range slices[WINDOW][PAIRS];
static unsigned slice;    /* the current one, modulo WINDOW */
static int widest[PAIRS]; /* widest range in any window of the run */

static volatile bool computing;
static volatile unsigned equals; /* how many compute */
static unsigned slice_rounds;

/* What is done at the beginning of each of `victim`'s slices, after `after` rounds. */
static volatile unsigned victim = NOBODY;
static volatile unsigned after;
static void (*volatile disturb)(void);

static unsigned rounds_of_slice; /* in the current one */
static unsigned slice_owner;

NOTIFY(go_urgent);
SEMAPHORE(go_urgent_by_event, 0);
SEMAPHORE(go_one, 0);
SEMAPHORE(go_two, 0);
SEMAPHORE(go_three, 0);
static struct semaphore *const go[EQUALS] = {&go_one, &go_two, &go_three};
SEMAPHORE(ended, 0);
static volatile uint32_t busy_us;

static inline __attribute__((always_inline)) void notify_urgent(unsigned level)
{
    notify_post_from(&go_urgent, level);
}
SOFTWARE_INTERRUPTS(notify_urgent)

THREAD(urgent, MEDIUM_STACK, PRIORITY_APP + 2)
{
    for (;;) {
        notify_wait(&go_urgent);
        compute_us(busy_us);
    }
}

THREAD(urgent_by_event, MEDIUM_STACK, PRIORITY_APP + 2)
{
    for (;;) {
        semaphore_wait(&go_urgent_by_event);
        compute_us(busy_us);
    }
}

/* Of one moment, wherever this is preempted. */
static unsigned rounds_of(unsigned number)
{
    unsigned now;
    do {
        now = rounds[number];
    } while (now != rounds[number]);
    return now;
}

/* How much more the first one of a pair has. */
static int difference(unsigned number, unsigned other)
{
    int more = (int)(rounds_of(number) - rounds_of(other));
    return number < other ? more : -more;
}

static void set_range(struct range *range, int least, int most)
{
    store_whole((volatile unsigned *)&range->least, (unsigned)least);
    store_whole((volatile unsigned *)&range->most, (unsigned)most);
}

static void slice_begins(unsigned which)
{
    for (unsigned other = 1; other < equals; other++) {
        for (unsigned number = 0; number < other; number++) {
            int now = difference(number, other);
            set_range(&slices[which][PAIR(number, other)], now, now);
        }
    }
}

static void window_ends(void)
{
    for (unsigned pair = 0; pair < equals * (equals - 1) / 2; pair++) {
        struct range range = slices[0][pair];
        for (unsigned i = 1; i < WINDOW; i++) {
            const struct range *one = &slices[i][pair];
            range.least = one->least < range.least ? one->least : range.least;
            range.most = one->most > range.most ? one->most : range.most;
        }
        int width = range.most - range.least;
        widest[pair] = width > widest[pair] ? width : widest[pair];
    }
}

static void look(unsigned number)
{
    if (slice_owner != number) {
        window_ends();
        slice_owner = number;
        rounds_of_slice = 0;
        slice = slice + 1 < WINDOW ? slice + 1 : 0;
        slice_begins(slice);
    }
    for (unsigned other = 0; other < equals; other++) {
        struct range *range = &slices[slice][PAIR(number, other)];
        if (other != number) {
            int now = difference(number, other);
            set_range(range, now < range->least ? now : range->least,
                      now > range->most ? now : range->most);
        }
    }
    rounds_of_slice++;
    if (((number ^ victim) | (rounds_of_slice ^ after)) == 0) { /* takes the same time for all */
        disturb();
    }
}

static void compute(unsigned number)
{
    for (;;) {
        semaphore_wait(go[number]);
        while (computing) {
            store_whole(&rounds[number], rounds[number] + 1);
            look(number);
        }
        semaphore_post(&ended);
    }
}

THREAD(one, MEDIUM_STACK, EQUAL)
{
    compute(0);
}
THREAD(two, MEDIUM_STACK, EQUAL)
{
    compute(1);
}
THREAD(three, MEDIUM_STACK, EQUAL)
{
    compute(2);
}

static void start(unsigned count)
{
    equals = count;
    slice_owner = NOBODY;
    for (unsigned number = 0; number < EQUALS; number++) {
        rounds[number] = 0;
        widest[number] = 0;
    }
    for (slice = 0; slice < WINDOW - 1; slice++) {
        slice_begins(slice);
    }
    slice_begins(slice);
    computing = true;
}

static void stop(unsigned count)
{
    computing = false;
    for (unsigned number = 0; number < count; number++) {
        semaphore_wait(&ended);
    }
}

/* The number of rounds in a slice, measured by one that computes alone. A round costs more the more
 * equals are compared. */
static void calibrate(unsigned count)
{
    start(count);
    semaphore_post(go[0]);
    sleep_us(20 * SLICE_US);
    stop(1);
    slice_rounds = rounds[0] / 20;
    expect(slice_rounds > 50);
}

static void run(unsigned count, uint32_t ms)
{
    start(count);
    for (unsigned number = 0; number < count; number++) {
        semaphore_post(go[number]);
    }
    sleep_ms(ms);
    stop(count);
}

/* The processor time of interrupts and events is charged to the thread that they interrupt.
 * first     the first of the equals for whom the law holds; less than the last
 * percent   share of a slice that interrupts may take in a window, on the SAM R21
 * waits     share of it for which the kernel may wait
 */
static void expect_law_from(unsigned first, unsigned percent, unsigned waits)
{
    unsigned long allowed_percent = 100 + percent * KERNEL_SHARE + waits + SLICE_PERCENT;
    int allowed = (int)(slice_rounds * allowed_percent / 100);
    for (unsigned other = first + 1; other < equals; other++) {
        expect(rounds[other] > 4 * slice_rounds);
        for (unsigned number = first; number < other; number++) {
            expect(rounds[number] > 4 * slice_rounds);
            if (widest[PAIR(number, other)] > allowed) {
                expect_equal(widest[PAIR(number, other)], allowed);
            }
        }
    }
}

static void expect_law(unsigned percent)
{
    expect_law_from(0, percent, 0);
}

/* By then the crystal of a board that has one is stable, and the chip has switched to it, in an
 * interrupt that takes 3 % of a slice. */
#define STARTED_US 1500000u

TEST(alone_with_each_other_they_share_exactly)
{
    sleep_until_us(STARTED_US + 6 * 7919ul);
    for (unsigned count = 2; count <= EQUALS; count++) {
        calibrate(count);
        run(count, 200);
        expect_law(2);
    }
}

EVENT(period_by_event)
{
    semaphore_post(&go_urgent_by_event);
}
TIMER(period, period_by_event);

static void with_period(unsigned count, uint32_t us, uint32_t busy)
{
    calibrate(count);
    busy_us = busy;
    int error = timer_arm_every(&period, time_now_us() + 777, us);
    expect_equal(error, 0);
    run(count, 500);
    (void)timer_cancel(&period);
    sleep_ms(10);
    expect_law_from(0, 12, ALARM_PERCENT);
}

TEST(an_urgent_thread_every_5200_us_does_not_favour_one)
{
    with_period(2, 5200, 1000);
    with_period(3, 5200, 1000);
}

TEST(no_period_of_an_urgent_thread_favours_one)
{
    static const uint16_t periods_us[] = {1800, 2500, 4900, 5000, 5050, 6000, 7500, 10000, 10400};
    for (unsigned i = 0; i < sizeof(periods_us) / sizeof(periods_us[0]); i++) {
        if (periods_us[i] >= SHORT_PERIOD_US) {
            with_period(2, periods_us[i], 900);
        }
    }
}

static void by_interrupt(void)
{
    software_interrupts(1u << LEVEL_DRIVER);
}

static void by_itself(void)
{
    notify_post(&go_urgent);
}

/* Something happens in each slice of one equal, `percent` of a slice after its beginning. */
static void disturbed(unsigned count, unsigned percent, void (*how)(void))
{
    calibrate(count);
    after = (unsigned)(slice_rounds * (uint32_t)percent / 100);
    disturb = how;
    victim = 0;
    run(count, 400);
    victim = NOBODY;
}

static void with_victim(unsigned count, unsigned percent, void (*how)(void), uint32_t busy)
{
    busy_us = busy;
    disturbed(count, percent, how);
    expect_law(5);
}

TEST(interrupts_that_follow_one_equal_do_not_favour_another)
{
    software_interrupts_enable();
    for (unsigned percent = 10; percent <= 90; percent += 40) {
        with_victim(2, percent, by_interrupt, 1000);
        with_victim(2, percent, by_interrupt, 7000);
        with_victim(3, percent, by_interrupt, 3000);
    }
}

TEST(an_equal_that_wakes_urgent_threads_keeps_its_slice)
{
    for (unsigned percent = 10; percent <= 90; percent += 40) {
        with_victim(2, percent, by_itself, 1000);
        with_victim(3, percent, by_itself, 12000);
    }
}

/* The rest of a slice that is given up is lost; the next one is whole. */
static void sleep_a_while(void)
{
    sleep_us(300);
}

TEST(equals_of_one_that_yields_share_all_the_same)
{
    for (unsigned percent = 10; percent <= 90; percent += 40) {
        disturbed(3, percent, thread_yield);
        expect_law_from(1, 5, 0);
        expect(rounds[0] < rounds[1]);
    }
}

/* A slice that is given up in the very cycle in which it ends does not end the next one. */
static void yield_at_the_end(void)
{
    static unsigned delay;
    delay = (delay + 4) % 60;
    for (unsigned left = delay; left > 0; left--) {
        __asm__ volatile("");
    }
    thread_yield();
}

TEST(a_slice_that_is_given_up_as_it_ends_takes_none_from_the_next)
{
    for (unsigned percent = 94; percent <= 101; percent++) {
        disturbed(3, percent, yield_at_the_end);
        expect_law_from(1, 5, 0);
    }
}

TEST(equals_of_one_that_waits_share_all_the_same)
{
    for (unsigned percent = 10; percent <= 90; percent += 40) {
        disturbed(3, percent, sleep_a_while);
        expect_law_from(1, 20, 0);
        /* The second one is charged with the end of the first one's sleep. */
        expect(rounds[0] < rounds[1] + rounds[1] / 10 * (KERNEL_SHARE - 1));
    }
}

/* An equal that is resumed begins a new slice; the slices of all others are unaffected. */
static void pause_and_resume(void)
{
    thread_pause(&three);
    thread_resume(&three);
}

TEST(who_is_paused_and_resumed_changes_no_slice)
{
    for (unsigned percent = 10; percent <= 70;
         percent += 30) { /* its slice must not end meanwhile */
        disturbed(3, percent, pause_and_resume);
        expect_law(5);
    }
}

/* A more urgent thread locks a mutex that an equal holds: the equal inherits, gives the mutex back,
 * and continues its slice. */
MUTEX(shared);
SEMAPHORE(go_owner_of_mutex, 0);

THREAD(wants_mutex, MEDIUM_STACK, PRIORITY_APP + 1)
{
    for (;;) {
        semaphore_wait(&go_owner_of_mutex);
        (void)mutex_lock(&shared);
        mutex_unlock(&shared);
    }
}

static void inherit(void)
{
    (void)mutex_lock(&shared);
    semaphore_post(&go_owner_of_mutex);
    mutex_unlock(&shared);
}

TEST(who_inherits_a_priority_goes_on_with_its_slice)
{
    for (unsigned percent = 10; percent <= 90; percent += 40) {
        disturbed(2, percent, inherit);
        expect_law(10);
        disturbed(3, percent, inherit);
        expect_law(10);
    }
}
