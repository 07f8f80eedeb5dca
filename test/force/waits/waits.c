/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Laws of every wait: a waiting thread is in the list, in its place and nowhere else, and what it
 * waits for is not there; a thread that was released or destroyed, or whose deadline has passed, is
 * in no list; a paused thread does not continue; a destroyed thread never returns; each of the
 * others returns once.
 */
#include "waits.h"

#include <lichen/init.h>

#include "chip/chip.h"
#include "kernel/thread/syscall.h"

#define SOON_US 4000u

volatile uint8_t came_back[WAITERS];
static volatile uint8_t began[WAITERS];                       /* by each */
static volatile uint8_t timed_out[WAITERS];                   /* by each */
static volatile uint8_t destroyed[WAITERS][FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t touched[FORCE_ACTORS];                /* not only released, by actor */
static volatile uint8_t released[FORCE_ACTORS + 1];           /* by actor, and the conductor */
static volatile uint8_t back_when_paused;                     /* the third one's ends until then */

static bool timed;            /* the first two have deadlines in this run */
static uint64_t deadline;     /* theirs, or TIME_NEVER */
static bool expired;          /* the conductor has let the deadlines pass */
static struct syscall **list; /* the list in which they wait; 0 if none */

#define LITTER 0x5a5a5a5bu /* as a pointer, to nothing */

#define FOUR_WORDS(index)                                                                          \
    words[index] = words[(index) + 1] = one;                                                       \
    words[(index) + 2] = words[(index) + 3] = other

/* Without a loop, since a stretch may wait for it. */
__attribute__((noinline)) void waits_litter_stack(unsigned turn)
{
    volatile uint32_t words[28];
    uint32_t one = turn == 0 ? LITTER : 0;
    uint32_t other = LITTER - one;
    FOUR_WORDS(0);
    FOUR_WORDS(4);
    FOUR_WORDS(8);
    FOUR_WORDS(12);
    FOUR_WORDS(16);
    FOUR_WORDS(20);
    FOUR_WORDS(24);
}

static void come(unsigned who)
{
    began[who]++;
    waits_litter_stack(who % 2);
    int error = wait_kind.wait(who, who < 2 ? deadline : TIME_NEVER);
    force_expect(error == 0 || (error == ERR_TIMEOUT && timed && who < 2));
    came_back[who] = (uint8_t)(came_back[who] + (error == 0));
    timed_out[who] = (uint8_t)(timed_out[who] + (error != 0));
}

THREAD_STOPPED(first, FORCE_STACK, PRIORITY_APP + 1)
{
    come(0);
}
THREAD_STOPPED(second, FORCE_STACK, PRIORITY_APP + 1)
{
    come(1);
}
THREAD_STOPPED(third, FORCE_STACK, PRIORITY_APP + 2)
{
    come(2);
}
static struct thread *const waiters[WAITERS] = {&first, &second, &third};

/* ---------------------------------------------------------------- the waiters */
static struct syscall *head(void)
{
    return list != 0 ? *list : 0;
}

/* Whether a thread waits here, as its own block says. */
static bool waits_here(const struct thread *thread)
{
    return (thread->state & THREAD_WAITING) &&
           (list == 0 || (!syscall_is_notify(thread->syscall) && thread->syscall->list == list));
}

static int in_list(void *thread)
{
    const struct syscall *call = head();
    while (call != 0 && call->thread != thread) {
        call = call->next;
    }
    return list == 0 ? waits_here(thread) : call != 0;
}

static bool is_waiter(const struct thread *thread)
{
    return thread == &first || thread == &second || thread == &third;
}

/* The second came after its equal. */
static bool in_order(const struct thread *before, const struct thread *thread)
{
    return before->priority > thread->priority ||
           (before->priority == thread->priority && (before != &second || thread != &first));
}

/* As many of the three are in the list as wait here, and each one in the list waits with its own
 * call: so they are the same threads. At a barrier, actors wait, too. */
static int check_list(void *unused __attribute__((unused)))
{
    unsigned length = 0;
    unsigned count = 0;
    const struct thread *before = 0;
    for (const struct syscall *call = head(); call != 0; call = call->next) {
        const struct thread *thread = call->thread;
        force_expect(thread->syscall == call && waits_here(thread));
        force_expect(before == 0 || in_order(before, thread));
        before = thread;
        count += is_waiter(thread);
        length++;
        if (length > WAITERS + FORCE_ACTORS) {
            force_seen("the list ends");
            break;
        }
    }
    for (unsigned who = 0; who < WAITERS; who++) {
        count -= waits_here(waiters[who]);
    }
    force_expect(count == 0 || list == 0);
    force_expect(head() == 0 || wait_kind.there == 0 || !wait_kind.there());
    return 0;
}

static bool waits_still(unsigned who)
{
    return kernel_run(in_list, waiters[who]) != 0;
}

static void check_now(void)
{
    (void)kernel_run(check_list, 0);
}

/* How often a thread has returned, one way or the other. */
static uint8_t ends_of(unsigned who)
{
    return (uint8_t)(came_back[who] + timed_out[who]);
}

/* ---------------------------------------------------------------- operations */
static void destroy_by(unsigned actor, unsigned who)
{
    destroyed[who][actor] = 1;
    thread_destroy(waiters[who]);
    force_expect(waiters[who]->state == THREAD_STOPPED);
    force_expect(!waits_still(who));
}

static void destroy(unsigned actor)
{
    touched[actor] = 1;
    destroy_by(actor, 0);
    destroy_by(actor, 2);
    check_now();
}

static void disturb(unsigned actor)
{
    touched[actor] = 1;
    thread_pause(&third);
    back_when_paused = ends_of(2);
    force_expect(third.state & (THREAD_PAUSED | THREAD_STOPPED));
    thread_set_priority(&second, PRIORITY_HIGH + 1);
    force_expect(second.state == THREAD_STOPPED || second.base == PRIORITY_HIGH + 1);
    check_now();
}

static void expire(unsigned actor)
{
    touched[actor] = 1;
}

static void nothing(unsigned actor __attribute__((unused)))
{
}

/* The state of the list, read at the kernel level. */
struct look {
    const struct syscall *head;
    const struct syscall *next;
};

static int look(void *look_)
{
    struct look *look = look_;
    look->head = head();
    look->next = look->head != 0 ? look->head->next : 0;
    return 0;
}

/* Whether nothing else can have changed the list since this actor began to release. */
static bool nobody_else(unsigned who)
{
    return !arch_in_thread() || (!timed && force_sum(touched, FORCE_ACTORS) == 0 &&
                                 force_sum(released, FORCE_ACTORS + 1) == released[who]);
}

/* Releases the head of the list, or all of it. */
static void release(unsigned who)
{
    struct look before;
    struct look after;
    released[who]++;
    (void)kernel_run(look, &before);
    wait_kind.release(who);
    (void)kernel_run(look, &after);
    if (wait_kind.at_a_time == 1) {
        force_expect(after.head == before.next || !nobody_else(who));
    } else if (wait_kind.at_a_time > 1) {
        force_expect(after.head == 0 || !nobody_else(who));
    }
}

/* ---------------------------------------------------------------- the object */
static bool acts(const struct force_operation *operation)
{
    bool any = false;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        any |= force_acts(actor, operation);
    }
    return any;
}

static void begin(unsigned who)
{
    force_expect(thread_start(waiters[who], 0) == 0);
    force_expect(waiters[who]->state == THREAD_WAITING);
}

static void prepare(void)
{
    for (unsigned who = 0; who < WAITERS; who++) {
        began[who] = 0;
        came_back[who] = 0;
        timed_out[who] = 0;
        for (unsigned actor = 0; actor <= FORCE_CONDUCTOR; actor++) {
            destroyed[who][actor] = 0;
        }
    }
    released[FORCE_CONDUCTOR] = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        touched[actor] = 0;
        released[actor] = 0;
    }
    wait_kind.prepare();
    timed = acts(&operation_expire);
    expired = !timed;
    deadline = timed ? time_now_us() + SOON_US : TIME_NEVER;
    begin(0);
    list = first.syscall->list;
    begin(1);
    begin(2);
    check_now();
    force_expect(waits_still(0) && waits_still(1) && waits_still(2));
}

/* Longer than until the deadline. */
static void let_expire(void)
{
    expired = true;
    sleep_us(SOON_US);
    force_expect(!waits_still(0) && !waits_still(1));
}

static bool resume_one(void)
{
    if (third.state & THREAD_PAUSED) {
        force_expect(ends_of(2) == back_when_paused);
        thread_resume(&third);
        return true;
    }
    return false;
}

static bool somebody_waits(void)
{
    return list != 0 ? *list != 0 : waits_still(0) || waits_still(1) || waits_still(2);
}

static void destroy_who_waits(void)
{
    for (unsigned who = 0; who < WAITERS; who++) {
        if (waits_still(who)) {
            destroy_by(FORCE_CONDUCTOR, who);
        }
    }
}

static bool release_all(void)
{
    if (!somebody_waits()) {
        return false;
    }
    released[FORCE_CONDUCTOR] = 1;
    if (wait_kind.only_destroyed) {
        destroy_who_waits();
    }
    while (somebody_waits() && !(third.state & THREAD_PAUSED)) {
        wait_kind.release(FORCE_CONDUCTOR);
    }
    return true;
}

static bool settle(void)
{
    check_now();
    if (!expired) {
        let_expire();
        return true;
    }
    return resume_one() || release_all();
}

bool waiter_destroyed(unsigned who)
{
    return force_sum(destroyed[who], FORCE_ACTORS + 1) > 0;
}

unsigned waiters_lost(void)
{
    unsigned lost = 0;
    for (unsigned who = 0; who < WAITERS; who++) {
        lost += ends_of(who) == 0;
    }
    return lost;
}

static void check(void)
{
    for (unsigned who = 0; who < WAITERS; who++) {
        unsigned ends = ends_of(who);
        force_expect(began[who] == 1 && ends <= 1);
        force_expect(ends == 1 || waiter_destroyed(who));
        force_expect(waiters[who]->state == THREAD_STOPPED);
    }
    wait_kind.check();
}

const struct force_object waits = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_destroy = {
    .name = "destroy", .object = &waits, .in_thread = destroy};
const struct force_operation operation_disturb = {
    .name = "disturb", .object = &waits, .in_event = disturb};
const struct force_operation operation_expire = {
    .name = "expire", .object = &waits, .in_event = expire};
const struct force_operation operation_nothing = {
    .name = "nothing", .object = &waits, .in_event = nothing};
const struct force_operation operation_release = {
    .name = "release", .object = &waits, .in_thread = release, .in_event = release};
const struct force_operation operation_release_in_thread = {
    .name = "release", .object = &waits, .in_thread = release};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
