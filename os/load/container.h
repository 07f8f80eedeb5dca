/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The container of a program, byte by byte: doc/spec/container.md. The header is kept in flash in
 * front of the program, as it came.
 */
#ifndef LOAD_CONTAINER_H
#define LOAD_CONTAINER_H

#include <stdint.h>

enum {
    CONTAINER_MAGIC = 0xf04c, /* "L", 0xf0 */
    CONTAINER_FORMAT = 1,
    CONTAINER_ARMV6M = 1,
    CONTAINER_AVR8 = 2,
    CONTAINER_NAME_MAX = 15,
    CONTAINER_CRC_BYTES = 4,
    CONTAINER_MAC_BYTES = 16,
};

/* What may happen to the program before it runs. */
enum container_trust {
    CONTAINER_TRUSTED = 0, /* linked as it is */
    CONTAINER_SAFE = 1,    /* rewritten by the host, verified by the mote */
    CONTAINER_RAW = 2,     /* rewritten by the mote */
};

enum container_flag {
    CONTAINER_TRUST = 3, /* mask */
    CONTAINER_HAS_MAC = 4,
};

/* The first bytes. All numbers are little-endian, lengths in bytes. */
struct container_header {
    uint16_t magic;
    uint8_t format;
    uint8_t machine;
    uint8_t flags;
    uint8_t header_bytes; /* this, the name and the records, up to the program's first byte; a
                             multiple of 4 */
    uint16_t version;
    uint16_t confirm_s;       /* time for program_confirm; 0: none is needed */
    uint16_t constants_bytes; /* tables and constants, first in flash; even */
    uint16_t code_bytes;      /* functions, behind them; even */
    uint16_t initial_bytes;   /* initial values of objects and data, behind those; even */
    uint16_t object_bytes;    /* kernel objects, mutexes first */
    uint16_t stack_bytes;     /* stacks, behind them */
    uint16_t data_bytes;      /* the program's data */
    uint8_t threads;          /* rows of the tables, in this order */
    uint8_t receivers;
    uint8_t modules;  /* lichen/syslog.h */
    uint8_t commands; /* lichen/shell.h */
    uint8_t starts;   /* lichen/init.h */
    uint8_t mutexes;
    uint8_t name_bytes; /* 1 to CONTAINER_NAME_MAX; the name follows, then records */
    uint8_t events;     /* rows of the table behind the start functions (lichen/event.h) */
};

_Static_assert(sizeof(struct container_header) == 30, "doc/spec/container.md");

/* Records behind the name: kind, length, contents; filled with kind 0, of no length byte, up to
 * header_bytes. A kind that is not known is refused if it is below CONTAINER_RECORD_OPTIONAL. */
enum container_record {
    CONTAINER_RECORD_END = 0,
    CONTAINER_RECORD_GROUP =
        1, /* group of calls, then its fingerprint in two bytes; several in one */
    CONTAINER_RECORD_EVENT_STACK = 2, /* two bytes: what the deepest event uses of the stack */
    CONTAINER_RECORD_PARTITION = 3,   /* kind, pages and place of a log, then its name */
    CONTAINER_RECORD_OPTIONAL = 0x80,
};

#endif
