/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames made from the tables of IEEE Std 802.15.4-2015, without the code under test. */
#ifndef TEST_IEEE802154_COMPOSE_H
#define TEST_IEEE802154_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

/* What decides which fields a header has. */
struct combination {
    uint8_t type;        /* 0 to 7 */
    uint8_t version;     /* 0 to 3 */
    uint8_t destination; /* addressing modes, 0 to 3 */
    uint8_t source;
    bool compression;
    bool no_sequence;
    bool secured;
    uint8_t level;    /* of security */
    uint8_t key_mode; /* 0 to 3 */
    bool no_counter;
    bool asn;
};

#define COMPOSED_MAX 64u

/* The values of the fields: each has other bytes, so that one in the place of another is noticed.
 */
#define COMPOSED_SEQUENCE        0xa7u
#define COMPOSED_DESTINATION_PAN 0x1122u
#define COMPOSED_SOURCE_PAN      0x3344u
#define COMPOSED_COUNTER         0x8d8c8b8aul
#define COMPOSED_KEY_INDEX       0x5bu
extern const uint8_t composed_destination[8], composed_source[8], composed_key_source[8];

/* The PAN IDs of a frame, by the tables. */
struct composed_pans {
    bool destination;
    bool source;
};

/* Looks a combination of types 0 to 3 and versions 0 to 2 up.
 * returns   false: the tables have no such frame
 */
bool compose_pans(const struct combination *combination, struct composed_pans *pans);

/* Writes the header.
 * bytes     room for COMPOSED_MAX
 * returns   its length; 0: the tables have no such frame
 */
uint8_t compose(const struct combination *combination, uint8_t *bytes);

#endif
