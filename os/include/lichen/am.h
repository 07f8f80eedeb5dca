/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Active messages (von Eicken et al.): messages with a type, a byte, that selects their receiver.
 * They go over the link, so a program is the same on each board that has a radio. On the air they
 * are those of TinyOS on the same board.
 *
 *     AM_RECEIVER(counts, COUNT, 4);
 *
 *     THREAD(counter, 384, PRIORITY_APP)
 *     {
 *         uint8_t payload[2];
 *         struct am_message message;
 *
 *         int error = link_open(0);
 *         ... error = am_send(AM_ALL, COUNT, payload, sizeof(payload)); ...
 *         error = am_receive(&counts, &message, payload, sizeof(payload), TIME_NEVER);
 *     }
 *
 * In an event: am_begin, and am_try_receive in the handler of an AM_RECEIVER_EVENT. Numbers in
 * messages are sent with the most significant byte first, by convention.
 */
#ifndef LICHEN_AM_H
#define LICHEN_AM_H

#include <lichen/link.h>

#define AM_ALL LINK_ALL

/* On mica2, the link uses the types 0xfe and 0xff itself. Messages of these types are sent, too,
 * two bytes longer, but a mote with TinyOS does not understand them. */

/* The longest payload of TinyOS, unless its program sets another. A frame has room for 114 bytes,
 * fewer if it is secured or has an extended address, and 118 on mica2. */
#define AM_PAYLOAD_USUAL 28u

/* Declares a receiver of messages of a type, with a queue for `length` of them. Of two receivers of
 * one type, only one gets them. */
#define AM_RECEIVER(name, type, length) LINK_RECEIVER_OF(name, length, 0, LINK_TAKES_TYPE, type)

/* The same, and posts an event when messages have come. */
#define AM_RECEIVER_EVENT(name, type, length, event)                                               \
    LINK_RECEIVER_OF(name, length, &(event), LINK_TAKES_TYPE, type)

/* Declares a receiver of messages of all types that no other receiver takes. */
#define AM_RECEIVER_ALL(name, length) LINK_RECEIVER_OF(name, length, 0, LINK_TAKES_MESSAGES, 0)

/* What is known about a received message, besides its payload. */
struct am_message {
    uint16_t source; /* LINK_EXTENDED: only its extended address is known */
    uint8_t type;
    uint8_t length; /* of the whole payload, even if the buffer was smaller */
    int8_t dbm;     /* signal strength */
    uint8_t lqi;    /* signal quality, 0 to 255 */
    bool to_all;
};

/* Sends a message, and waits until it has been sent. A single destination acknowledges it. On mica2
 * it leaves from the caller's memory, which stays as it is while this waits; a message of a thread
 * that is ended meanwhile, or whose deadline passes, is cut off, and nobody receives it.
 * returns   as link_send
 * context   thread
 * blocks    yes
 */
MUST_CHECK int am_send(uint16_t destination, uint8_t type, const void *payload, uint8_t length);

/* The same, until the deadline at most.
 * deadline  microseconds of the system clock
 * returns   as link_send
 * context   thread
 * blocks    yes
 */
MUST_CHECK int am_send_until(uint16_t destination, uint8_t type, const void *payload,
                             uint8_t length, uint64_t deadline);

/* Sends a message while other work runs.
 * transfer  the caller fills in `ended` and `flags`; the rest is 0 before its first use, as in a
 *           `static` one
 * returns   as link_begin; also ERR_FULL: there is no memory for it (on mica2: LINK_FRAMES)
 * context   event, thread, coop
 * blocks    no
 * owns      the transfer belongs to the link until it has ended; the payload is copied
 */
MUST_CHECK int am_begin(struct link_transfer *transfer, uint16_t destination, uint8_t type,
                        const void *payload, uint8_t length);

/* Waits for a message.
 * payload   receives at most `size` bytes of it
 * deadline  microseconds of the system clock
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int am_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
                          uint8_t size, uint64_t deadline);

/* Takes a message that has been received.
 * returns   0, or ERR_EMPTY
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int am_try_receive(struct link_receiver *receiver, struct am_message *message,
                              void *payload, uint8_t size);

#endif
