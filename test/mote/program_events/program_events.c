/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that have events, with a test in place of the loader. The image has three spare slots,
 * and the programs two events each.
 */
#include <stddef.h>
#include <string.h>

#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/kernel.h>
#include <lichen/panic.h>
#include <lichen/random.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "kernel/program/end.h"
#include "kernel/program/walk.h"
#include "load/container.h"

#include "helper.h"
#include "test.h"

enum { STACK = THREAD_STACK_ROUND(SMALL_STACK) };

/* What the block of objects holds. */
struct objects {
    struct thread thread;
    struct event events[2];
    struct timer timers[2];
};

enum { OBJECTS = (sizeof(struct objects) + 7) / 8 * 8 };

static struct played {
    struct program program;
    uint8_t block[OBJECTS + STACK] __attribute__((aligned(8)));
    struct timer in_data; /* by hand */
} one, two;

#define OF(played, field) ((void *)((played)->block + offsetof(struct objects, field)))

static struct event *event_of(struct played *played, unsigned index)
{
    return (struct event *)OF(played, events) + index;
}

static struct timer *timer_of(struct played *played, unsigned index)
{
    struct timer *timer = (struct timer *)OF(played, timers) + index;
    timer->event = event_of(played, index);
    return timer;
}

/* -------- what runs */

static char order[8];
static volatile uint8_t ordered;
static step *volatile in_event;
static step *volatile in_thread;
static step *volatile in_image;
static volatile unsigned ends;

/* In place of the loader's. */
void program_ended(struct program *program)
{
    (void)program;
    ends++;
}

static void note(char letter)
{
    if (ordered < sizeof(order) - 1) {
        order[ordered++] = letter;
    }
}

static void first(struct event *self)
{
    expect(self == event_of(&one, 0) || self == event_of(&two, 0));
    note(self == event_of(&one, 0) ? 'a' : 'A');
    if (in_event != 0) {
        in_event();
    }
}
static void second(struct event *self)
{
    (void)self;
    note('b');
}
EVENT(of_image)
{
    note('x');
}
EVENT(another_of_image)
{
    note('y');
    if (in_image != 0) {
        in_image();
    }
}

static void body(void *argument)
{
    (void)argument;
    if (in_thread != 0) {
        in_thread();
    }
}

/* -------- the programs */

struct image {
    struct container_header header;
    struct thread_info thread;
    struct event_row events[2];
};

static const char name[] ARCH_TEXT_PLACED(name) = "played";

#define IMAGE(played)                                                                              \
    static const struct image played##_image ARCH_FLASH_PLACED(played) = {                         \
        .header = {.constants_bytes = sizeof(struct thread_info) + 2 * sizeof(struct event_row),   \
                   .object_bytes = OBJECTS,                                                        \
                   .stack_bytes = STACK,                                                           \
                   .data_bytes = sizeof(struct timer),                                             \
                   .threads = 1,                                                                   \
                   .events = 2},                                                                   \
        .thread = {.thread = (struct thread *)(void *)(played).block,                              \
                   .entry = body,                                                                  \
                   .stack = (played).block + OBJECTS,                                              \
                   .name = name,                                                                   \
                   .stack_bytes = STACK,                                                           \
                   .priority = PRIORITY_APP + 1},                                                  \
        .events = {{(void *)((played).block + offsetof(struct objects, events[0])), first},        \
                   {(void *)((played).block + offsetof(struct objects, events[1])), second}}}

IMAGE(one);
IMAGE(two);

static void begin(struct played *played, const ARCH_FLASH struct image *image)
{
    played->program.header = &image->header;
    played->program.code = (const ARCH_FLASH uint8_t *)&image->thread;
    played->program.objects = played->block;
    played->program.data = (uint8_t *)&played->in_data;
    memset(played->block, 0, sizeof(played->block));
    memset(&played->in_data, 0, sizeof(played->in_data));
}

static int play(struct played *played)
{
    begin(&one, ARCH_FLASH_OF(&one_image));
    begin(&two, ARCH_FLASH_OF(&two_image));
    ordered = 0;
    memset(order, 0, sizeof(order));
    ends = 0;
    return program_run(&played->program);
}

static bool ran(const char *letters)
{
    return strcmp(order, letters) == 0;
}

/* -------- events */

TEST(an_event_runs_until_its_program_is_stopped)
{
    in_event = in_thread = 0;
    expect_equal(play(&one), 0);
    expect_equal(ends, 0); /* its thread has ended, and its events may come */
    event_post(event_of(&one, 0));
    event_post(event_of(&one, 1));
    event_post(event_of(&one, 0));
    expect(ran("aba"));
    program_stop(&one.program);
    expect_equal(ends, 1);
    event_post(event_of(&one, 0));
    event_post(event_of(&one, 1));
    expect(ran("aba"));
}

static int post_all_and_stop(void *program)
{
    event_post(&of_image);
    event_post(event_of(&one, 0));
    event_post(&another_of_image);
    event_post(event_of(&one, 1));
    if (program != 0) {
        program_stop_service(program);
        memset(one.block, 0xa5, sizeof(one.block)); /* nothing of the kernel's is in it */
    }
    return 0;
}

TEST(a_pending_event_does_not_run_after_its_program)
{
    for (unsigned i = 0; i < 5; i++) { /* the rings go round */
        expect_equal(play(&one), 0);
        (void)kernel_run(post_all_and_stop, 0);
        expect(ran("xayb"));
        (void)kernel_run(post_all_and_stop, &one.program);
        expect(ran("xaybxy"));
        event_post(&of_image);
        expect(ran("xaybxyx"));
        expect_equal(ends, 1);
    }
}

/* -------- random histories, against what a list says */

static struct played *playing;
static char queue[8]; /* what shall run, in this order */

static void list_post(char letter)
{
    if (strchr(queue, letter) == 0) {
        queue[strlen(queue)] = letter;
    }
}

static void list_stop(const char *from)
{
    char *to = queue + (from - queue);
    for (; *from != 0; from++) {
        if (*from == 'x' || *from == 'y') {
            *to++ = *from;
        }
    }
    memset(to, 0, (size_t)(queue + sizeof(queue) - to));
}

static void stop_playing(void)
{
    if (playing != 0) {
        program_stop_service(&playing->program);
        memset(playing->block, 0xa5, sizeof(playing->block));
        playing = 0;
    }
}

/* Posts some of all events, perhaps stops the program, and posts more of the image's. */
static int post_some(void *argument)
{
    memset(queue, 0, sizeof(queue));
    for (uint32_t left = random_below(8); left > 0; left--) {
        uint32_t choice = random_below(playing != 0 ? 9 : 2);
        if (choice == 8) {
            stop_playing();
            list_stop(queue);
        } else if (choice >= 2) {
            list_post(choice % 2 != 0 ? 'b' : playing == &one ? 'a' : 'A');
            event_post(event_of(playing, choice % 2));
        } else {
            list_post(choice != 0 ? 'y' : 'x');
            event_post(choice != 0 ? &another_of_image : &of_image);
        }
    }
    in_image = random_below(4) == 0 ? stop_playing : 0;
    return (int)(intptr_t)argument;
}

static int stop_last(void *argument)
{
    stop_playing();
    return (int)(intptr_t)argument;
}

TEST(what_is_posted_runs_in_order_but_for_what_is_stopped)
{
    unsigned stops = 0;

    in_event = in_thread = 0;
    for (unsigned i = 0; i < 200; i++) {
        if (playing == 0) {
            struct played *next = random_below(2) != 0 ? &one : &two;
            expect_equal(play(next), 0);
            playing = next;
            stops++;
        }
        ordered = 0;
        memset(order, 0, sizeof(order));
        (void)kernel_run(post_some, 0);
        const char *stop = in_image != 0 ? strchr(queue, 'y') : 0;
        if (stop != 0) {
            list_stop(stop);
        }
        expect(ran(queue));
    }
    expect(stops > 20);
    in_image = 0;
    (void)kernel_run(stop_last, 0);
}

/* -------- slots */

TEST(slots_are_free_when_their_program_has_ended)
{
    expect_equal(program_event_slots(), 3);
    expect_equal(program_event_stack(), 64);
    expect_equal(play(&one), 0);
    expect_equal(program_run(&two.program), ERR_FULL);
    expect(!program_runs(&two.program));
    event_post(event_of(&one, 0));
    program_stop(&one.program);
    expect_equal(program_run(&two.program), 0);
    event_post(event_of(&two, 0));
    expect(ran("aA"));
    expect_equal(program_run(&one.program), ERR_FULL);
    program_stop(&two.program);
    expect_equal(ends, 2);
}

/* An event in the stack, beside the block, one that reaches beyond the objects, and where those are
 * smaller than one. */
static const struct image unsound_images[] ARCH_FLASH_PLACED(unsound) = {
#define UNSOUND(bytes_, first_)                                                                    \
    {                                                                                              \
        .header = {.object_bytes = (bytes_), .stack_bytes = STACK, .events = 1}, .thread = {       \
            .thread = (struct thread *)(void *)(first_),                                           \
            .entry = (void (*)(void *))first                                                       \
        }                                                                                          \
    }
    UNSOUND(OBJECTS, one.block + OBJECTS),
    UNSOUND(OBJECTS, one.block - 8),
    UNSOUND(OBJECTS, one.block + OBJECTS - 4),
    UNSOUND(sizeof(struct event) - 1, one.block),
};

TEST(an_event_outside_the_objects_is_refused)
{
    const ARCH_FLASH struct image *images = ARCH_FLASH_OF(unsound_images);

    for (unsigned i = 0; i < sizeof(unsound_images) / sizeof(unsound_images[0]); i++) {
        begin(&one, images + i);
        expect_equal(program_run(&one.program), ERR_INVALID);
    }
}

/* -------- timers */

TEST(timers_are_cancelled_with_their_program)
{
    in_event = in_thread = 0;
    expect_equal(play(&one), 0);
    expect_equal(timer_arm_every(timer_of(&one, 0), 0, TIMER_PERIOD_MIN_US * 4), 0);
    expect_equal(timer_arm_after(timer_of(&one, 1), 6 * TIME_US_PER_MS), 0);
    one.in_data.event = event_of(&one, 1);
    expect_equal(timer_arm(&one.in_data, time_now_us() + 30 * TIME_US_PER_MS), 0);
    sleep_ms(11);
    expect(ordered >= 4);
    uint8_t before = ordered;
    program_stop(&one.program);
    memset(one.block, 0xa5, sizeof(one.block));
    memset(&one.in_data, 0xa5, sizeof(one.in_data));
    sleep_ms(40);
    expect_equal(ordered, before);
    expect_equal(play(&one), 0);
    expect_equal(timer_arm_after(timer_of(&one, 0), 1), 0);
    program_stop(&one.program); /* before the reading has come */
    memset(one.block, 0xa5, sizeof(one.block));
    sleep_ms(5);
    expect_equal(ordered, 0);
}

/* -------- failures */

static void fails(void)
{
    volatile unsigned zero = 0;
    assert(zero == 1);
}
static void panics(void)
{
    panic(77);
}
/* All registers have other values when it fails. */
static void fails_deeply(void)
{
    uint32_t kept[6];

    for (unsigned i = 0; i < 6; i++) {
        kept[i] = random_u32();
        note('r');
    }
    fails();
    note((char)(kept[0] ^ kept[1] ^ kept[2] ^ kept[3] ^ kept[4] ^ kept[5]));
}
static void posts_and_goes_on(void)
{
    event_post(event_of(&one, 0));
    note('t'); /* is not reached */
}

SEMAPHORE(goes_on, 0);
HELPER(bystander, PRIORITY_APP + 2)
static void waits(void)
{
    semaphore_wait(&goes_on);
    note('w');
}

static void expect_failed(uintptr_t detail)
{
    const struct program_crash *crash = program_crash_look();

    expect(crash != 0);
    expect_equal(crash->record.reason, PANIC_ASSERT);
    expect_equal(crash->record.detail, detail);
    expect(crash->record.pc != 0);
    expect(crash->header == &ARCH_FLASH_OF(&one_image)->header);
    expect(same_text(crash->thread, "event"));
    expect_equal(ends, 1);
    expect(!program_runs(&one.program));
    expect_equal(one.program.failed, PANIC_ASSERT);
    program_crash_forget();
}

TEST(an_event_that_fails_ends_its_program)
{
    static step *const ways[] = {fails, panics, fails_deeply};

    for (unsigned i = 0; i < 3; i++) {
        uint32_t kept = 0x12345678u + i;
        in_event = 0;
        expect_equal(play(&one), 0);
        run(&bystander, waits);
        in_event = ways[i];
        event_post(event_of(&one, 1));
        event_post(event_of(&one, 0));
        expect_equal(kept, 0x12345678u + i);
        expect_failed(i == 1 ? 77 : 0);
        expect(ran(i == 2 ? "barrrrr" : "ba"));
        ordered = 0;
        expect_equal(semaphore_post(&goes_on), 0);
        expect_equal(order[0], 'w');
    }
}

TEST(an_event_fails_that_interrupts_its_own_program)
{
    in_event = fails;
    in_thread = posts_and_goes_on;
    expect_equal(play(&one), 0);
    expect_failed(0);
    expect(ran("a"));
    in_thread = in_event = 0;
    expect_equal(program_run(&two.program), 0);
    event_post(event_of(&two, 0));
    expect(ran("aA"));
    program_stop(&two.program);
}

TEST(an_event_fails_when_its_timer_wakes_the_mote)
{
    in_thread = 0;
    in_event = fails;
    expect_equal(play(&one), 0);
    expect_equal(timer_arm_every(timer_of(&one, 0), 0, TIMER_PERIOD_MIN_US * 4), 0);
    expect_equal(timer_arm_after(timer_of(&one, 1), 12 * TIME_US_PER_MS), 0);
    sleep_ms(20);
    expect_failed(0);
    expect(ran("a"));
    in_event = 0;
}

/* Where the processor faults. */
static void calls_nothing(void)
{
    ((step *)(uintptr_t)(ARCH_FLASH_IS_APART ? 0 : 0xf0000001u))();
}

/* After a fault no event is guarded any more: what fails in one of the image ends the mote. */
EVENT(fails_of_image)
{
    panic(5);
}

TEST(an_event_faults)
{
    const struct panic_record *record = panic_last();

    if (record != 0) {
        expect_equal(record->detail, 5);
        panic_forget();
        return;
    }
    in_thread = 0;
    in_event = calls_nothing;
    expect_equal(play(&one), 0);
    event_post(event_of(&one, 0));
    expect_equal(ends, 1);
    expect_equal(program_crash_look()->record.reason, PANIC_FAULT);
    program_crash_forget();
    in_event = 0;
    expect_equal(play(&one), 0);
    event_post(event_of(&one, 0));
    expect(ran("a"));
    program_stop(&one.program);
    event_post(&fails_of_image);
}
