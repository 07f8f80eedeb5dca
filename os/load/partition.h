/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The partitions of storage that a program names (lichen/partition.h): records of its container's
 * header, doc/spec/container.md. They are compared with the image's when the header arrives, and
 * bound at each start, since an image with the same calls may have them elsewhere.
 *
 * An image that declares no partition has the functions of the files that call them, which find
 * none.
 */
#ifndef LOAD_PARTITION_H
#define LOAD_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>

#include "kernel/program/program.h"
#include "load/error.h"

/* Records that are read byte by byte. All 0 before the first one. */
struct partition_reader {
    uint8_t at;      /* bytes of the record */
    uint8_t low;     /* of its number of pages */
    uint16_t left;   /* which partitions it may name, a bit each */
    uint16_t needed; /* which those before it named */
};

/* Takes a byte of a record.
 * is_last   whether the record ends with it
 * returns   LOAD_OK; LOAD_RECORD: it is too short; LOAD_PARTITION: no partition is meant
 * context   thread
 * blocks    no       cost  O(n) partitions
 */
MUST_CHECK enum load_error partition_take(struct partition_reader *reader, uint8_t byte,
                                          bool is_last);

/* Whether other programs have some of the partitions that were named.
 * own       rows of the program's key, a bit each
 * context   thread
 * blocks    no       cost  O(n) programs and their records
 */
bool partition_is_taken(const struct partition_reader *reader, uint8_t own);

/* Gives the logs, volumes and counters of a program, whose data is filled, the pages of their
 * partitions.
 * returns   LOAD_OK; LOAD_PARTITION: there is none; LOAD_ADDRESS: an object is not in the data
 * context   thread; the program does not run
 * blocks    no       cost  O(n) records, and partitions for each
 */
MUST_CHECK enum load_error partition_bind(const struct program *program);

/* Stops a program, as program_stop, also one that has ended. Afterwards storage has no pointer into
 * its memory: what it has not synchronized of a volume is lost.
 * context   thread
 * blocks    yes, for its turn at storage, in an image with partitions
 */
void partition_stop(struct program *program);

/* The first three, with partitions (partition.c) and without. */
enum load_error partition_take_declared(struct partition_reader *reader, uint8_t byte,
                                        bool is_last);
enum load_error partition_take_none(struct partition_reader *reader, uint8_t byte, bool is_last);
bool partition_is_taken_declared(const struct partition_reader *reader, uint8_t own);
bool partition_is_taken_none(const struct partition_reader *reader, uint8_t own);
enum load_error partition_bind_declared(const struct program *program);
enum load_error partition_bind_none(const struct program *program);

struct partition;

/* Puts the pages of a partition into the object of a program, which has so many bytes of room.
 * partition_put and partition_put_other are those that the image needs.
 * returns   false: the object does not fit
 * context   thread; the program does not run
 * blocks    no
 */
bool partition_put(const ARCH_FLASH struct partition *partition, void *object, uint16_t room);
bool partition_put_other(const ARCH_FLASH struct partition *partition, void *object, uint16_t room);
bool partition_put_log(const ARCH_FLASH struct partition *partition, void *object, uint16_t room);
bool partition_put_volume(const ARCH_FLASH struct partition *partition, void *object,
                          uint16_t room);
bool partition_put_counter(const ARCH_FLASH struct partition *partition, void *object,
                           uint16_t room);

#endif
