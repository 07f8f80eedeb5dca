/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One time slice at a time: it lasts 5 ms, whatever happened before it and whatever is done in it.
 *
 * `watcher` has the priority of the watched threads (it is their equal), and computes. It reads the
 * clock in each round: a gap between two readings is a turn of the others, that is, a slice that
 * they use. test/mote/slice shows that many slices are shared fairly; here are cases in which a
 * single one could be cut short or restarted.
 */
#include <string.h>

#include <lichen/event.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "test.h"

#define EQUAL    (PRIORITY_APP - 1)
#define RIVAL    (PRIORITY_APP + 1)
#define SLICE_US 5000u
#define SLACK_US 600u /* for readings of the clock, and for more urgent threads */
#define GAP_US   1000u

#define TURNS 8u

static volatile unsigned turns;          /* that were measured */
static volatile uint32_t turn_us[TURNS]; /* how long they lasted */
static volatile bool computing;

static void turn_lasted(uint64_t us)
{
    if (turns < TURNS) {
        turn_us[turns] = (uint32_t)us;
        turns++;
    }
}

static void compute_for(uint32_t us)
{
    uint64_t begun = time_now_us();
    while (time_now_us() - begun < us) {
    }
}

/* Computes until the watcher has run. Returns for how long, by its own readings of the clock,
 * without those interrupted by the turn before and the one after. */
static uint32_t compute_to_the_end_of_the_turn(void)
{
    uint64_t begun = time_now_us(), now = begun, last;
    do {
        last = now;
        now = time_now_us();
    } while (computing && now - last < GAP_US);
    return (uint32_t)(last - begun);
}

/* What the watched threads do in their turns; what the watcher does with the turns that it sees. */
static void (*volatile act)(void);
static void (*volatile seen)(uint64_t us);

SEMAPHORE(go_watcher, 0);
SEMAPHORE(go_watched, 0);
SEMAPHORE(ended, 0);

THREAD(watcher, 320, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_watcher);
        uint64_t last = time_now_us();
        while (computing) {
            uint64_t now = time_now_us();
            if (now - last > GAP_US) {
                seen(now - last);
            }
            last = now;
        }
        semaphore_post(&ended);
    }
}

THREAD(watched, 320, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_watched);
        while (computing) {
            act();
        }
        semaphore_post(&ended);
    }
}

/* Never runs while the others compute. */
THREAD(less_urgent, 256, EQUAL - 1)
{
    for (;;) {
        sleep_ms(1000);
    }
}

/* The same, but always ready. If it becomes their equal, it yields its turns. */
SEMAPHORE(go_ready, 0);
static void (*volatile act_ready)(void) = thread_yield;

THREAD(always_ready, 256, EQUAL - 1)
{
    for (;;) {
        semaphore_wait(&go_ready);
        while (computing) {
            act_ready();
        }
        semaphore_post(&ended);
    }
}

static void nothing(void)
{
}

static void nobody_asks(uint64_t us)
{
    (void)us;
}

static void expect_slices(void)
{
    for (unsigned i = 0; i < turns; i++) {
        expect(turn_us[i] >= SLICE_US - SLACK_US);
        expect(turn_us[i] <= SLICE_US + SLACK_US);
    }
}

static void begin_to_compute(void (*acts)(void), void (*sees)(uint64_t us))
{
    act = acts;
    seen = sees;
    turns = 0;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_watched);
}

static void expect_to_have_computed(void)
{
    computing = false;
    semaphore_wait(&ended);
    semaphore_wait(&ended);
    expect_equal(turns, TURNS);
    expect_slices();
}

static void compute_ms(uint32_t ms, void (*acts)(void), void (*sees)(uint64_t us))
{
    begin_to_compute(acts, sees);
    sleep_ms(ms);
    expect_to_have_computed();
}

static void compute(void (*acts)(void), void (*sees)(uint64_t us))
{
    compute_ms(120, acts, sees);
}

TEST(a_turn_of_one_that_computes_is_a_slice)
{
    compute(nothing, turn_lasted);
}

/* The thread before them waits for a message instead. */
QUEUE(messages, char, 1);
EVENT(sends)
{
    expect_equal(queue_try_send(&messages, ""), 0);
}
TIMER(sends_later, sends);

TEST(turns_begin_when_a_thread_waits_without_a_deadline)
{
    char message;
    begin_to_compute(nothing, turn_lasted);
    expect_equal(timer_arm_after(&sends_later, 120000), 0);
    queue_receive(&messages, &message);
    expect_to_have_computed();
}

/* ---------------------------------------------------------------- what is done about others */
static void pause_and_resume(void)
{
    thread_pause(&less_urgent);
    thread_resume(&less_urgent);
}

static void change_priority(void)
{
    thread_set_priority(&less_urgent, EQUAL - 2);
    thread_set_priority(&less_urgent, EQUAL - 1);
}

static void keep_priority(void)
{
    thread_set_priority(&less_urgent, EQUAL - 1);
}

TEST(what_is_done_about_others_is_done_in_ones_own_turn)
{
    compute(pause_and_resume, turn_lasted);
    compute(change_priority, turn_lasted);
    compute(keep_priority, turn_lasted);
}

/* All of it is charged to the turn, however often it is done. */
static void compute_beside_ready(void (*acts)(void))
{
    computing = true;
    semaphore_post(&go_ready);
    compute(acts, turn_lasted);
    semaphore_wait(&ended);
}

static void pause_and_resume_ready(void)
{
    thread_pause(&always_ready);
    thread_resume(&always_ready);
}

static void change_priority_of_ready(void)
{
    thread_set_priority(&always_ready, EQUAL - 2);
    thread_set_priority(&always_ready, EQUAL - 1);
}

static void make_ready_an_equal(void)
{
    thread_set_priority(&always_ready, EQUAL);
    thread_set_priority(&always_ready, EQUAL - 1);
}

TEST(what_is_done_about_others_that_are_ready_is_so_too)
{
    compute_beside_ready(pause_and_resume_ready);
    compute_beside_ready(change_priority_of_ready);
    compute_beside_ready(make_ready_an_equal);
}

static void lower_oneself(void)
{
    thread_set_priority(&always_ready, EQUAL - 1);
}

static void raise_ready_above_oneself(void)
{
    compute_for(SLICE_US / 2);
    thread_set_priority(&always_ready, EQUAL + 1);
    (void)compute_to_the_end_of_the_turn();
}

TEST(who_is_raised_above_a_turn_interrupts_it)
{
    act_ready = lower_oneself;
    compute_beside_ready(raise_ready_above_oneself);
    act_ready = thread_yield;
}

TEST(an_equal_that_comes_and_goes_does_not_make_a_turn_longer)
{
    thread_set_priority(&always_ready, EQUAL);
    compute_beside_ready(pause_and_resume_ready);
    thread_set_priority(&always_ready, EQUAL - 1);
}

/* ---------------------------------------------------------------- without equals meanwhile */
/* A turn counts shared time only: a thread without equals has the processor to itself, and that
 * time does not count. */
#define ALONE_US (2 * SLICE_US)
#define LOOKS_US 500u /* two interrupted readings, and what led to them */

static void pause_watcher(void)
{
    thread_pause(&watcher);
}
static void resume_watcher(void)
{
    thread_resume(&watcher);
}
static void lower_watcher(void)
{
    thread_set_priority(&watcher, EQUAL - 1);
}
static void raise_watcher(void)
{
    thread_set_priority(&watcher, EQUAL);
}

static void (*volatile part)(void);
static void (*volatile rejoin)(void);

static void be_alone_when_half_is_left(void)
{
    uint64_t begun = time_now_us();
    compute_for(SLICE_US / 2);
    part();
    uint64_t computed = time_now_us() - begun;
    compute_for(ALONE_US);
    rejoin();
    turn_lasted(computed + LOOKS_US + compute_to_the_end_of_the_turn());
}

static void compute_alone_meanwhile(void (*parts)(void), void (*rejoins)(void))
{
    part = parts;
    rejoin = rejoins;
    compute_ms(200, be_alone_when_half_is_left, nobody_asks);
}

TEST(time_without_equals_is_no_part_of_a_turn)
{
    compute_alone_meanwhile(pause_watcher, resume_watcher);
    compute_alone_meanwhile(lower_watcher, raise_watcher);
}

/* ---------------------------------------------------------------- a more urgent thread */
NOTIFY(go_urgent);
static void (*volatile urge)(void);

THREAD(urgent, 320, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go_urgent);
        urge();
    }
}

static void set_what_they_have(void)
{
    thread_set_priority(&watched, EQUAL);
    thread_set_priority(&watcher, EQUAL);
}

static void urge_at_times(void)
{
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
}

TEST(who_is_given_the_priority_that_it_has_goes_on_with_its_turn)
{
    urge = set_what_they_have;
    compute(urge_at_times, turn_lasted);
}

static void set_another_and_back(void)
{
    thread_set_priority(&watched, EQUAL - 1);
    thread_set_priority(&watched, EQUAL);
}

static void give_way_when_half_is_left(void)
{
    compute_for(SLICE_US / 2);
    uint64_t begun = time_now_us();
    notify_post(&go_urgent);
    turn_lasted(time_now_us() - begun);
}

TEST(who_is_given_another_priority_comes_behind_its_equals)
{
    urge = set_another_and_back;
    compute(give_way_when_half_is_left, nobody_asks);
}

/* A part of the yielding thread's turn is left, which the next turn must not get. */
static void yield_when_half_is_left(void)
{
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
    uint64_t begun = time_now_us();
    thread_yield();
    turn_lasted(time_now_us() - begun);
}

TEST(the_turn_after_one_that_yields_is_a_slice)
{
    urge = nothing;
    compute(yield_when_half_is_left, nobody_asks);
}

/* ---------------------------------------------------------------- two turns of one thread */
/* At an inherited priority, a thread begins with a whole turn, whatever is left of the turn before
 * and of the last inherited one. */
MUTEX(shared);
SEMAPHORE(go_wants, 0);
SEMAPHORE(go_rival, 0);
SEMAPHORE(go_owner, 0);
static volatile uint64_t begun_us;
static volatile bool rival_has_run, given_back;

THREAD(wants, 320, RIVAL)
{
    for (;;) {
        semaphore_wait(&go_wants);
        (void)mutex_lock(&shared);
        mutex_unlock(&shared);
    }
}

THREAD(rival, 320, RIVAL)
{
    for (;;) {
        semaphore_wait(&go_rival);
        if (!given_back) {
            turn_lasted(time_now_us() - begun_us);
        }
        rival_has_run = true;
        while (!given_back) {
        }
    }
}

/* Does not wait in between, which would end all its turns. */
static void inherit(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    compute_for(SLICE_US / 2);
    semaphore_post(&go_wants);
    begun_us = time_now_us();
    semaphore_post(&go_rival);
    while (!rival_has_run) {
    }
    compute_for(SLICE_US / 2);
    given_back = true;
    mutex_unlock(&shared);
}

static void (*volatile own)(void);

THREAD(owner, 320, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_owner);
        own();
        semaphore_post(&ended);
    }
}

static void own_beside_watcher(void (*owns)(void))
{
    own = owns;
    seen = nobody_asks;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    computing = false;
    semaphore_wait(&ended);
}

static void inherit_in_turns(void)
{
    while (turns < TURNS) {
        inherit();
    }
}

TEST(who_inherits_begins_a_whole_turn)
{
    turns = 0;
    own_beside_watcher(inherit_in_turns);
    expect_slices();
}

/* The rest of the inherited turn is converted, and nothing else of the thread. */
static void inherit_while_the_clock_changes(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    semaphore_post(&go_wants);
    begun_us = time_now_us();
    semaphore_post(&go_rival);
    compute_for(SLICE_US / 2);
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    while (!rival_has_run) {
    }
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    given_back = true;
    mutex_unlock(&shared);
    expect(strcmp(thread_name(thread_self()), "owner") == 0);
}

static void inherit_while_clocks_change(void)
{
    while (turns < TURNS) {
        inherit_while_the_clock_changes();
    }
}

TEST(an_inherited_turn_is_as_long_when_the_clock_changes_in_it)
{
    turns = 0;
    own_beside_watcher(inherit_while_clocks_change);
    expect_slices();
}

/* The slice timer keeps running when the last equal waits. What it counts then, in cycles of the
 * earlier clock, must not be the length of the next turn. */
SEMAPHORE(go_companion, 0);
static volatile bool accompanied;

THREAD(companion, 256, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_companion);
        while (accompanied) {
        }
    }
}

static void lose_the_companion_while_the_timer_runs(void)
{
    accompanied = false;
    thread_yield();
}

static void compute_beside_companions(void)
{
    semaphore_post(&go_companion);
    while (turns < TURNS) {
        lose_the_companion_while_the_timer_runs();
        chip_clock_set(turns % 2 == 0 ? CHIP_CLOCK_48_MHZ : CHIP_CLOCK_8_MHZ);
        accompanied = true;
        semaphore_post(&go_companion);
        turn_lasted(compute_to_the_end_of_the_turn());
    }
    accompanied = false;
}

TEST(a_turn_that_begins_after_the_clock_has_changed_is_a_slice)
{
    turns = 0;
    own = compute_beside_companions;
    computing = true;
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    expect_slices();
}

/* Nor does the turn count in which it was when its own priority was raised. */
static void raise_oneself_and_inherit(void)
{
    while (turns < TURNS) {
        compute_for(SLICE_US / 2);
        thread_set_priority(thread_self(), EQUAL + 1);
        inherit();
        thread_set_priority(thread_self(), EQUAL);
    }
}

TEST(who_inherits_after_a_change_of_its_own_priority_begins_a_whole_turn)
{
    turns = 0;
    own_beside_watcher(raise_oneself_and_inherit);
    expect_slices();
}

/* Both are more urgent than the owner, whose turn they interrupt. */
EVENT(rivals_go)
{
    semaphore_post(&go_wants);
    semaphore_post(&go_rival);
}

static void inherit_where_a_rival_is_ready(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    event_post(&rivals_go);
    expect(rival_has_run);
    given_back = true;
    mutex_unlock(&shared);
}

TEST(who_inherits_comes_behind_its_new_equals)
{
    own_beside_watcher(inherit_where_a_rival_is_ready);
}

/* ---------------------------------------------------------------- the waiter's priority changes
 */
/* The thread that waits for the mutex is less urgent than its owner at first. */
static void let_one_wait_and_compute(void)
{
    (void)mutex_lock(&shared);
    thread_set_priority(&wants, EQUAL - 1);
    semaphore_post(&go_wants);
    sleep_ms(1);
    computing = true;
    semaphore_post(&go_watcher);
    compute_for(SLICE_US / 4);
}

static void own_and_start_watcher(void (*owns)(void))
{
    own = owns;
    seen = nobody_asks;
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    semaphore_wait(&ended);
    thread_set_priority(&wants, RIVAL);
}

/* Then it becomes more urgent than the owner, which is running, and which continues its turn after
 * it has given the mutex back. */
static void inherit_what_is_set(void)
{
    let_one_wait_and_compute();
    uint64_t begun = time_now_us();
    thread_set_priority(&wants, RIVAL);
    mutex_unlock(&shared);
    expect(time_now_us() - begun < GAP_US);
    computing = false;
}

TEST(who_inherits_while_it_runs_goes_on_with_its_turn)
{
    own_and_start_watcher(inherit_what_is_set);
}

/* The owner inherits less than before: it goes behind its new equals, whatever is left of its own
 * turn. */
static void inherit_less(void)
{
    let_one_wait_and_compute();
    thread_set_priority(&wants, RIVAL + 1);
    rival_has_run = false;
    given_back = true;
    semaphore_post(&go_rival);
    expect(!rival_has_run);
    thread_set_priority(&wants, RIVAL);
    expect(rival_has_run);
    mutex_unlock(&shared);
    computing = false;
}

TEST(who_inherits_less_than_before_comes_behind_its_new_equals)
{
    own_and_start_watcher(inherit_less);
}

/* The owner stops inheriting while a more urgent thread runs. */
static void take_from_owner(void)
{
    thread_set_priority(&wants, EQUAL - 1);
}

static void lose_what_was_inherited(void)
{
    let_one_wait_and_compute();
    thread_set_priority(&wants, RIVAL);
    uint64_t begun = time_now_us();
    notify_post(&go_urgent);
    expect(time_now_us() - begun < GAP_US);
    mutex_unlock(&shared);
    computing = false;
}

TEST(who_inherits_no_more_while_another_one_runs_goes_on_with_its_turn)
{
    urge = take_from_owner;
    own_and_start_watcher(lose_what_was_inherited);
}

/* The same with a part of the inherited turn left, which is then lost. */
static void inherit_once_more(void)
{
    let_one_wait_and_compute();
    thread_set_priority(&wants, RIVAL);
    given_back = true;
    semaphore_post(&go_rival);
    compute_for(SLICE_US / 2);
    notify_post(&go_urgent);
    given_back = false;
    rival_has_run = false;
    thread_set_priority(&wants, RIVAL);
    begun_us = time_now_us();
    semaphore_post(&go_rival);
    while (!rival_has_run) {
    }
    given_back = true;
    mutex_unlock(&shared);
    computing = false;
}

TEST(who_has_inherited_no_more_begins_a_whole_turn_later)
{
    urge = take_from_owner;
    turns = 0;
    own_and_start_watcher(inherit_once_more);
    expect_equal(turns, 1);
    expect_slices();
}

/* ---------------------------------------------------------------- the slice timer */
#define SYST_CSR        (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_ENABLE 1u
#define SYST_CVR        (*(volatile uint32_t *)0xe000e018u)

/* It stops when idling begins, even in the middle of a turn. */
TEST(no_slice_timer_runs_while_the_mote_sleeps)
{
    act = nothing;
    seen = nobody_asks;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_watched);
    sleep_ms(1);
    computing = false;
    semaphore_wait(&ended);
    semaphore_wait(&ended);
    expect((SYST_CSR & SYST_CSR_ENABLE) != 0);
    sleep_ms(1);
    expect((SYST_CSR & SYST_CSR_ENABLE) == 0);
}

/* The rest of a turn is never 0, since the timer would then start with its full range. */
static volatile uint32_t left_cycles;

static void change_clock_at_the_end(void)
{
    while (SYST_CVR > left_cycles) {
    }
    chip_clock_set(CHIP_CLOCK_4_MHZ);
    uint32_t us = compute_to_the_end_of_the_turn();
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    expect(us < SLICE_US + SLACK_US);
    left_cycles += 20;
}

TEST(a_turn_that_is_all_but_over_when_the_clock_changes_ends)
{
    act = change_clock_at_the_end;
    seen = nobody_asks;
    left_cycles = 10;
    computing = true;
    semaphore_post(&go_watcher);
    semaphore_post(&go_watched);
    while (left_cycles < 1200) {
        sleep_ms(10);
    }
    computing = false;
    semaphore_wait(&ended);
    semaphore_wait(&ended);
}
