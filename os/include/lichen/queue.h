/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Bounded queues of messages of a fixed size, which are copied in and out.
 *
 *     QUEUE(packets, struct packet, 4);
 *     ... queue_send(&packets, &packet); ...        waits while it is full
 *     ... queue_receive(&packets, &packet); ...     waits while it is empty
 *
 * A full queue blocks its senders; nothing is lost unless a sender gives up. Messages leave in the
 * order in which they were sent. Waiting threads are served by priority, and in order of arrival
 * within one priority.
 *
 * A QUEUE_RT is filled only by interrupts of one level, for example that of a real-time task:
 *
 *     QUEUE_RT(samples, uint16_t, 32, 0);
 *     RT_TASK(sample, ...) { uint16_t value = ...; queue_send_from(&samples, &value, 0); }
 *     ... queue_receive(&samples.queue, &value); ...
 *
 * Each of the two indices of the ring has one writer, so no interrupt is masked. A message is in
 * the queue at once, and the kernel level hands it to a waiting thread as soon as it runs; until
 * then no other thread gets it.
 */
#ifndef LICHEN_QUEUE_H
#define LICHEN_QUEUE_H

#include <stdbool.h>

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/loaded.h>
#include <lichen/syscall.h>
#include <lichen/time.h>

/* A queue. Its lists are written at the kernel level only, its indices by threads as well, in
 * restartable sequences; `in` of a QUEUE_RT is written by its interrupts. The indices run from 0 to
 * twice the length, so that full and empty differ. It may also be made by hand, with QUEUE_OF(type,
 * length, 0), if it outlives every wait; or by other means, with its slots and its length as QUEUE
 * sets them and the rest 0. */
struct queue {
    struct syscall *receivers; /* the calls that wait for a message; only while it is empty */
    struct syscall *senders;   /* the calls that wait for room; only while it is full. In a QUEUE_RT
                                * always QUEUE_OF_INTERRUPTS */
    uint8_t *slots;
    uint16_t slot_bytes;
    arch_index_t length;
    volatile arch_index_t in;  /* where the next message goes; the sending side's */
    volatile arch_index_t out; /* where the next message comes from; the receiving side's */
};

/* A queue that is filled by interrupts of one level. Can only be made by QUEUE_RT, which places and
 * counts it; `lichen build` refuses others. */
struct queue_rt {
    struct queue queue;
    struct event event; /* delivers messages to waiting receivers */
    uint8_t level;      /* of the interrupts that send; constant */
};

/* The longest queue: twice its length, less one, is an index. 32767 on ARMv6-M, 127 on AVR. */
#define QUEUE_LENGTH_MAX ((arch_index_t)-1 / 2)

/* Value of `senders` in a queue that interrupts fill: no thread waits to send into it. */
#define QUEUE_OF_INTERRUPTS ((struct syscall *)1)

/* Checks the length where a queue has no name yet. */
#define QUEUE_VALID_LENGTH(length)                                                                 \
    ((length) + 0 * sizeof(struct {                                                                \
                    _Static_assert((length) >= 1 && (length) <= QUEUE_LENGTH_MAX,                  \
                                   "the length of a queue is not 1 to 32767, or 1 to 127 on the "  \
                                   "ATmega128; write how many messages it has room for");          \
                    char nothing;                                                                  \
                }))

/* Initializer of a queue and its storage, which lives as long as the object that it initializes. */
#define QUEUE_OF(type, length_, senders_)                                                          \
    {                                                                                              \
        .senders = (senders_), .slots = (uint8_t *)(type[length_]){}, .slot_bytes = sizeof(type),  \
        .length = QUEUE_VALID_LENGTH(length_)                                                      \
    }
#define QUEUE_CHECK(name, length)                                                                  \
    _Static_assert((length) >= 1, "queue " #name " has no room; give it 1 or more");               \
    _Static_assert((length) <= QUEUE_LENGTH_MAX,                                                   \
                   "queue " #name " is too long; QUEUE_LENGTH_MAX messages are the most")

/* Declares a queue for `length` (1 to QUEUE_LENGTH_MAX) messages of a type. */
#define QUEUE(name, type, length)                                                                  \
    struct queue name OBJECT_PLACED(queue, name) = QUEUE_OF(type, length, 0);                      \
    QUEUE_CHECK(name, length)

/* Declares a queue into which interrupts of level `level_`, a constant, send. */
#define QUEUE_RT(name, type, length, level_)                                                       \
    struct queue_rt name EVENT_PLACED(queue_rt, name) = {                                          \
        .queue = QUEUE_OF(type, length, QUEUE_OF_INTERRUPTS),                                      \
        .event = {.run = queue_rt_deliver},                                                        \
        .level = (level_)};                                                                        \
    NOT_LOADED(QUEUE_RT, name);                                                                    \
    EVENT_COUNT_ONE;                                                                               \
    _Static_assert((level_) >= 0 && (level_) < ARCH_LEVELS,                                        \
                   "level of queue " #name " is none of the chip's");                              \
    QUEUE_CHECK(name, length)

/* A call that waits for room or for a message. */
struct queue_call {
    struct syscall syscall; /* its object is the queue */
    void *item;             /* what is sent, or room for what is received */
};

/* The part of sending that runs at the kernel level; the argument is the call above.
 * returns   0
 * context   event (in a call)
 * blocks    no
 */
int queue_send_service(void *queue_call);

/* The same for receiving.
 * returns   0
 * context   event (in a call)
 * blocks    no
 */
int queue_receive_service(void *queue_call);

/* Sends a message, waiting while the queue is full.
 * queue     not that of a QUEUE_RT, else asserts, here and below: only its interrupts send
 * message   copied before this returns
 * context   thread
 * blocks    yes
 */
void queue_send(struct queue *queue, const void *message);

/* The same, but waits until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0, or ERR_TIMEOUT: not sent
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int queue_send_until(struct queue *queue, const void *message,
                                              uint64_t deadline)
{
    struct queue_call call;
    call.syscall.object = queue;
    call.item = (void *)(uintptr_t)message;
    return syscall_run_until(queue_send_service, &call.syscall, deadline);
}

/* Sends a message if there is room.
 * returns   0, or ERR_FULL
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int queue_try_send(struct queue *queue, const void *message);

/* The part of queue_send_from before the post.
 * returns   false if the queue is full
 * context   rt (and drivers' interrupts, of the queue's level)
 * blocks    no
 */
bool queue_put_from(struct queue_rt *queue, const void *message, unsigned level);

/* Sends a message from an interrupt if there is room.
 * level     the level of the running handler, and of the queue, else asserts
 * returns   0, or ERR_FULL
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no
 */
MUST_CHECK static inline __attribute__((always_inline)) int
queue_send_from(struct queue_rt *queue, const void *message, unsigned level)
{
    if (!queue_put_from(queue, message, level)) {
        return ERR_FULL;
    }
    event_post_from(&queue->event, level);
    return 0;
}

/* Receives the oldest message, waiting while the queue is empty.
 * message   room for it
 * context   thread
 * blocks    yes
 */
void queue_receive(struct queue *queue, void *message);

/* The same, but waits until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int queue_receive_until(struct queue *queue, void *message,
                                                 uint64_t deadline)
{
    struct queue_call call;
    call.syscall.object = queue;
    call.item = message;
    return syscall_run_until(queue_receive_service, &call.syscall, deadline);
}

/* Receives the oldest message if there is one.
 * message   room for it, which may change even if there is none
 * returns   0, or ERR_EMPTY
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int queue_try_receive(struct queue *queue, void *message);

/* The number of messages in the queue.
 * returns   0 to its length; for a QUEUE_RT a lower bound
 * context   event, thread, coop
 * blocks    no
 */
unsigned queue_held(const struct queue *queue);

/* The handler of every QUEUE_RT's event.
 * context   event
 * blocks    no
 */
void queue_rt_deliver(struct event *event);

#endif
