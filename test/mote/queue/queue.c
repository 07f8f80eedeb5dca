/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Queues between threads and events. The tests' own thread has PRIORITY_APP. */
#include <string.h>

#include <lichen/event.h>
#include <lichen/queue.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

/* A message of an awkward size. */
struct packet {
    uint8_t number;
    char text[6];
};

QUEUE(packets, struct packet, 3);
static QUEUE(single, uint32_t, 1);

static struct packet packet(uint8_t number)
{
    struct packet made = {.number = number, .text = "hello"};
    return made;
}

static void drain(void)
{
    struct packet packet;
    while (queue_try_receive(&packets, &packet) == 0) {
    }
}

/* The lower byte of its size is that of a short one. */
struct large {
    uint8_t bytes[256 + 4];
};
static QUEUE(larges, struct large, 1);

TEST(a_message_of_more_than_256_bytes_is_whole)
{
    static struct large large;
    for (unsigned i = 0; i < sizeof(large); i++) {
        large.bytes[i] = (uint8_t)(i * 3);
    }
    queue_send(&larges, &large);
    memset(&large, 0, sizeof(large));
    queue_receive(&larges, &large);
    for (unsigned i = 0; i < sizeof(large); i++) {
        expect_equal(large.bytes[i], (uint8_t)(i * 3));
    }
}

TEST(messages_leave_in_their_order_and_whole)
{
    struct packet in, out;
    for (uint8_t round = 0; round < 100; round++) {
        unsigned many = 1 + round % 3;
        for (unsigned i = 0; i < many; i++) {
            in = packet((uint8_t)(round + i));
            queue_send(&packets, &in);
            expect_equal(queue_held(&packets), i + 1);
        }
        for (unsigned i = 0; i < many; i++) {
            queue_receive(&packets, &out);
            expect_equal(out.number, (uint8_t)(round + i));
            expect(strcmp(out.text, "hello") == 0);
        }
    }
    expect_equal(queue_held(&packets), 0);
}

/* Messages of sizes and at addresses that are not whole words, though some look like it. */
struct pair {
    uint16_t first;
    uint16_t second;
};
struct triple {
    uint16_t of[3];
};
QUEUE(halves, uint16_t, 3);
QUEUE(pairs, struct pair, 3);
QUEUE(triples, struct triple, 3);

TEST(messages_of_half_words_leave_whole)
{
    struct {
        uint32_t aligned;
        uint16_t half;
        struct pair pair;
        uint16_t behind;
        struct triple triple;
    } in = {.half = 0x1234, .pair = {0x5678, 0x9abc}, .triple = {{1, 2, 3}}}, out = {0};
    uint16_t several[4] = {1, 2, 3, 4};
    for (unsigned i = 0; i < 12; i++) { /* each alignment of the message with each alignment of its
                                         * slot */
        uint16_t one = 0;
        queue_send(&halves, &several[i % 4]);
        queue_receive(&halves, &one);
        expect_equal(one, i % 4 + 1);
        queue_send(&halves, &in.half);
        queue_receive(&halves, &out.half);
        queue_send(&pairs, &in.pair);
        queue_receive(&pairs, &out.pair);
        queue_send(&triples, &in.triple);
        queue_receive(&triples, &out.triple);
        expect(memcmp(&in, &out, sizeof(in)) == 0);
        memset(&out, 0, sizeof(out));
    }
}

TEST(a_full_queue_and_an_empty_one_say_so)
{
    struct packet in = packet(1), out;
    expect_equal(queue_try_receive(&packets, &out), ERR_EMPTY);
    for (unsigned i = 0; i < 3; i++) {
        expect_equal(queue_try_send(&packets, &in), 0);
    }
    expect_equal(queue_try_send(&packets, &in), ERR_FULL);
    expect_equal(queue_send_until(&packets, &in, 0), ERR_TIMEOUT);
    drain();
    expect_equal(queue_receive_until(&packets, &out, 0), ERR_TIMEOUT);
    uint64_t start = time_now_us();
    int error = queue_receive_until(&packets, &out, start + 3 * TIME_US_PER_MS);
    expect_equal(error, ERR_TIMEOUT);
    expect(time_now_us() - start >= 3 * TIME_US_PER_MS);
}

/* Indices run beyond the range of signed numbers of their size. */
QUEUE(long_one, uint8_t, LONG_QUEUE);

TEST(the_indices_of_a_long_queue_wrap_at_twice_its_length)
{
    long_one.in = long_one.out = 2 * LONG_QUEUE - 2;
    for (uint8_t i = 0; i < 4; i++) {
        expect_equal(queue_try_send(&long_one, &i), 0);
        expect_equal(queue_held(&long_one), i + 1);
    }
    expect_equal(long_one.in, 2);
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t out;
        expect_equal(queue_try_receive(&long_one, &out), 0);
        expect_equal(out, i);
    }
    expect_equal(queue_held(&long_one), 0);
    expect_equal(long_one.out, 2);
    long_one.in = (arch_index_t)(2 + LONG_QUEUE); /* full */
    uint8_t one = 0;
    expect_equal(queue_held(&long_one), LONG_QUEUE);
    expect_equal(queue_try_send(&long_one, &one), ERR_FULL);
    long_one.in = long_one.out = 0;
}

static volatile uint32_t received;
static volatile unsigned receipts, sent;

#define RECEIVER(name, priority)                                                                   \
    THREAD_STOPPED(name, SMALL_STACK_BELOW_CALLS, priority)                                        \
    {                                                                                              \
        uint32_t value;                                                                            \
        queue_receive(&single, &value);                                                            \
        received = received * 10 + value;                                                          \
        receipts++;                                                                                \
    }

RECEIVER(receiver, PRIORITY_APP + 1)
RECEIVER(urgent_receiver, PRIORITY_APP + 2)

#define SENDER(name, priority, number)                                                             \
    THREAD_STOPPED(name, SMALL_STACK_BELOW_CALLS, priority)                                        \
    {                                                                                              \
        uint32_t value = (number);                                                                 \
        queue_send(&single, &value);                                                               \
        sent++;                                                                                    \
    }

SENDER(sender, PRIORITY_APP + 1, 1)
SENDER(urgent_sender, PRIORITY_APP + 2, 2)

static void start(struct thread *thread)
{
    int error = thread_start(thread, 0);
    expect_equal(error, 0);
}

static void send(uint32_t value)
{
    queue_send(&single, &value);
}

static uint32_t receive(void)
{
    uint32_t value;
    queue_receive(&single, &value);
    return value;
}

TEST(waiting_receivers_are_served_by_priority)
{
    received = 0;
    start(&receiver);
    start(&urgent_receiver);
    send(4);
    expect_equal(received, 4);
    expect_equal(urgent_receiver.state, THREAD_STOPPED);
    send(5);
    expect_equal(received, 45);
    expect_equal(queue_held(&single), 0);
}

TEST(a_full_queue_holds_its_senders_back)
{
    sent = 0;
    send(9);
    start(&sender);
    start(&urgent_sender);
    expect_equal(sent, 0);
    expect_equal(receive(), 9);
    expect_equal(sent, 1);
    expect_equal(receive(), 2);
    expect_equal(sent, 2);
    expect_equal(receive(), 1);
    expect_equal(queue_held(&single), 0);
}

TEST(a_destroyed_sender_takes_its_message_along)
{
    send(9);
    start(&sender);
    start(&urgent_sender);
    thread_destroy(&urgent_sender);
    expect_equal(receive(), 9);
    expect_equal(receive(), 1);
    uint32_t value;
    expect_equal(queue_try_receive(&single, &value), ERR_EMPTY);
}

TEST(a_destroyed_receiver_takes_no_message)
{
    receipts = 0;
    start(&receiver);
    thread_destroy(&receiver);
    send(3);
    expect_equal(receipts, 0);
    expect_equal(receive(), 3);
}

/* Received at an address that is not word aligned. */
static struct {
    uint16_t before;
    struct pair pair;
    uint16_t behind;
} __attribute__((aligned(4))) got;

THREAD_STOPPED(pair_receiver, SMALL_STACK_BELOW_CALLS, PRIORITY_APP + 1)
{
    queue_receive(&pairs, &got.pair);
}

TEST(messages_of_half_words_are_handed_over_whole)
{
    struct {
        uint32_t aligned;
        uint16_t half;
        struct pair pair;
    } in = {.pair = {0x1234, 0x5678}};
    start(&pair_receiver);
    queue_send(&pairs, &in.pair);
    expect_equal(got.pair.first, 0x1234);
    expect_equal(got.pair.second, 0x5678);
    expect(got.before == 0 && got.behind == 0);
}

QUEUE(letters, char, 1);
static char taken[8];

THREAD_STOPPED(letter_receiver, SMALL_STACK_BELOW_CALLS, PRIORITY_APP + 1)
{
    queue_receive(&letters, argument);
}

TEST(single_bytes_are_handed_over_wherever_they_lie)
{
    static const char alphabet[] __attribute__((aligned(8))) = "abcdefgh";
    for (unsigned from = 0; from < 8; from++) {
        for (unsigned to = 0; to < 8; to++) {
            memset(taken, 0, sizeof(taken));
            expect_equal(thread_start(&letter_receiver, &taken[to]), 0);
            queue_send(&letters, &alphabet[from]);
            expect_equal(taken[to], alphabet[from]);
            taken[to] = 0;
            expect(memcmp(taken, (const char[8]){0}, sizeof(taken)) == 0);
        }
    }
}

static volatile int result;

EVENT(sends_two)
{
    uint32_t value = 6;
    result = queue_try_send(&single, &value);
    result = result * 100 + queue_try_send(&single, &value);
}

EVENT(receives)
{
    uint32_t value = 0;
    result = queue_try_receive(&single, &value);
    received = value;
}

TEST(events_send_and_receive_without_waiting)
{
    event_post(&sends_two);
    expect_equal(result, ERR_FULL);
    expect_equal(receive(), 6);
    event_post(&receives);
    expect_equal(result, ERR_EMPTY);
    sent = 0;
    send(8);
    start(&sender);
    event_post(&receives);
    expect_equal(result, 0);
    expect_equal(received, 8);
    expect_equal(sent, 1); /* the waiting sender has taken the slot */
    expect_equal(receive(), 1);
}
