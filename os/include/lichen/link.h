/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link: packets to and from the motes that are in reach of this one's radio.
 *
 *     LINK_RECEIVER(received, 4);
 *
 *     THREAD(talk, 512, PRIORITY_APP)
 *     {
 *         struct link_address all = link_short(LINK_ALL);
 *         struct link_info from;
 *         packet_t packet;
 *
 *         int error = link_open(0);
 *         ... error = packet_alloc(&packet, TEXT("talk"), LINK_HEADROOM, length); ...
 *         error = link_send(&all, packet, TIME_NEVER);
 *         ... error = link_receive(&received, &from, &packet, TIME_NEVER); ...
 *     }
 *
 * Programs are the same on each board that has a radio. On one of IEEE 802.15.4 (hamilton,
 * samr21-xpro, micaz) a packet is the payload of a data frame. On mica2 it is that of a frame of
 * TinyOS's active messages, which says less: there are no extended addresses, no security, no
 * coordinator, and PANs are 0 to 255. link_open and link_send refuse them with ERR_INVALID.
 * A program for a board without a radio does not link.
 *
 * On mica2 frames have no number, and an acknowledgment is a word on the air that names nobody. So
 * a packet that asks for one comes at least once: if its acknowledgment is lost it is sent again,
 * and a program that counts packets puts a number into them. Without an acknowledgment it comes at
 * most once. An acknowledgment says that a mote with this address has put a frame into its
 * receiver's queue, where TinyOS's says only that the frame has arrived; if two motes send at the
 * same time, one of them may take the other's for its own.
 *
 * Except on mica2, the work is done by events, at the kernel level. A program that writes
 * LINK_SECURED has two threads in their place, since the cipher takes long: `net_main` checks what
 * the radio receives and puts it into the queues of receivers; `net_tx`, which is less urgent,
 * makes frames of what is to be sent. So receiving preempts making, and both preempt applications.
 * LINK_THREADS declares them without security, and LINK_IN_TURN one thread for both, which serves
 * packets in the order of their arrival: for comparison.
 *
 * A received frame of any length takes 2,350 cycles from the driver's event to the receiver's
 * queue, at the kernel level. A frame to be sent takes 2,580 from am_begin to the radio, with 100
 * bytes 3,370. On AVR it is 2,780, 3,040 and 3,720 [test mote/link_cost]. The cipher and the driver
 * are not included.
 *
 * On mica2 all of that is done by events, of which none takes more than 600 cycles, and packets are
 * copied to and from frames, of which there are few (LINK_FRAMES): am_send and am_receive take no
 * packets, and a program that uses nothing else has no pool of them. The threads of LINK_THREADS
 * and LINK_IN_TURN end at once there. Before a frame, 1 to 32 bytes are waited for, and 1 to 16
 * after each look at a busy channel, as in TinyOS; after 65 looks the link gives up.
 *
 * The radio waits for a clear channel, acknowledges, and repeats frames that were not acknowledged.
 * What a radio cannot do, the link does. link_loss says how frames were lost, and how often.
 */
#ifndef LICHEN_LINK_H
#define LICHEN_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/loaded.h>
#include <lichen/link_security.h>
#include <lichen/packet.h>
#include <lichen/queue.h>
#include <lichen/syscall.h>
#include <lichen/thread.h>
#include <lichen/time.h>

/* -------- addresses */

/* Reserved short addresses. */
#define LINK_ALL      0xffffu /* all motes in reach. As own address: made of the serial number */
#define LINK_EXTENDED 0xfffeu /* the extended address counts: LINK_ALL_HEADERS */

/* The address of a mote. */
struct link_address {
    uint16_t short_address;
    uint8_t extended[LINK_EXTENDED_BYTES]; /* the most significant byte first; only if the short one
                                            * is LINK_EXTENDED */
};

/* A short address.
 * returns   the address
 * context   any
 * blocks    no
 */
static inline struct link_address link_short(uint16_t address)
{
    return (struct link_address){.short_address = address};
}

/* Whether two addresses are the same.
 * returns   true if they are
 * context   any
 * blocks    no
 */
bool link_same(const struct link_address *one, const struct link_address *other);

/* -------- starting */

enum link_flag {
    LINK_SLEEPS = 1 << 0, /* the radio sleeps except to send and to poll a parent: link_poll */
    LINK_RECEIVES_IN_BACKOFF = 1 << 1, /* receives while it backs off: the AT86RF233 does not do so
                                        * by itself, the other radios always do. For motes that
                                        * forward packets, or to which others send when they do */
    LINK_COORDINATOR = 1 << 2, /* it also receives frames without a destination, from its PAN; needs
                                * LINK_ALL_HEADERS */
    LINK_2015 = 1 << 3,        /* sends frames of 2015, and not of 2003 and 2006; needs it, too */
};

#define LINK_CHANNEL_USUAL 0u
#define LINK_PAN_USUAL     0x22u

/* A field that is left out is 0, the usual value of all but `pan` and `short_address`:
 *
 *     struct link_settings settings = {
 *         .pan = LINK_PAN_USUAL, .short_address = LINK_ALL, .flags = LINK_SLEEPS};
 */
struct link_settings {
    uint8_t channel; /* 11 to 26 at 2.4 GHz, LINK_CHANNEL_USUAL: 26; on mica2 1 to 3, 433.002,
                      * 434.845 and 914.077 MHz, LINK_CHANNEL_USUAL: 2 */
    int8_t dbm;      /* transmit power; the radio takes its next lower one */
    uint8_t flags;   /* enum link_flag */
    uint8_t level;   /* enum link_level of all frames that are sent. With LINK_SECURED another one
                      * than LINK_LEVEL_NONE; then received frames must be secured, too */
    uint16_t pan;    /* on mica2 the group, 0 to 255 */
    uint16_t short_address;   /* LINK_ALL: made of the serial number; LINK_EXTENDED: none, which
                               * needs LINK_ALL_HEADERS */
    uint8_t rate;             /* of the radio, as lichen/radio.h counts them; 0: the first one */
    struct link_key_name key; /* of secured frames that are sent */
};

/* Starts the link, or changes its settings. On a radio of IEEE 802.15.4 a mote is silent for the
 * first 200 ms after each start, and hears nothing, so that no neighbour takes its first frames for
 * repetitions of earlier ones: the call waits until then. A frame that is being sent may have been
 * built by the old settings and be sent by the new ones, and is then lost: wait for its end before.
 * settings  copied; 0: the usual channel and PAN, 0 dBm, an address made of the serial number, no
 *           security
 * returns   0, else nothing has changed; ERR_INVALID: the radio has no such channel or rate, its
 *           frames do not support the settings, the settings need LINK_ALL_HEADERS, or the level
 *           LINK_SECURED; ERR_EMPTY, ERR_CORRUPT, ERR_IO: there is no serial number to make an
 *           address of, or, with security, no counter could be reserved (counter_reserve)
 * context   thread
 * blocks    yes, until 200 ms after the start, and with security for storage
 */
MUST_CHECK int link_open(const struct link_settings *settings);

/* This mote's addresses, after link_open. The extended one is made of the serial number.
 * address   with both; the short one is LINK_EXTENDED if there is none. On mica2 the extended one
 *           is 0
 * context   event, thread, coop
 * blocks    no
 */
void link_own(struct link_address *address);

/* -------- what a program links */

/* Bytes of the threads' stacks, THREAD_STACK_MIN included. Most of the last two is the cipher's. */
#define LINK_MAIN_STACK         (ARCH_FLASH_IS_APART ? 232u : 312u)
#define LINK_TX_STACK           (ARCH_FLASH_IS_APART ? 240u : 352u)
#define LINK_IN_TURN_STACK      (ARCH_FLASH_IS_APART ? 240u : 376u)
#define LINK_MAIN_STACK_SECURED (ARCH_FLASH_IS_APART ? 336u : 568u)
#define LINK_TX_STACK_SECURED   (ARCH_FLASH_IS_APART ? 392u : 656u)

/* Declares two threads that check and make frames in place of events, in one file of the program.
 */
#define LINK_THREADS(main_bytes, tx_bytes)                                                         \
    NOT_LOADED(LINK_THREADS, );                                                                    \
    const ARCH_FLASH bool link_in_turn = false;                                                    \
    THREAD(net_main, main_bytes, PRIORITY_NET_MAIN)                                                \
    {                                                                                              \
        link_run_main();                                                                           \
    }                                                                                              \
    THREAD(net_tx, tx_bytes, PRIORITY_NET_TX)                                                      \
    {                                                                                              \
        link_run_tx();                                                                             \
    }                                                                                              \
    extern const ARCH_FLASH bool link_in_turn

/* Declares one thread for both, which serves packets in the order of their arrival. */
#define LINK_IN_TURN_WITH(bytes)                                                                   \
    NOT_LOADED(LINK_IN_TURN, );                                                                    \
    const ARCH_FLASH bool link_in_turn = true;                                                     \
    THREAD(net_main, bytes, PRIORITY_NET_MAIN)                                                     \
    {                                                                                              \
        link_run_in_turn();                                                                        \
    }                                                                                              \
    extern const ARCH_FLASH bool link_in_turn
#define LINK_IN_TURN LINK_IN_TURN_WITH(LINK_IN_TURN_STACK)

/* Declares the memory of frames on mica2, in one file of the program: without it, three of the
 * longest ones. Other boards take no memory for it.
 * count     at least 3: two are for receiving, so that a message can wait while the next one
 *           arrives, and each of the others for a message that am_begin has copied
 * bytes     the longest payload of a message, sent or received, 1 to 118; 28 in TinyOS
 */
#define LINK_FRAMES(count, bytes)                                                                  \
    _Static_assert((count) >= 3 && (count) <= 255, "the frames are 3 to 255");                     \
    _Static_assert((bytes) >= 1 && (bytes) <= 118, "a frame has a payload of 1 to 118 bytes");     \
    uint8_t link_frames[(count) * ((bytes) + LINK_FRAME_MORE)];                                    \
    bool link_frame_is_used[count];                                                                \
    const ARCH_FLASH uint8_t link_frame_count = (count);                                           \
    const ARCH_FLASH uint8_t link_frame_payload = (bytes);                                         \
    NOT_LOADED(LINK_FRAMES, )
#define LINK_FRAME(bytes) LINK_FRAMES(3, bytes)
#define LINK_FRAME_MORE   10 /* header, checksum, strength */
extern uint8_t link_frames[];
extern bool link_frame_is_used[];
extern const ARCH_FLASH uint8_t link_frame_count, link_frame_payload;

/* Reads and makes frames with all headers that IEEE 802.15.4 has, in a program that says so, or
 * LINK_SECURED. Otherwise only the usual one, which Lichen's and TinyOS's motes send unless they
 * are told to do something else: short addresses in one PAN, not secured, of 2003 or 2006. Then
 * frames with another one are lost, and counted ("another header"); the radio does not acknowledge
 * those to this mote's extended address; link_open refuses LINK_2015, LINK_COORDINATOR and a mote
 * without a short address, and link_send an extended one, with ERR_INVALID. It costs 3 KB of flash,
 * 5 KB on AVR. On mica2, whose frames have one header, nothing. */
#define LINK_ALL_HEADERS                                                                           \
    NOT_LOADED(LINK_ALL_HEADERS, );                                                                \
    DECLARATION_NEEDS(link_headers_parse)

/* Secures the link, in one file of the program: makes room for so many keys and devices of
 * `link_security` (lichen/link_security.h), links the cipher, and declares the threads.
 *
 * Counters of frames are reserved in storage (lichen/counter.h): by link_open, and by the link
 * whenever half a block of 4,096 is left and nothing is to be sent, or a quarter is left. Once a
 * block, the next frame may so wait for 9 ms on hamilton and 41 ms on micaz. If storage fails, this
 * is tried again every 64 frames. If it lasts, nothing is sent without a counter: sending fails
 * with ERR_FULL, counted as LINK_COUNTER_NONE, until storage works again.
 *
 * A receiver needs the extended address of the sender. Frames have it if their sender has no short
 * one (LINK_EXTENDED in its settings); otherwise the receiver's link_device_name gives it, and
 * frames of other senders are lost as LINK_DEVICE_UNKNOWN.
 *
 * On micaz a secured program needs a smaller pool of packets than the usual one, since the stacks
 * of the threads leave too little RAM: PACKET_POOL(3) or PACKET_POOL(4). */
#define LINK_SECURED(keys, devices)                                                                \
    LINK_SECURED_WITHOUT_THREADS(keys, devices);                                                   \
    LINK_THREADS(LINK_MAIN_STACK_SECURED, LINK_TX_STACK_SECURED)
#define LINK_SECURED_IN_TURN(keys, devices)                                                        \
    LINK_SECURED_WITHOUT_THREADS(keys, devices);                                                   \
    LINK_IN_TURN_WITH(LINK_TX_STACK_SECURED)
#define LINK_SECURED_WITHOUT_THREADS(keys, devices)                                                \
    LINK_SECURITY(link_security, keys, devices);                                                   \
    LINK_ALL_HEADERS;                                                                              \
    NOT_LOADED(LINK_SECURED, );                                                                    \
    DECLARATION_NEEDS(link_guard)

extern const ARCH_FLASH bool link_in_turn; /* which declaration the program has: one at most */
extern struct link_security link_security;

/* The body of the thread that receives; does not return.
 * context   thread
 * blocks    yes
 */
_Noreturn void link_run_main(void);

/* The body of the thread that sends; does not return.
 * context   thread
 * blocks    yes
 */
_Noreturn void link_run_tx(void);

/* The body of one thread for both; does not return.
 * context   thread
 * blocks    yes
 */
_Noreturn void link_run_in_turn(void);

/* -------- sending */

/* Headroom that a packet should have for the headers of the link. With less, sending moves its
 * bytes. */
#define LINK_HEADROOM 24u

enum link_transfer_flag {
    LINK_UNACKNOWLEDGED = 1 << 0, /* asks for no acknowledgment, and is sent once; so are all
                                   * packets to LINK_ALL */
};

/* Sending a packet while other work runs. Storage is the caller's. */
struct link_transfer {
    struct event *ended; /* posted at its end; 0: none */
    struct link_address destination;
    packet_t packet;      /* the link's from link_begin on */
    uint8_t flags;        /* enum link_transfer_flag */
    volatile bool active; /* from its start to its end */
    /* Its outcome. */
    uint8_t result; /* as link_send, or ERR_CANCELLED */
    uint8_t sent;   /* how often it was on the air, 0 to 255 */
    bool pending;   /* its receiver has packets for this mote */
    /* The link's own. */
    uint8_t kind;
    uint8_t seconds_left;
    uint8_t polls; /* of a child that were answered by it, and not acknowledged */
    uint8_t sequence;
    bool is_frame; /* the packet is, with that number */
    bool is_polled;
    struct syscall *call;
    struct link_transfer *next;
};

/* What link_send calls, with a deadline.
 * returns   as link_send
 * context   thread
 * blocks    yes
 */
MUST_CHECK int link_send_until(const struct link_address *destination, packet_t packet,
                               uint64_t deadline);

/* What it calls without one, which takes less flash and time.
 * returns   as link_send
 * context   thread
 * blocks    yes
 */
MUST_CHECK int link_send_unlimited(const struct link_address *destination, packet_t packet);

/* Sends a packet, and waits until it has been sent and acknowledged.
 * packet    the link's from now on, whatever the result. An empty one to a single mote says that
 *           nothing waits for it, and reaches no receiver
 * deadline  microseconds of the system clock. If it passes after the frame was built, the receiver
 *           may get the packet nevertheless
 * returns   0; ERR_NO_ACK: no acknowledgment came, though the receiver may have the packet;
 *           ERR_CHANNEL: the channel was never clear;
 *           ERR_TIMEOUT: the deadline passed, or the receiver is a child that did not ask for it;
 *           ERR_FULL: no memory for the header, no key or counter to secure it with, or too long
 *           with its headers; ERR_INVALID: too long for any frame, an extended address in frames
 *           that have none, or the link is not open; ERR_IO: the radio failed
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int link_send(const struct link_address *destination, packet_t packet,
                                       uint64_t deadline)
{
    return deadline == TIME_NEVER ? link_send_unlimited(destination, packet)
                                  : link_send_until(destination, packet, deadline);
}

/* Queues a packet to be sent after all earlier ones.
 * transfer  the caller fills in its first four fields; the others are 0 before its first use, as in
 *           a `static` one
 * returns   0: it will end, not within this call, and post its event; ERR_BUSY: it has been
 *           begun and has not ended; ERR_INVALID: it is too long, its frame cannot have the
 *           address, or the link is not open. After an error the packet is the caller's
 * context   event, thread, coop
 * blocks    no       cost  O(n) transfers
 * owns      the transfer belongs to the link until it has ended
 */
MUST_CHECK int link_begin(struct link_transfer *transfer);

/* Cancels a transfer that has not been sent.
 * returns   0: its event is posted, with ERR_CANCELLED; ERR_BUSY: it is being sent, and ends soon;
 *           ERR_EMPTY: it is not active
 * context   event, thread, coop
 * blocks    no
 */
int link_cancel(struct link_transfer *transfer);

/* -------- receiving */

/* A queue of received packets, and the event to post. Made by LINK_RECEIVER. */
struct link_receiver {
    struct queue queue; /* of packet_t */
    struct event *event;
};

/* What a receiver takes. The linker lists them (os/kernel/flash.ld). */
struct link_taker {
    struct link_receiver *receiver;
    uint8_t what; /* enum link_taken */
    uint8_t type; /* type of active message */
};

enum link_taken {
    LINK_TAKES_ALL = 1,      /* packets that no other receiver takes */
    LINK_TAKES_MESSAGES = 2, /* active messages of types that no other receiver takes */
    LINK_TAKES_TYPE = 3,     /* active messages of one type */
};

#define LINK_RECEIVER_OF(name, length, event_, what_, type_)                                       \
    struct link_receiver name OBJECT_PLACED(receiver, name) = {                                    \
        .queue = QUEUE_OF(packet_t, length, 0), .event = (event_)};                                \
    static const struct link_taker name##_taker                                                    \
        __attribute__((section(".lichen.link." #name), used)) = {                                  \
            .receiver = &name, .what = what_, .type = type_};                                      \
    DECLARATION_NEEDS(link_incoming);                                                              \
    DECLARATION_NEEDS(byte_link_received)

/* Declares a receiver of packets that no other receiver takes. Packets that do not fit are dropped
 * and counted. */
#define LINK_RECEIVER(name, length) LINK_RECEIVER_OF(name, length, 0, LINK_TAKES_ALL, 0)

/* The same, and posts an event when packets have come. Its handler calls link_try_receive until
 * that returns ERR_EMPTY. */
#define LINK_RECEIVER_EVENT(name, length, event)                                                   \
    LINK_RECEIVER_OF(name, length, &(event), LINK_TAKES_ALL, 0)

/* What is known about a received packet, besides its attributes. */
struct link_info {
    struct link_address source;
    uint8_t type;    /* type of an active message */
    bool to_all;     /* it was sent to LINK_ALL */
    bool is_secured; /* it is authentic and no replay */
};

/* Waits for a packet.
 * info      its sender
 * packet    the caller's from now on. Its attributes hold its strength, quality and channel;
 *           packet_time_us tells when it arrived
 * deadline  microseconds of the system clock
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int link_receive(struct link_receiver *receiver, struct link_info *info,
                            packet_t *packet, uint64_t deadline);

/* Takes a packet that has been received.
 * returns   0, or ERR_EMPTY
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int link_try_receive(struct link_receiver *receiver, struct link_info *info,
                                packet_t *packet);

/* -------- sleepy children and their parents
 *
 * On hamilton and samr21-xpro, the acknowledgment of a child's request says whether a packet
 * waits. The radios of micaz and mica2 cannot say that: there a child listens until its parent has
 * sent a packet, or an empty one, for at most 20 ms on micaz and 254 ms on mica2, there even if the
 * request was not acknowledged. So a micaz cannot be the parent of a child on hamilton or
 * samr21-xpro, but these can be parents of a micaz. On mica2 a packet that the child has not
 * acknowledged waits again, before the others; and a child asks again after each packet, since a
 * frame does not say that another one waits.
 */

/* Sets whether a mote is this one's child, whose radio sleeps: packets for it wait until it asks
 * for them, and are sent in their order, one for each request. One that is not acknowledged is sent
 * again at the next request, before the others, and ends with ERR_TIMEOUT after LINK_CHILD_POLLS of
 * them, or LINK_CHILD_S. Then the child may have it nevertheless, but not twice: it keeps its
 * number, by which a child knows it (frames of mica2 have none). Packets that wait when a mote
 * stops being a child are sent.
 * returns   0; ERR_FULL: there are LINK_NEIGHBOURS children already; ERR_INVALID: it is LINK_ALL
 * context   event, thread, coop
 * blocks    no       cost  O(n) neighbours, and packets that wait
 */
MUST_CHECK int link_child(const struct link_address *address, bool is_child);

/* How long a packet waits for a child, seconds, and to how many requests it is the answer. */
#define LINK_CHILD_S     30u
#define LINK_CHILD_POLLS 4u

/* Asks a parent for packets, now and after each period, and receives them: after a packet behind
 * which more wait, it asks again at once. A period that ends while it listens for an answer brings
 * the next request after that. For a link with LINK_SLEEPS.
 * period_ms 0: stops
 * returns   0, or ERR_INVALID: the link is not open, its frames cannot have the address, or it is
 *           LINK_ALL
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int link_poll(const struct link_address *parent, uint32_t period_ms);

/* Which mote link_poll asks.
 * returns   0, or ERR_EMPTY: none
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int link_parent(struct link_address *parent);

/* Has the radio of a child listen between polls, too, such as for what others broadcast, or not any
 * more. Without effect on a link that does not sleep.
 * context   event, thread, coop
 * blocks    no
 */
void link_stay_awake(bool is_awake);

/* -------- neighbours */

/* The expected transmissions (ETX) of a packet until it is acknowledged are in units of 1/128. */
#define LINK_ETX_ONE 128u

/* A mote from which something was received, or to which something was sent. */
struct link_neighbour {
    struct link_address address;
    uint16_t etx;   /* average over the last transfers; 0: nothing was sent to it */
    uint16_t heard; /* time of the last received frame, in units of 2^20 us of the system clock */
    int8_t dbm;     /* strength of that frame */
    uint8_t lqi;    /* quality of that frame */
    bool was_heard; /* a frame was received: the three fields above are valid */
    bool is_child;
    bool is_used; /* the link's own */
};

/* Declares the table of neighbours, in one file of the program; without it, there are 8. A new
 * neighbour replaces the one that was received longest ago and is no child. */
#define LINK_NEIGHBOURS(count)                                                                     \
    _Static_assert((count) >= 1 && (count) <= 255, "the neighbours are 1 to 255");                 \
    struct link_neighbour link_neighbours[count];                                                  \
    const ARCH_FLASH uint8_t link_neighbour_count = (count);                                       \
    NOT_LOADED(LINK_NEIGHBOURS, )
extern struct link_neighbour link_neighbours[];
extern const ARCH_FLASH uint8_t link_neighbour_count;

/* Reads the neighbours one by one.
 * index     from 0 on
 * returns   0, or ERR_EMPTY after the last one
 * context   event, thread, coop
 * blocks    no       cost  O(n) neighbours
 */
MUST_CHECK int link_neighbour(unsigned index, struct link_neighbour *neighbour);

/* -------- what was lost, and why */

/* A reason for which frames are lost, and its count. */
struct link_loss {
    const char *name; /* text: lichen/print.h */
    const char *part; /* the part that counts it, text: "link", "frame", "security" or "radio" */
    uint16_t count;   /* stops at its largest value */
};

/* Lists the reasons, those of the codec of frames, of security and of the radio included:
 *
 *     struct link_loss loss;
 *     for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
 *         print("%s: %s %u\n", loss.part, loss.name, loss.count);
 *     }
 *
 * returns   0, or ERR_EMPTY after the last one
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int link_loss(unsigned index, struct link_loss *loss);

/* Counts of packets. Each stops at its largest value. */
struct link_counters {
    uint16_t sent;      /* sent, and acknowledged if that was requested */
    uint16_t received;  /* taken by a receiver */
    uint16_t untracked; /* packets that came while more motes were heard within 172 ms than the 16
                         * that the link remembers: repetitions may be among them */
};

/* Reads them.
 * context   event, thread, coop
 * blocks    no
 */
void link_count(struct link_counters *counters);

#endif
