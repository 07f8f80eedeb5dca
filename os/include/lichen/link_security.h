/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Security of links (IEEE 802.15.4, clause 9): keys, the devices that use them, and why frames are
 * refused.
 *
 *     LINK_SECURITY(security, 2, 8);
 *
 *     static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 1};
 *     int error = link_key_set(&security, &name, key, LINK_LEVELS_USUAL);
 *
 * Frames are authenticated and usually encrypted, with AES-CCM* under a key of 128 bits that motes
 * share. Each frame has a counter, which no mote uses twice with the same key, even if its power
 * fails (lichen/counter.h): a recorded frame that is sent again is refused.
 *
 * A receiver keeps the counters of as many devices as the program makes room for. From any other
 * device it accepts counters from the *floor* on, initially 0. A further device replaces the one
 * with the smallest counter, and the floor is raised above that counter: so every frame that was
 * accepted is below the counter of its device, or below the floor. A device whose counter is below
 * the floor is refused until its counter has passed it: make room for all devices in reach.
 *
 * The devices are kept in RAM. After a start a receiver has none, and accepts recorded frames as
 * new. A protocol that must notice this asks for a fresh answer, and gives the counter that comes
 * with it to link_device_add.
 */
#ifndef LICHEN_LINK_SECURITY_H
#define LICHEN_LINK_SECURITY_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/counter.h>
#include <lichen/error.h>
#include <lichen/mutex.h>

/* Levels: whether a frame is encrypted, and the bits of the code that authenticates it (MIC). */
enum link_level {
    LINK_LEVEL_NONE = 0,
    LINK_LEVEL_MIC_32 = 1,
    LINK_LEVEL_MIC_64 = 2,
    LINK_LEVEL_MIC_128 = 3,
    LINK_LEVEL_ENC = 4,        /* is refused: without a MIC its counter cannot be trusted */
    LINK_LEVEL_ENC_MIC_32 = 5, /* the usual one */
    LINK_LEVEL_ENC_MIC_64 = 6,
    LINK_LEVEL_ENC_MIC_128 = 7,
};

/* A set of levels, one bit each. */
#define LINK_LEVELS(level) (1u << (level))
#define LINK_LEVELS_USUAL                                                                          \
    (LINK_LEVELS(LINK_LEVEL_ENC_MIC_32) | LINK_LEVELS(LINK_LEVEL_ENC_MIC_64) |                     \
     LINK_LEVELS(LINK_LEVEL_ENC_MIC_128))

/* How a frame names its key (key identifier mode). */
enum link_key_mode {
    LINK_KEY_IMPLICIT = 0, /* not at all: receivers have one such key */
    LINK_KEY_INDEX = 1,    /* by an index */
    LINK_KEY_SOURCE_4 = 2, /* by an index and the source of the key, 4 bytes */
    LINK_KEY_SOURCE_8 = 3, /* the same with 8 bytes */
};

#define LINK_KEY_BYTES      16u
#define LINK_EXTENDED_BYTES 8u

/* The name of a key. Fields that the mode does not have are ignored. */
struct link_key_name {
    uint8_t mode;      /* enum link_key_mode */
    uint8_t index;     /* 1 to 255 */
    uint8_t source[8]; /* as in the frame */
};

/* A key. Guarded by the mutex of its link_security, as everything below. */
struct link_key {
    struct link_key_name name;
    uint8_t levels; /* LINK_LEVELS; 0: there is none */
    uint8_t bytes[LINK_KEY_BYTES];
};

/* A device that sends frames. */
struct link_device {
    uint8_t extended[LINK_EXTENDED_BYTES]; /* its address, most significant byte first */
    uint16_t pan, short_address;           /* 0xffff: it has none */
    uint32_t least;                        /* the smallest counter that is accepted */
    uint8_t state;                         /* net/security/devices.h */
};

/* Everything about the security of a link. The fields are its own. */
struct link_security {
    struct mutex *lock;
    struct counter *counter;
    struct link_key *keys;
    struct link_device *devices;
    uint32_t floor; /* the smallest counter that is accepted from other devices */
    uint8_t key_count, device_count;
};

/* Declares it, with room for so many keys and devices, 1 to 255 each. RAM: 60 bytes, 27 for each
 * key and 20 for each device on ARM; 35, 27 and 17 on AVR. */
#define LINK_SECURITY(name_, keys_, devices_)                                                      \
    COUNTER(name_##_counter);                                                                      \
    static MUTEX(name_##_mutex);                                                                   \
    static struct link_key name_##_keys[keys_];                                                    \
    static struct link_device name_##_devices[devices_];                                           \
    struct link_security name_ = {.lock = &name_##_mutex,                                          \
                                  .counter = &name_##_counter,                                     \
                                  .keys = name_##_keys,                                            \
                                  .devices = name_##_devices,                                      \
                                  .key_count = (keys_),                                            \
                                  .device_count = (devices_)}

/* Adds a key, or replaces the one of this name, which a frame under way may still use.
 * levels    LINK_LEVELS with which it is used and accepted
 * returns   0; ERR_FULL: there is no room for another one; ERR_INVALID: no such mode, an index of
 *           0, no level, or one of LINK_LEVEL_NONE and LINK_LEVEL_ENC
 * context   thread
 * blocks    yes, while another thread uses the tables
 */
MUST_CHECK int link_key_set(struct link_security *security, const struct link_key_name *name,
                            const uint8_t key[LINK_KEY_BYTES], uint8_t levels);

/* Removes a key, and overwrites it in RAM.
 * returns   0, or ERR_EMPTY: there is none of this name
 * context   thread
 * blocks    yes, as link_key_set
 */
MUST_CHECK int link_key_remove(struct link_security *security, const struct link_key_name *name);

/* Sets the smallest counter that is accepted from a device, as a trusted source reports it. It may
 * be below the floor, and the device may replace another one. Frames that were accepted from the
 * device are not accepted again.
 * extended  its address, most significant byte first
 * least     the smallest counter that is accepted
 * context   thread
 * blocks    yes, as link_key_set
 *           cost  O(n) devices
 */
void link_device_add(struct link_security *security, const uint8_t extended[LINK_EXTENDED_BYTES],
                     uint32_t least);

/* Sets the short address of a device. Frames with short addresses do not contain the extended
 * address from which their nonce is made; a wrong one shows when a frame is authenticated.
 * pan       the network of the short address
 * returns   0, or ERR_FULL: the device is not known, and all room is for devices that are
 * context   thread
 * blocks    yes, as link_key_set
 *           cost  O(n) devices
 */
MUST_CHECK int link_device_name(struct link_security *security,
                                const uint8_t extended[LINK_EXTENDED_BYTES], uint16_t pan,
                                uint16_t short_address);

/* Forgets all devices and their counters, and lowers the floor to 0. Only after all keys that they
 * have used were removed: recorded frames would be accepted again.
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
    LINK_LEVEL_MISSING,     /* it is marked as secured, and the level is NONE */
    LINK_LEVEL_WITHOUT_MIC, /* the level is ENC */
    LINK_LEVEL_REFUSED,     /* the level is none of the key's */
    LINK_KEY_UNKNOWN,       /* there is no key of this name */
    LINK_DEVICE_UNKNOWN,    /* the sender's extended address is not known */
    LINK_COUNTER_LAST,      /* the counter is the largest one, which is not used */
    LINK_COUNTER_OLD,       /* a frame with this counter, or a later one, was accepted: a replay */
    LINK_MIC_CUT,           /* the frame is shorter than its MIC */
    LINK_MIC_WRONG,         /* the frame was changed, or its sender has another key */
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
