/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Storage that an image has for the programs that are loaded into it: partitions, which they find
 * by name.
 *
 *     PROGRAM_LOG(samples, 16 * 1024);
 *     PROGRAM_VOLUME(settings, 1024);
 *     PROGRAM_COUNTER(frames);
 *
 * in an image take pages of the board's storage, as LOG, VOLUME and COUNTER do. A loaded program
 * that declares LOG(samples, ...) or LOG_CIRCULAR(samples, ...), VOLUME(settings, ...), and
 * COUNTER(frames), writes to these pages. Its log or volume has all pages of the partition, and
 * they must be at least as many as the program's declaration takes. So an image decides where they
 * are and how large, and what they hold outlives the program: a newer version of it finds it.
 *
 * A container names the partitions that its program needs. It is refused if the image has none of
 * the name and kind, one with fewer pages, or one that another installed program has: two programs
 * would each keep an end of the log of their own. A program has its partitions until it is removed,
 * running or not, and shares them with no other instance of itself.
 *
 * When a program ends, in whichever way, what it has not synchronized may be lost: records of a log
 * always are, and the page of a volume that is kept in RAM is when the loader stops, restarts or
 * removes the program. Until then another volume's call may still write it.
 *
 * A partition takes flash for its name, and no RAM. An image has at most PARTITIONS of them. Logs
 * and volumes that an image declares for itself are no partitions.
 */
#ifndef LICHEN_PARTITION_H
#define LICHEN_PARTITION_H

#include <lichen/arch.h>
#include <lichen/block.h>
#include <lichen/counter.h>
#include <lichen/log.h>

/* How many there are. */
enum partition_limit {
    PARTITIONS = 16, /* the most that are found, in the order of their names */
};

/* What a partition is for. */
enum partition_kind {
    PARTITION_LOG = 1,
    PARTITION_VOLUME = 2,
    PARTITION_COUNTER = 3,
};

/* A partition; in flash. */
struct partition {
    const char *name;      /* text */
    const uint8_t *places; /* STORAGE_TAKE */
    uint16_t count;        /* of places */
    uint8_t kind;          /* enum partition_kind */
};

#define PARTITION(name_, kind_)                                                                    \
    NEVER_LOADED("a loaded program has the partitions of its image");                              \
    DECLARATION_NEEDS(partition_bind_declared);                                                    \
    DECLARATION_NEEDS(storage_program_stop);                                                       \
    static const char partition_name_##name_[] ARCH_TEXT_PLACED(partition_##name_) = #name_;       \
    static const struct partition partition_##name_ __attribute__((                                \
        section(".lichen.partitions." #name_), used)) = {.name = partition_name_##name_,           \
                                                         .places = name_##_places,                 \
                                                         .count = sizeof(name_##_places),          \
                                                         .kind = (kind_)}

/* Declares the partition of a log with room for so many bytes, counted as LOG does. */
#define PROGRAM_LOG(name, bytes)                                                                   \
    STORAGE_TAKE(name, LOG_PLACES(bytes));                                                         \
    PARTITION(name, PARTITION_LOG)

/* Declares the partition of a volume of so many bytes. RAM: 267 bytes for all volumes together. */
#define PROGRAM_VOLUME(name, bytes)                                                                \
    DECLARATION_NEEDS(partition_put_volume);                                                       \
    STORAGE_TAKE(name, VOLUME_PLACES(STORAGE_PAGES(bytes)));                                       \
    PARTITION(name, PARTITION_VOLUME)

/* Declares the partition of a counter. */
#define PROGRAM_COUNTER(name)                                                                      \
    DECLARATION_NEEDS(partition_put_counter);                                                      \
    STORAGE_TAKE(name, COUNTER_PLACES);                                                            \
    PARTITION(name, PARTITION_COUNTER)

#endif
