/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Security of links (IEEE 802.15.4, clause 9): keys, the devices that use them, and why frames are
 * refused.
 *
 *     LINK_SECURITY(security, 2, 8);
 *
 *     static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 1};
 *     int error = link_key_set(&security, &name, key, LINK_LEVELS_USUAL);
 *
 * Frames are authenticated and usually enciphered, with AES-CCM* under a key of 128 bits that motes
 * have in common. Each frame has a counter, which no mote uses twice with the same key, whenever
 * its power fails (lichen/counter.h); so a frame that somebody has recorded is refused when it
 * comes again.
 *
 * A receiver keeps the counters of so many devices as the program says. Of devices that are not
 * among them it accepts counters from the *floor* on, which is 0 at first. A further device takes
 * the place of the one with the smallest counter, and then the floor is at least behind that: what
 * was accepted once is below the counter of its device, or below the floor. A device whose counter
 * is below the floor is not heard until it has sent more: make room for all devices that a mote
 * hears.
 *
 * The devices are kept in RAM. After a start a receiver has none, and each frame that was ever sent
 * under its keys is new to it. A protocol that must notice that asks for an answer that nobody can
 * have recorded, and gives the counter that comes with it to link_device_add.
 */
#ifndef LICHEN_LINK_SECURITY_H
#define LICHEN_LINK_SECURITY_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/counter.h>
#include <lichen/error.h>
#include <lichen/mutex.h>

/* Levels: what is done to a frame, and bits of the code that authenticates it (MIC). */
enum link_level {
    LINK_LEVEL_NONE = 0,
    LINK_LEVEL_MIC_32 = 1,
    LINK_LEVEL_MIC_64 = 2,
    LINK_LEVEL_MIC_128 = 3,
    LINK_LEVEL_ENC = 4, /* is refused: without a MIC nobody can tell whether its counter is true */
    LINK_LEVEL_ENC_MIC_32 = 5, /* the usual one */
    LINK_LEVEL_ENC_MIC_64 = 6,
    LINK_LEVEL_ENC_MIC_128 = 7,
};

/* Levels that a key is used with, a bit each. */
#define LINK_LEVELS(level) (1u << (level))
#define LINK_LEVELS_USUAL                                                                          \
    (LINK_LEVELS(LINK_LEVEL_ENC_MIC_32) | LINK_LEVELS(LINK_LEVEL_ENC_MIC_64) |                     \
     LINK_LEVELS(LINK_LEVEL_ENC_MIC_128))

/* How a frame names its key (key identifier mode). */
enum link_key_mode {
    LINK_KEY_IMPLICIT = 0, /* not at all: receivers have one such key */
    LINK_KEY_INDEX = 1,    /* by an index */
    LINK_KEY_SOURCE_4 = 2, /* by an index, and who gave the key: 4 bytes */
    LINK_KEY_SOURCE_8 = 3, /* the same with 8 bytes */
};

#define LINK_KEY_BYTES      16u
#define LINK_EXTENDED_BYTES 8u

/* The name of a key. What the mode does not have is ignored. */
struct link_key_name {
    uint8_t mode;      /* enum link_key_mode */
    uint8_t index;     /* 1 to 255 */
    uint8_t source[8]; /* as in the frame */
};

/* A key. Guarded by the mutex of what it belongs to, as all below. */
struct link_key {
    struct link_key_name name;
    uint8_t levels; /* LINK_LEVELS; 0: there is none */
    uint8_t bytes[LINK_KEY_BYTES];
};

/* A device that sends frames. */
struct link_device {
    uint8_t extended[LINK_EXTENDED_BYTES]; /* its address, most significant byte first */
    uint16_t pan, short_address;           /* 0xffff: it has none */
    uint32_t least;                        /* the least counter that is accepted */
    uint8_t state;                         /* net/security/devices.h */
};

/* Everything about the security of a link. The fields are its own. */
struct link_security {
    struct mutex *turn;
    struct counter *counter;
    struct link_key *keys;
    struct link_device *devices;
    uint32_t floor; /* the least counter that is accepted from other devices */
    uint8_t key_count, device_count;
};

/* Declares it, with room for so many keys and devices, 1 to 255 each. RAM: 60 bytes, 27 for each
 * key and 20 for each device on ARM; 35, 27 and 17 on AVR. */
#define LINK_SECURITY(name_, keys_, devices_)                                                      \
    COUNTER(name_##_counter);                                                                      \
    static MUTEX(name_##_mutex);                                                                   \
    static struct link_key name_##_keys[keys_];                                                    \
    static struct link_device name_##_devices[devices_];                                           \
    struct link_security name_ = {.turn = &name_##_mutex,                                          \
                                  .counter = &name_##_counter,                                     \
                                  .keys = name_##_keys,                                            \
                                  .devices = name_##_devices,                                      \
                                  .key_count = (keys_),                                            \
                                  .device_count = (devices_)}

/* Adds a key, or replaces the one of this name; a frame that is under way may still use that.
 * levels    LINK_LEVELS of those with which it is used and accepted
 * returns   0; ERR_FULL: there is no room for another one; ERR_INVALID: no such mode, an index of
 *           0, no level, or one of LINK_LEVEL_NONE and LINK_LEVEL_ENC
 * context   thread
 * blocks    yes, while another thread looks something up
 */
MUST_CHECK int link_key_set(struct link_security *security, const struct link_key_name *name,
                            const uint8_t key[LINK_KEY_BYTES], uint8_t levels);

/* Removes a key, and overwrites it in RAM.
 * returns   0, or ERR_EMPTY: there is none of this name
 * context   thread
 * blocks    yes, as link_key_set
 */
MUST_CHECK int link_key_remove(struct link_security *security, const struct link_key_name *name);

/* Reserves counters for frames that will be sent, if few are left: at the start, and after frames,
 * when there is time. Without it none is sent.
 * returns   as counter_reserve
 * context   thread
 * blocks    yes, as counter_reserve
 */
MUST_CHECK int link_security_reserve(struct link_security *security);

/* Says that a device has sent nothing yet with this counter or a later one, as a trusted source
 * knows. This may be below the floor, and may take another device's place. What was accepted from
 * the device already is not accepted again.
 * extended  its address, most significant byte first
 * least     the least counter that is accepted
 * context   thread
 * blocks    yes, as link_key_set
 *           cost  O(n) devices
 */
void link_device_add(struct link_security *security, const uint8_t extended[LINK_EXTENDED_BYTES],
                     uint32_t least);

/* Says which short address a device has: frames with short addresses do not tell their sender's
 * extended one, which their nonce is made of. Whether that is true shows when a frame is
 * authenticated.
 * pan       the network of the short address
 * returns   0, or ERR_FULL: the device is not known, and all room is for devices that are
 * context   thread
 * blocks    yes, as link_key_set
 *           cost  O(n) devices
 */
MUST_CHECK int link_device_name(struct link_security *security,
                                const uint8_t extended[LINK_EXTENDED_BYTES], uint16_t pan,
                                uint16_t short_address);

/* Forgets all devices and their counters, and lowers the floor to 0. Only when no key is left that
 * any of them has used: frames that were sent with it would be accepted again.
 * context   thread
 * blocks    yes, as link_key_set
 */
void link_devices_forget(struct link_security *security);

/* Why a frame was refused. */
enum link_refusal {
    LINK_GOOD = 0,
    LINK_HEADER_CUT,        /* the security header goes on beyond the end of the frame */
    LINK_HEADER_RESERVED,   /* it has bits or a key index that are reserved */
    LINK_COUNTER_ABSENT,    /* it has no counter, or the nonce is that of a slot (TSCH) */
    LINK_LEVEL_MISSING,     /* it is said to be secured, and the level is NONE */
    LINK_LEVEL_WITHOUT_MIC, /* the level is ENC */
    LINK_LEVEL_REFUSED,     /* the level is none of the key's */
    LINK_KEY_UNKNOWN,       /* there is no key of this name */
    LINK_DEVICE_UNKNOWN,    /* the sender's extended address is not known */
    LINK_COUNTER_LAST,      /* the counter is the last one, behind which there is none */
    LINK_COUNTER_OLD,       /* a frame with this counter, or a later one, was accepted: a replay */
    LINK_MIC_CUT,           /* the frame is shorter than its MIC */
    LINK_MIC_WRONG,         /* somebody has changed the frame, or has another key */
    LINK_COUNTER_NONE,      /* of a frame to be sent: no counter is reserved */
    LINK_COUNTER_USED_UP,   /* of a frame to be sent: all counters are used; change the key */
    LINK_REFUSALS,          /* how many there are */
};

/* A refusal as text, to be printed.
 * returns   a text as of TEXT (lichen/print.h)
 * context   any
 * blocks    no
 */
const char *link_refusal_name(enum link_refusal refusal);

#endif
