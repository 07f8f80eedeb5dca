/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packet buffers: packets of any length in blocks of one pool, passed on by an identifier of a
 * byte.
 *
 *     packet_t packet;
 *     int error = packet_alloc(&packet, TEXT("app"), 40, 0);
 *     if (error == 0) {
 *         error = packet_append(packet, "hello", 5);
 *         ... error = packet_prepend(packet, &header, sizeof(header)); ...
 *         queue_send(&to_send, &packet);
 *     }
 *
 * Passing on the identifier passes on the packet, without a copy. A layer that needs a packet
 * twice, to send it again or for two receivers, takes another reference with packet_ref. Each
 * reference is released once, by packet_free. A packet with several references must not be changed;
 * packet_unshare makes a copy that may be.
 *
 * A block holds a whole frame: the longest one of IEEE 802.15.4, of 127 bytes, what the radio puts
 * behind it, and a head with its owner and its attributes. So a frame that was received, or is to
 * be sent, is one block, which the radio's driver moves at once. A packet may have headroom in
 * front of its bytes. Longer packets, such as datagrams of IPv6, are chains of blocks. All calls
 * work across blocks; a program that has chains says so, in one of its files:
 *
 *     PACKET_CHAINS;
 *
 * A program that allocates a packet has a pool of 8 blocks, 1.2 KB (6 on the ATmega128, 0.9 KB),
 * or declares its own, in one of its files; PACKET_POOL_OF also says how long frames are:
 *
 *     PACKET_POOL(12);
 *
 * Two blocks are reserved for packet_alloc_receive: a mote that lacks blocks for sending still
 * receives. Interrupts cannot allocate: a driver whose interrupts need a packet at once keeps some
 * ready (PACKET_SPARES), which they may read and write.
 *
 * Nothing masks interrupts. The free blocks and the reference counts, which all packets share, are
 * changed at the kernel level only; everything else is changed by the owner of the packet.
 *
 * Misuse asserts: an identifier of no packet, for example of a freed one; an offset or a length
 * beyond the packet's end; a change of a packet that has several references. Freed blocks are
 * reused last, so a stale identifier is detected until its block begins another packet.
 *
 * A debugger finds `packet_blocks`, `packet_references` and `packet_block_count`, and in
 * `packet_pool` the rest: block n, a struct packet_block, is n - 1 times packet_block_bytes behind
 * packet_blocks, and begins a packet if its byte
 * packet_references[n - 1] is neither 0 (free) nor PACKET_CONTINUES. packet_look() does the same in
 * the program: the owners of the packets that are left name a leak.
 */
#ifndef LICHEN_PACKET_H
#define LICHEN_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/loaded.h>

/* A packet: the number of its first block, from 1 on. */
typedef uint8_t packet_t;
#define PACKET_NONE ((packet_t)0)

/* What belongs to a packet besides its bytes. A driver fills them in for a received packet, and
 * follows them for one to be sent; allocation sets all to 0. */
struct packet_attributes {
    uint16_t source; /* short address of who sent it; the link's */
    uint8_t type;    /* type of the message; the link's */
    uint8_t flags;   /* of the layer that owns the packet */
    int8_t dbm;      /* signal strength (RSSI), or transmit power, in dBm */
    uint8_t lqi;     /* signal quality (LQI), 0 to 255 */
    uint8_t channel; /* channel it was received on, or is to be sent on */
};

/* A block. The packet's bytes are at offsets `begin` to `end` of it. */
struct packet_block {
    packet_t next; /* next block of the packet, or next free block; PACKET_NONE: the last one */
    uint8_t begin; /* not valid in a free block */
    uint8_t end;   /* not valid in a free block */
    /* Valid in the first block of a packet. */
    const char *owner; /* text as of TEXT (lichen/print.h) */
    struct packet_attributes attributes;
    uint8_t bytes[];
};

/* The longest frame of IEEE 802.15.4, and what a radio puts behind a received one. */
#define PACKET_FRAME_BYTES   127u
#define PACKET_TRAILER_BYTES 3u

/* Bytes of a block for frames of so many bytes, and how many of them a packet can have. */
#define PACKET_BLOCK_BYTES(frame)                                                                  \
    ((offsetof(struct packet_block, bytes) + (frame) + PACKET_TRAILER_BYTES +                      \
      _Alignof(struct packet_block) - 1u) /                                                        \
     _Alignof(struct packet_block) * _Alignof(struct packet_block))
#define PACKET_BLOCK_ROOM                                                                          \
    (PACKET_BLOCK_BYTES(PACKET_FRAME_BYTES) - offsetof(struct packet_block, bytes))

/* Values of packet_references[], besides counts. */
enum packet_reference {
    PACKET_FREE = 0,             /* a free block */
    PACKET_REFERENCES_MAX = 254, /* 1 to this: the first block of a packet, its references */
    PACKET_CONTINUES = 255,      /* a further block of a packet */
};

/* Why blocks are requested. */
enum packet_purpose {
    PACKET_TO_SEND,    /* packet_alloc */
    PACKET_TO_RECEIVE, /* packet_alloc_receive and packet_spares_fill */
    PACKET_TO_CHANGE,  /* packet_prepend, _append, _split and _unshare */
    PACKET_PURPOSES,
};

/* The state of the pool; written at the kernel level only. Blocks that were never used come first,
 * then free ones in the order in which they were freed. */
struct packet_pool {
    packet_t first_free;
    packet_t last_free;
    uint8_t touched;                   /* blocks 1 to this have been used */
    uint8_t used;                      /* blocks in use now */
    uint8_t most_used;                 /* most blocks in use so far */
    uint16_t refused[PACKET_PURPOSES]; /* refused allocations; each stops at its largest value */
};

extern struct packet_pool packet_pool;
extern uint8_t packet_blocks[];
extern uint8_t packet_references[];
extern uint64_t packet_times[]; /* only in a program that calls packet_time_us */
extern const ARCH_FLASH uint8_t packet_block_count;
extern const ARCH_FLASH uint8_t packet_block_bytes;

/* How many blocks only reception may use, and how many a program has that declares none. */
#define PACKET_RESERVED_BLOCKS 2u
#define PACKET_USUAL_BLOCKS    (sizeof(void *) > 2 ? 8u : 6u)

/* Declares the pool, in one file of the program.
 * blocks    3 to 255: each holds a frame
 */
#define PACKET_POOL(blocks) PACKET_POOL_OF(blocks, PACKET_FRAME_BYTES)

/* The same for a program whose frames are short. Longer ones that come are dropped, and counted by
 * the radio (no_packet).
 * frame     bytes of the longest frame, with its header and its checksum: 16 to 127
 */
#define PACKET_POOL_OF(blocks, frame)                                                              \
    _Static_assert((blocks) > PACKET_RESERVED_BLOCKS && (blocks) <= 255,                           \
                   "the pool has at least 3 blocks, and at most 255");                             \
    _Static_assert((frame) >= 16 && (frame) <= PACKET_FRAME_BYTES, "frames have 16 to 127 bytes"); \
    _Alignas(struct packet_block) uint8_t packet_blocks[(blocks)*PACKET_BLOCK_BYTES(frame)];       \
    uint8_t packet_references[blocks];                                                             \
    uint64_t packet_times[blocks];                                                                 \
    const ARCH_FLASH uint8_t packet_block_count = (blocks);                                        \
    const ARCH_FLASH uint8_t packet_block_bytes = PACKET_BLOCK_BYTES(frame);                       \
    NOT_LOADED(PACKET_POOL, )

/* Declares that packets may be longer than a block; packet_split and packet_join do it, too. Else
 * what would make one longer is ERR_FULL. */
#define PACKET_CHAINS                                                                              \
    NOT_LOADED(PACKET_CHAINS, );                                                                   \
    DECLARATION_NEEDS(packet_chain_take)

/* -------- allocating and freeing */

/* Allocates a packet, whose bytes have any values and whose attributes are 0.
 * packet    the packet, with one reference
 * owner     a layer's name, a text as of TEXT: it is not copied
 * headroom  bytes of room in front of it; fewer if the packet fits into a block, but not with so
 *           many
 * length    in bytes
 * returns   0, or ERR_FULL: there are not enough blocks besides those reserved for reception
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks; 342 cycles for ten bytes and 355 for a frame of
 *           127, 413 and 433 on AVR [test mote/packet_cost]
 */
MUST_CHECK int packet_alloc(packet_t *packet, const char *owner, uint16_t headroom,
                            uint16_t length);

/* The same for a frame that is received: one block, which may be of those reserved for reception.
 * returns   0, or ERR_FULL: there is none, or it is too small
 * context   event, thread, coop
 * blocks    no       cost  as packet_alloc
 */
MUST_CHECK int packet_alloc_receive(packet_t *packet, const char *owner, uint16_t length);

/* Takes another reference to a packet, of at most PACKET_REFERENCES_MAX.
 * context   event, thread, coop
 * blocks    no
 */
void packet_ref(packet_t packet);

/* Releases a reference; the last one frees the blocks.
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks; 265 cycles for a frame, 269 on AVR [test
 *           mote/packet_cost]
 */
void packet_free(packet_t packet);

/* Makes a packet the caller's alone and, if it fits into a block, one block. If there are other
 * references, or it is in several blocks, a copy with the same headroom replaces it, and the
 * reference to the original is released.
 * packet    in: the packet; out: the packet or its copy
 * returns   0, or ERR_FULL: it is as before
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks, O(n) bytes if it is copied
 */
MUST_CHECK int packet_unshare(packet_t *packet);

/* Sets the owner, when a layer takes a packet over.
 * context   any; the caller has the packet
 * blocks    no
 */
void packet_own(packet_t packet, const char *owner);

/* The attributes of a packet.
 * returns   the packet's, which may be changed while there is one reference
 * context   any; the caller has the packet
 * blocks    no
 */
struct packet_attributes *packet_attributes(packet_t packet);

/* When a frame that the radio received or sent was on the air: the end of its SFD. Frames are
 * stamped in a program that calls this, for 8 bytes of RAM for each block of the pool, 2 KB of
 * flash, and on the ATmega128 1,300 cycles for each frame.
 * returns   microseconds of the system clock; 0: it was not on the air, or that is not known. A
 *           packet of the link has no time on mica2, one of lichen/radio.h has
 * context   any; the caller has the packet
 * blocks    no
 */
uint64_t packet_time_us(packet_t packet);

/* The length of a packet.
 * returns   bytes
 * context   any; the caller has the packet
 * blocks    no
 */
uint16_t packet_length(packet_t packet);

/* -------- changing its length: only one reference, else asserts */

/* Puts bytes in front of a packet: in its room, in that behind it if it is one block, whose bytes
 * are moved then, or in further blocks.
 * bytes     0: the new bytes have any values
 * returns   0, or ERR_FULL: there are not enough blocks, and the packet is as before
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks, O(n) bytes; 343 cycles for 11 bytes in its room, 425 on AVR
 *           [test mote/packet_cost]
 */
MUST_CHECK int packet_prepend(packet_t packet, const void *bytes, uint16_t length);

/* Puts bytes behind a packet, as packet_prepend.
 * bytes     0: the new bytes have any values
 * returns   0, or ERR_FULL: there are not enough blocks, and the packet is as before
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks, O(n) bytes; 398 cycles for 11 bytes, 496 on AVR [test
 *           mote/packet_cost]
 */
MUST_CHECK int packet_append(packet_t packet, const void *bytes, uint16_t length);

/* Removes bytes from a packet's front. Blocks that become empty are freed.
 * length    at most the packet's, else asserts
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks; 89 cycles for a frame, 113 on AVR [test
 *           mote/packet_cost]
 */
void packet_trim_front(packet_t packet, uint16_t length);

/* Removes bytes from a packet's end. Blocks that become empty are freed.
 * length    at most the packet's, else asserts
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks
 */
void packet_trim_back(packet_t packet, uint16_t length);

/* Splits a packet in two. The second one has the same owner and attributes; at most a block is
 * copied.
 * offset    of the first byte of the second packet, at most the length, else asserts
 * rest      the second packet, with one reference
 * returns   0, or ERR_FULL: there are not enough blocks, and the packet is as before
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks
 */
MUST_CHECK int packet_split(packet_t packet, uint16_t offset, packet_t *rest);

/* Joins two packets to one. Nothing is copied.
 * packet    becomes longer by the other one
 * behind    which is no packet any more; its attributes are lost
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks
 */
void packet_join(packet_t packet, packet_t behind);

/* -------- its bytes */

/* Writes bytes of a packet: one reference, else asserts.
 * offset    of the first; all are within the packet, else asserts
 * context   any; the caller has the packet
 * blocks    no       cost  O(n) blocks, O(n) bytes; 1,161 cycles for 127, 1,082 on AVR [test
 *           mote/packet_cost]
 */
void packet_write(packet_t packet, uint16_t offset, const void *bytes, uint16_t length);

/* Reads bytes of a packet.
 * offset    of the first; all are within the packet, else asserts
 * context   any; the caller has the packet
 * blocks    no       cost  O(n) blocks, O(n) bytes; 1,142 cycles for 127, 1,061 on AVR [test
 *           mote/packet_cost]
 */
void packet_read(packet_t packet, uint16_t offset, void *bytes, uint16_t length);

/* Finds the bytes of a packet that is in one block, as frames are, for transfers in place. Valid
 * until the packet is changed or freed.
 * packet    the caller's
 * returns   the first of packet_length bytes; 0: it is in several blocks
 * context   any
 * blocks    no
 */
uint8_t *packet_flat(packet_t packet);

/* A contiguous part of a packet. */
struct packet_piece {
    uint8_t *bytes;
    uint8_t length; /* at least 1 */
};

/* Lists the pieces of a packet, one for each block. Valid until the packet is changed or freed.
 * offset    of the first byte of the first piece, at most the packet's length, else asserts
 * pieces    room for `most`
 * returns   how many there are from there on, or `most`: the rest is listed by a call with the
 *           offset behind them
 * context   any; the caller has the packet
 * blocks    no       cost  O(n) blocks; 122 cycles for a frame, 173 on AVR [test
 *           mote/packet_cost]
 */
uint8_t packet_gather(packet_t packet, uint16_t offset, struct packet_piece *pieces, uint8_t most);

/* -------- reading it from front to end */

/* A place in a packet, or in other memory. A read beyond the end gives 0 and sets `overrun`, and so
 * does every later read: a header is read as a whole, then one test shows whether it was there. The
 * other fields are the cursor's own. */
struct packet_cursor {
    const uint8_t *at;  /* the next byte */
    const uint8_t *end; /* of this piece */
    uint16_t after;     /* bytes that follow in other pieces */
    packet_t next;      /* the block of the next piece */
    bool overrun;       /* more was read than there was */
};

/* Places a cursor in a packet.
 * offset    at most the packet's length, else asserts
 * context   any; the caller has the packet, and does not change it while it uses the cursor
 * blocks    no       cost  O(n) blocks
 */
void packet_cursor(struct packet_cursor *cursor, packet_t packet, uint16_t offset);

/* Places a cursor in other memory.
 * context   any
 * blocks    no
 */
void packet_cursor_flat(struct packet_cursor *cursor, const void *bytes, uint16_t length);

/* How many bytes are left.
 * returns   bytes
 * context   any
 * blocks    no
 */
uint16_t packet_cursor_left(const struct packet_cursor *cursor);

/* Limits what a cursor can still read.
 * length    bytes; no effect if no more are left
 * context   any
 * blocks    no
 */
void packet_cursor_limit(struct packet_cursor *cursor, uint16_t length);

/* Reads a byte.
 * returns   the byte, or 0 beyond the end
 * context   any
 * blocks    no       cost  29 cycles within a block, 45 on AVR [test mote/packet_cost]
 */
uint8_t packet_cursor_u8(struct packet_cursor *cursor);

/* Reads a number whose least significant byte comes first.
 * returns   the number, or 0 beyond the end
 * context   any
 * blocks    no
 */
uint16_t packet_cursor_le16(struct packet_cursor *cursor);

/* The same with 32 bits.
 * returns   the number, or 0 beyond the end
 * context   any
 * blocks    no
 */
uint32_t packet_cursor_le32(struct packet_cursor *cursor);

/* Reads a number whose most significant byte comes first.
 * returns   the number, or 0 beyond the end
 * context   any
 * blocks    no
 */
uint16_t packet_cursor_be16(struct packet_cursor *cursor);

/* The same with 32 bits.
 * returns   the number, or 0 beyond the end
 * context   any
 * blocks    no
 */
uint32_t packet_cursor_be32(struct packet_cursor *cursor);

/* Reads bytes.
 * bytes     room for them; all become 0 if there are not as many
 * context   any
 * blocks    no
 */
void packet_cursor_bytes(struct packet_cursor *cursor, void *bytes, uint16_t length);

/* Skips bytes.
 * context   any
 * blocks    no       cost  O(n) blocks
 */
void packet_cursor_skip(struct packet_cursor *cursor, uint16_t length);

/* -------- packets for interrupts */

/* Packets that are ready for interrupts of one level. A slot changes hands by its value: the kernel
 * level fills an empty one, and the interrupt empties it. Made by PACKET_SPARES; all but the slots
 * is constant. */
struct packet_spares {
    volatile packet_t *slots;
    const char *owner; /* of the packets */
    uint16_t length;   /* of each */
    uint8_t count;     /* of slots */
};

/* Declares such packets. They are allocated, as for reception, by packet_spares_fill.
 * owner     a literal, a layer's name
 * count     how many packets
 * length    of each, in bytes
 */
#define PACKET_SPARES(name, owner_, count_, length_)                                               \
    _Static_assert((count_) >= 1 && (count_) <= 255, "the spares " #name " are 1 to 255");         \
    static volatile packet_t name##_slots[count_];                                                 \
    static const char name##_owner[] ARCH_TEXT_PLACED(name##_owner) = owner_;                      \
    const struct packet_spares name = {                                                            \
        .slots = name##_slots, .owner = name##_owner, .length = (length_), .count = (count_)}

/* Allocates a packet for each slot that is empty: before the first interrupt, and after one has
 * taken a packet.
 * returns   0, or ERR_FULL: not all are filled
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK int packet_spares_fill(const struct packet_spares *spares);

/* Takes a packet that is ready. It is the caller's, which passes it to an event, for example by a
 * QUEUE_RT of packet_t (lichen/queue.h).
 * returns   the packet, or PACKET_NONE: all have been taken
 * context   rt (and drivers' interrupts); of one level
 * blocks    no       cost  O(n) slots; 38 cycles for the first, 44 on AVR [test mote/packet_cost]
 */
packet_t packet_spares_take(const struct packet_spares *spares);

/* -------- statistics */

struct packet_statistics {
    uint8_t blocks;                    /* blocks of the pool */
    uint8_t free;                      /* free blocks now */
    uint8_t least_free;                /* fewest free blocks since start-up */
    uint16_t refused[PACKET_PURPOSES]; /* refused allocations by enum packet_purpose; each stops at
                                        * its largest value */
};

/* Reads the statistics of the pool.
 * context   event, thread, coop
 * blocks    no
 */
void packet_statistics(struct packet_statistics *statistics);

/* A packet in use. */
struct packet_look {
    packet_t packet;
    uint8_t references;
    uint8_t blocks;
    uint16_t length;
    const char *owner;
};

/* Lists the packets in use, for example to find a leak:
 *
 *     struct packet_look look = {0};
 *     while (packet_look(&look)) {
 *         print("%s: %u bytes\n", look.owner, look.length);
 *     }
 *
 * look      in: the packet before, or zeros; out: the next one
 * returns   false if there is no further one
 * context   event, thread, coop
 * blocks    no       cost  O(n) blocks of the pool
 */
bool packet_look(struct packet_look *look);

#endif
