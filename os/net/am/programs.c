/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls of loaded programs that receive.
 *
 * A program may be stopped at any instruction. If its thread had a packet by then, nobody would
 * free it: so a packet is never the thread's. It goes from the receiver's queue into a hand, which
 * is the kernel's memory, and is read and freed in one step of the kernel level. At the end of a
 * program its hands are emptied, and its queues. A thread may be ended between the two stores by
 * which a packet leaves a queue, and then both have it.
 */
#include "net/am/programs.h"

#include <lichen/kernel.h>
#include <lichen/queue.h>

#include "kernel/program/walk.h"

/* Threads of programs that can wait for messages at once; what others have when they are stopped is
 * lost. */
enum { HANDS = 4 };

static struct hand {
    const struct thread *thread; /* 0: it is nobody's */
    packet_t packet;
} hands[HANDS];

/* A call. */
struct reading {
    struct link_receiver *receiver;
    struct am_message *message;
    void *payload;
    uint8_t size;
    struct hand *hand; /* 0: there is none for it */
};

static void empty(struct hand *hand)
{
    if (hand->packet != PACKET_NONE) {
        am_free_of_programs(hand->packet);
    }
    hand->packet = PACKET_NONE;
    hand->thread = 0;
}

/* A thread that was destroyed and started again has its hand still. */
static int take_hand(void *reading_)
{
    struct reading *reading = reading_;
    const struct thread *thread = thread_self();

    for (struct hand *hand = hands; hand < hands + HANDS; hand++) {
        if (hand->thread == thread || (hand->thread == 0 && reading->hand == 0)) {
            reading->hand = hand;
        }
    }
    if (reading->hand != 0) {
        empty(reading->hand);
        reading->hand->thread = thread;
    }
    return 0;
}

static int read(void *reading_)
{
    const struct reading *reading = reading_;

    am_read_of_programs(reading->hand->packet, reading->message, reading->payload, reading->size);
    reading->hand->packet = PACKET_NONE;
    reading->hand->thread = 0;
    return 0;
}

static int leave_hand(void *reading)
{
    empty(((const struct reading *)reading)->hand);
    return 0;
}

int am_receive_of_programs(struct link_receiver *receiver, struct am_message *message,
                           void *payload, uint8_t size, uint64_t deadline)
{
    struct reading reading = {receiver, message, payload, size, 0};
    int error = 0;

    (void)kernel_run(take_hand, &reading);
    if (reading.hand == 0) {
        return am_receive(receiver, message, payload, size, deadline);
    }
    if (deadline == TIME_NEVER) {
        queue_receive(&receiver->queue, &reading.hand->packet);
    } else {
        error = queue_receive_until(&receiver->queue, &reading.hand->packet, deadline);
    }
    (void)kernel_run(error == 0 ? read : leave_hand, &reading);
    return error;
}

static int try_receive(void *reading_)
{
    const struct reading *reading = reading_;

    return am_try_receive(reading->receiver, reading->message, reading->payload, reading->size);
}

int am_try_receive_of_programs(struct link_receiver *receiver, struct am_message *message,
                               void *payload, uint8_t size)
{
    struct reading reading = {receiver, message, payload, size, 0};

    return kernel_run(try_receive, &reading);
}

/* -------- the end of a program */

/* What is in a queue is in no hand. */
static void drop_from_hands(packet_t packet)
{
    for (struct hand *hand = hands; hand < hands + HANDS; hand++) {
        if (hand->packet == packet) {
            hand->packet = PACKET_NONE;
        }
    }
}

void am_program_left(const struct program *program)
{
    const ARCH_FLASH struct link_taker *taker = program_takers(program);
    packet_t packet;

    for (uint8_t left = program->header->receivers; left > 0; left--, taker++) {
        while (queue_try_receive(&taker->receiver->queue, &packet) == 0) {
            drop_from_hands(packet);
            am_free_of_programs(packet);
        }
    }
    for (struct hand *hand = hands; hand < hands + HANDS; hand++) {
        if (hand->thread != 0 && program_has(program, hand->thread)) {
            empty(hand);
        }
    }
}
