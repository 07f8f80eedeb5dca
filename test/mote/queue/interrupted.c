/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A more urgent thread preempts one that sends or receives. */
#include <string.h>

#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"
#include "timed_interrupt.h"

#define MANY 40u

NOTIFY(timed);
SEMAPHORE(done, 0);
static void (*volatile act)(void); /* of the more urgent thread */

TIMED_INTERRUPT()
{
    notify_post_from(&timed, LEVEL_DRIVER);
}

THREAD(interrupts, SMALL_STACK_BELOW_CALLS, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&timed);
        act();
    }
}

static void quiet(void)
{
    timed_interrupt_enable();
    sleep_ms(20); /* until the console is silent */
}

/* ---------------------------------------------------------------- again and again */
/* A message that takes long to copy must not be copied in a restartable sequence, which would
 * restart each time and never end. This one has one byte more than is copied there. */
struct long_message {
    char text[17];
};

QUEUE(long_messages, struct long_message, 2);
static volatile unsigned left; /* interrupts */
static volatile uint16_t gap;  /* least cycles from the end of one to the next */

static void interrupt_again(void)
{
    if (left > 0) {
        left--;
        timed_interrupt_in(gap);
    }
}

static void interrupt_again_and_again(void)
{
    act = interrupt_again;
    left = MANY;
    timed_interrupt_in(gap);
}

static void expect_few_interrupts(void)
{
    timed_interrupt_stop();
    unsigned came = MANY - left;
    left = 0;
    expect(came < MANY / 2);
}

/* Between two interrupts a sequence can begin, but not copy the message. */
#define GAP_LEAST (ROUND_TRIP_CYCLES + 10u)
#define GAP_MOST  (ROUND_TRIP_CYCLES + 140u)

TEST(a_long_message_gets_through_however_often_its_sender_is_interrupted)
{
    struct long_message in = {.text = "sixteen and zero"}, out;
    quiet();
    for (gap = GAP_LEAST; gap < GAP_MOST; gap += 10) {
        memset(&out, 0, sizeof(out));
        interrupt_again_and_again();
        queue_send(&long_messages, &in);
        expect_few_interrupts();
        interrupt_again_and_again();
        queue_receive(&long_messages, &out);
        expect_few_interrupts();
        expect(memcmp(&in, &out, sizeof(in)) == 0);
    }
}

/* ---------------------------------------------------------------- once, at each cycle */
/* With the semaphore the program has more than 256 bytes of sequences, and those of queues begin
 * before the last 256. */
QUEUE(numbers, unsigned, 2);

static void send_two(void)
{
    unsigned two = 2;
    queue_send(&numbers, &two);
    (void)semaphore_post(&done);
}

static unsigned receive_number(void)
{
    unsigned number;
    queue_receive(&numbers, &number);
    return number;
}

TEST(no_message_is_lost_whichever_instruction_of_sending_is_interrupted)
{
    quiet();
    act = send_two;
    for (uint16_t cycles = 1; cycles < 200; cycles++) {
        unsigned one = 1;
        timed_interrupt_in(cycles);
        queue_send(&numbers, &one);
        semaphore_wait(&done);
        expect_equal(queue_held(&numbers), 2);
        expect_equal(receive_number() + receive_number(), 3);
    }
}
