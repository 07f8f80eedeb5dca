/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the parts of dissemination share.
 *
 * An object is a row of parts of DISSEMINATION_PART bytes; the last one may be shorter. A mote has
 * the parts before `have`, and of the WINDOW behind them those with a bit in `got`.
 *
 * Messages are of one type. Numbers are sent with the most significant byte first.
 *
 *   part          index of the part, 14 bits | tag of the object (2) | bytes
 *   announcement  KIND_ANNOUNCEMENT (2) | number (2) | length (2) | CRC (4) | have (2)
 *   request       KIND_REQUEST (2) | the same | destination (2) | parts wanted: a bit for each of
 * the WINDOW from `have` on (4)
 *   question      KIND_QUESTION (2) | tag of the asker's object, if that is complete; else 0 (2)
 *
 * One thread at a time works on all of this: dissemination_turn.
 */
#ifndef DISSEMINATION_H
#define DISSEMINATION_H

#include <lichen/dissemination.h>
#include <lichen/mutex.h>

enum {
    WINDOW = 32, /* parts; the bits of `got` and `wanted` */

    KIND_ANNOUNCEMENT = 0x4000,
    KIND_REQUEST = 0x8000,
    KIND_QUESTION = 0xc000,
    KIND_MASK = 0xc000,

    ANNOUNCEMENT_BYTES = 12,
    REQUEST_BYTES = 18,
    QUESTION_BYTES = 4,

    /* The longest object, so that the index of a part has 14 bits, and sums of offsets have 16. */
    LENGTH_MAX = UINT16_MAX - 2 * DISSEMINATION_PART,
};

/* Which object. */
struct identity {
    uint32_t crc;
    uint16_t number; /* 0: none */
    uint16_t length;
};

/* What is waited for. */
enum due {
    DUE_ANNOUNCEMENT, /* the moment of this interval in which it is sent, unless others do */
    DUE_INTERVAL,     /* its end */
    DUE_REQUEST,
    DUE_PART,
    DUES,
};

/* Bits of what is heard of the mote's object. */
enum heard {
    HEARD_SAME = 1,  /* a neighbour has as much */
    HEARD_PARTS = 2, /* parts are sent, maybe by this mote */
};

struct dissemination {
    struct identity object;
    struct identity newer; /* announced by a neighbour; number 0: none */
    uint32_t got;
    uint32_t wanted;   /* by others: a bit for each part from `wanted_from` on */
    uint32_t at[DUES]; /* dissemination_now; valid if `armed` */
    uint16_t parts;    /* of the object */
    uint16_t have;
    uint16_t wanted_from;
    uint16_t source;     /* a neighbour that has more, if `has_source` */
    uint16_t source_has; /* its parts, as far as it has said */
    uint16_t newer_source;
    uint16_t last;    /* the highest number that this mote has had */
    uint16_t refused; /* the tag of an object that is not taken */
    uint8_t armed;    /* a bit for each of enum due */
    uint8_t erased;   /* pages, from the first one on */
    uint8_t interval; /* its length is 2^interval */
    uint8_t heard;    /* in this interval: enum heard */
    uint8_t tries;    /* requests since something came of one */
    bool was_silent;  /* it did not announce when it was due to, or is to announce in any case */
    bool has_source;
    bool asks_newer; /* the next request is for `newer` */
    bool is_stored;  /* the object's head is in the store */
    bool is_complete;
    bool is_refused; /* `refused` is valid, and no object has come since */
    bool is_fed;     /* between dissemination_begin and _end: no part in anything */
    bool is_done;    /* dissemination_done was called for it */
    bool was_wrong;  /* a whole object did not have its CRC */
};

extern struct dissemination dissemination_state;
extern struct mutex dissemination_turn;

/* Times of 1,024 us, modulo 2^32. */
#define INTERVAL_LEAST 10u /* 2^10: 1 s */
#define INTERVAL_MOST  18u /* 268 s */

/* How long a part takes, with the time that its receivers need to write it: rate_*.c. */
extern const ARCH_FLASH uint8_t dissemination_part_time, dissemination_part_pause;

/* How long a leaf listens for an answer: the same files. */
extern const ARCH_FLASH uint8_t dissemination_answer_time;

/* -------- object.c: what the mote has */

/* Finds what is in the store. */
void dissemination_open(void);

/* Whether it could be kept, and its parts. */
bool dissemination_is_valid(const struct identity *object);
uint16_t dissemination_parts(const struct identity *object);

/* Takes another one in place of the mote's, in memory only: the store changes with its first part.
 */
void dissemination_adopt(const struct identity *object);

/* Takes a part. Returns whether that was new. */
bool dissemination_take(uint16_t index, const uint8_t *bytes, uint8_t count);

/* Reads a part. Returns its bytes. */
uint8_t dissemination_give(uint16_t index, uint8_t *bytes);

/* The bytes of a part. */
uint8_t dissemination_part_bytes(uint16_t index);

bool dissemination_has(uint16_t index);
uint16_t dissemination_tag(const struct identity *object);

/* Writes the head of the object that is in the store. */
int dissemination_write_head(void);

/* Writes beside the head that the object is done with. */
void dissemination_write_done(void);

/* Erases the pages that a part needs, and one beyond. */
int dissemination_prepare(uint16_t index);

/* The mote has nothing from now on, in the store, too. */
int dissemination_forget(void);

uint32_t dissemination_crc(void);

/* -------- trickle.c: when to announce it */

/* Begins anew with the shortest interval, unless that runs. */
void dissemination_hurry(void);
void dissemination_start_interval(void);
void dissemination_end_interval(void);

/* -------- messages.c: what neighbours say. parent.c also answers leaves, in the message's memory
 */

void dissemination_handle(uint16_t source, uint8_t *bytes, uint8_t length);
void dissemination_handle_usual(uint16_t source, uint8_t *bytes, uint8_t length);
void dissemination_handle_of_parent(uint16_t source, uint8_t *bytes, uint8_t length);

/* -------- send.c: what this mote says. `bytes` has room for any message. leaf.c has a leaf ask its
 * parent in place of announcing */

void dissemination_announce(uint8_t *bytes);
void dissemination_announce_usual(uint8_t *bytes);
void dissemination_announce_of_leaf(uint8_t *bytes);
void dissemination_announce_now(uint8_t *bytes);
void dissemination_request(uint8_t *bytes);
void dissemination_send_part(uint8_t *bytes);

/* -------- run.c: times */

/* Finds what is in the store, if nobody has yet. */
void dissemination_begin_once(void);

void dissemination_arm(enum due due, uint32_t delay);
void dissemination_disarm(enum due due);
bool dissemination_is_armed(enum due due);
uint32_t dissemination_random(uint32_t below); /* of the delay that follows */

#endif
