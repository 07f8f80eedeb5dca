/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Dissemination: an object, such as the container of a program, goes from the mote that has it to
 * every mote of the network, over any number of hops.
 *
 *     EVENT(arrived) { semaphore_post(&to_install); }
 *     DISSEMINATION(PRIORITY_LOW, arrived);
 *
 * makes a program take part once it has opened the link (lichen/link.h). It keeps what arrives in
 * flash, passes on what it has, and posts the event when an object is complete: after its last
 * bytes, and after each start of a mote that has a complete one, until dissemination_done. The mote
 * from which an object comes calls
 *
 *     int error = dissemination_begin(number, length);
 *     while (error == 0 && there is more) {
 *         error = dissemination_feed(bytes, count);
 *     }
 *     if (error == 0) {
 *         error = dissemination_end();
 *     }
 *
 * and whoever installs it
 *
 *     if (dissemination_look(&object) == 0 && object.complete) {
 *         ... error = dissemination_read(&object, offset, bytes, count); ...
 *         dissemination_refuse(&object);                 if it is not genuine
 *     }
 *
 * A mote keeps one object. One with a higher number takes its place, as soon as a neighbour has a
 * part of it; of two with the same number, the one with the higher CRC does, so a network agrees.
 * What is complete has the CRC that was announced. That is against noise: anybody who can send can
 * announce an object and occupy the network with it, so whoever installs it checks a signature.
 * Frames are secured if the link is (LINK_SECURED).
 *
 * Neighbours that have the same say so less and less often, after a while each four minutes and a
 * half (Trickle, RFC 6206). Parts are broadcast, so that all neighbours take them. A mote whose
 * power is cut goes on with what it has. How it works: doc/design/dissemination.md.
 *
 * The radio must listen. Leaves with LINK_SLEEPS take part with DISSEMINATION_LEAF, through the
 * parent that they poll (link_poll), which declares DISSEMINATION_PARENT. A leaf asks it soon after
 * its start, and then less and less often, after five minutes each 18 minutes, whether it has
 * something else, and stays awake until it has that. What a leaf is given by dissemination_begin
 * stays there.
 *
 * An object is a multiple of nothing, and at most the chip's staging area less a page. Each page of
 * it is erased once for an object. The thread writes to flash after each part it takes, for which
 * it holds the processor, 4.1 ms on the ATmega128 and 8 ms on the SAM R21, and as long again for
 * every third.
 */
#ifndef LICHEN_DISSEMINATION_H
#define LICHEN_DISSEMINATION_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/am.h>
#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/mutex.h>
#include <lichen/thread.h>

enum dissemination_limit {
    DISSEMINATION_TYPE = 0xd1, /* of its active messages */
    DISSEMINATION_PART = 100,  /* bytes of an object in a frame */
    DISSEMINATION_FRAME = DISSEMINATION_PART + 4,
};

/* Bytes of the thread's stack, which DISSEMINATION declares, and those that DISSEMINATION_WITH is
 * given in a program with DISSEMINATION_PARENT. */
#define DISSEMINATION_STACK        (ARCH_FLASH_IS_APART ? 384u : 480u)
#define DISSEMINATION_STACK_PARENT (ARCH_FLASH_IS_APART ? 384u : 488u)

/* Lets a thread of the program do the work, which calls dissemination_step.
 * arrived   an EVENT, posted when an object is complete
 * came      an EVENT, posted when a frame has come
 */
#define DISSEMINATION_WITHOUT_THREAD(arrived, came)                                                \
    AM_RECEIVER_EVENT(dissemination_messages, DISSEMINATION_TYPE, 3, came);                        \
    struct event *const dissemination_arrived = &(arrived)

/* Makes a program take part, once in a program.
 * urgency   the priority of its thread
 * arrived   an EVENT, posted when an object is complete
 */
#define DISSEMINATION(urgency, arrived) DISSEMINATION_WITH(DISSEMINATION_STACK, urgency, arrived)
#define DISSEMINATION_WITH(stack, urgency, arrived)                                                \
    AM_RECEIVER(dissemination_messages, DISSEMINATION_TYPE, 3);                                    \
    struct event *const dissemination_arrived = &(arrived);                                        \
    THREAD(dissemination, stack, urgency)                                                          \
    {                                                                                              \
        dissemination_run();                                                                       \
    }                                                                                              \
    _Static_assert(1, "")

/* In a program of leaves, whose links sleep and poll a parent: they take part, too. While a mote
 * polls nobody, it is like one without this. */
#define DISSEMINATION_LEAF DECLARATION_NEEDS(dissemination_announce_of_leaf)

/* In a program of parents of such leaves: they are told of an object when they ask. */
#define DISSEMINATION_PARENT DECLARATION_NEEDS(dissemination_handle_of_parent)

/* What a mote has of an object. */
struct dissemination_object {
    uint32_t crc;    /* CRC-32 of all its bytes, as in IEEE 802.3 */
    uint16_t number; /* 0: there is none */
    uint16_t length; /* bytes */
    uint16_t have;   /* bytes without a gap, from the first one on */
    bool complete;   /* and of that CRC */
    bool done;       /* dissemination_done was called, maybe before the last start */
};

/* Begins to put an object into the mote, in place of the one that it has.
 * number    higher than that of any object that the network has; 0: one more than the highest that
 *           this mote has had since its start
 * returns   0; ERR_INVALID: it is empty or too long; ERR_IO: flash failed
 * context   thread
 * blocks    yes, for its turn and a page of flash
 */
MUST_CHECK int dissemination_begin(uint16_t number, uint16_t length);

/* Takes the next bytes.
 * count     even, except for the last bytes
 * returns   0; ERR_INVALID: more than its length, or not begun; ERR_IO: flash failed
 * context   thread
 * blocks    yes, for its turn and flash
 */
MUST_CHECK int dissemination_feed(const void *bytes, uint16_t count);

/* Makes known that the object is here, if it is whole. Does not post the event.
 * returns   0; ERR_INVALID: bytes are missing; ERR_IO: flash failed
 * context   thread
 * blocks    yes, for its turn and a page of flash
 */
MUST_CHECK int dissemination_end(void);

/* Tells what the mote has.
 * returns   0; ERR_EMPTY: nothing; ERR_BUSY: between dissemination_begin and _end
 * context   thread
 * blocks    yes, for its turn
 */
MUST_CHECK int dissemination_look(struct dissemination_object *object);

/* Reads bytes of a complete object.
 * object    of dissemination_look
 * offset    even
 * returns   0; ERR_EMPTY: that is no longer the mote's object; ERR_INVALID: beyond its end
 * context   thread
 * blocks    yes, for its turn
 */
MUST_CHECK int dissemination_read(const struct dissemination_object *object, uint16_t offset,
                                  void *bytes, uint16_t count);

/* Remembers that nothing more is to be done with an object: after the next starts the event is not
 * posted for it.
 * object    of dissemination_look; without effect if it is no longer the mote's
 * context   thread
 * blocks    yes, for its turn and flash, 4.1 ms on the ATmega128 and 2.5 ms on the SAM R21
 */
void dissemination_done(const struct dissemination_object *object);

/* Forgets an object that is not genuine, and does not take it again until the next start.
 * object    of dissemination_look; without effect if it is no longer the mote's
 * context   thread
 * blocks    yes, for its turn and a page of flash
 */
void dissemination_refuse(const struct dissemination_object *object);

/* Takes the frames that have come, and does what is due.
 * returns   when it is to be called again at the latest, microseconds of the system clock; before
 *           that when a frame has come
 * context   thread
 * blocks    yes, for its turn, flash and to send
 */
uint64_t dissemination_step(void);

/* The body of the thread that DISSEMINATION declares.
 * context   thread
 * blocks    yes
 */
_Noreturn void dissemination_run(void);

/* What the declarations make. */
extern struct link_receiver dissemination_messages;
extern struct event *const dissemination_arrived;

#endif
