/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A log, which several threads use.
 *
 * Laws: what was appended is read once by the log's reader, or found behind it, whole, and in the
 * order in which it was appended; an erasure takes what was appended before it, and nothing that is
 * appended after it. After a restart, what was appended before a synchronization is there, and
 * nothing without what was appended before it.
 */
#include <lichen/log.h>

#include "../storage/storage.h"

/* Of each actor, and the conductor. */
enum { RECORDS_EACH = 2, RECORDS = (FORCE_ACTORS + 1) * RECORDS_EACH };
enum { SIZE = 100 }; /* two a page */

LOG(a_log, RECORDS *(SIZE + 1));

/* Sets of records have a bit for each. */
typedef uint16_t records_t;
_Static_assert(RECORDS <= 16, "a bit each");

static uint8_t buffers[FORCE_ACTORS + 1][SIZE];

/* By actor, or by record, each of which one actor appends. */
static volatile records_t appended[FORCE_ACTORS + 1];
static volatile records_t before[RECORDS]; /* those that had been appended when it was begun */
static volatile uint8_t begun[RECORDS];
static volatile uint8_t erasures[RECORDS];        /* that had ended when it was begun */
static volatile uint8_t has_erased[FORCE_ACTORS]; /* each erases once */
static volatile uint8_t erases[FORCE_ACTORS];
static volatile records_t gone[FORCE_ACTORS]; /* appended before the erasure */
static volatile records_t safe[FORCE_ACTORS]; /* appended before the synchronization */
static volatile records_t was_read[FORCE_ACTORS];

static records_t all_of(const volatile records_t *sets, unsigned count)
{
    records_t all = 0;

    for (unsigned index = 0; index < count; index++) {
        all |= sets[index];
    }
    return all;
}

static records_t all_appended(void)
{
    return all_of(appended, FORCE_ACTORS + 1);
}

static uint8_t byte_of(unsigned record, unsigned index)
{
    return (uint8_t)(record << 4 ^ index);
}

/* -------- operations */

static void append_one(unsigned actor, unsigned which)
{
    unsigned record = actor * RECORDS_EACH + which;
    uint8_t *bytes = buffers[actor];

    for (unsigned index = 0; index < SIZE; index++) {
        bytes[index] = byte_of(record, index);
    }
    before[record] = all_appended();
    erasures[record] = (uint8_t)force_sum(has_erased, FORCE_ACTORS);
    begun[record] = 1;
    force_expect(log_append(&a_log, bytes, SIZE) == 0);
    appended[actor] |= (records_t)(1u << record);
}

static void append(unsigned actor)
{
    append_one(actor, 0);
    append_one(actor, 1);
}

static void sync(unsigned actor)
{
    records_t until_now = all_appended();

    force_expect(log_sync(&a_log) == 0);
    safe[actor] = until_now;
}

/* Reads a record. Returns its number, or -1 if there is none. */
static int read_one(unsigned actor)
{
    uint8_t *bytes = buffers[actor];
    size_t length = SIZE;
    int error = log_read(&a_log, bytes, &length);

    if (error != 0) {
        force_expect(error == ERR_EMPTY);
        return -1;
    }
    unsigned record = bytes[0] >> 4;
    bool is_whole = length == SIZE && record < RECORDS && begun[record];
    for (unsigned index = 0; index < SIZE; index++) {
        is_whole &= bytes[index] == byte_of(record, index);
    }
    force_expect(is_whole);
    return is_whole ? (int)record : -1;
}

static void read(unsigned actor)
{
    int first = read_one(actor);
    int second = first < 0 ? -1 : read_one(actor);

    was_read[actor] |= first < 0 ? 0 : (records_t)(1u << first);
    if (second >= 0) {
        force_expect((before[first] >> second & 1u) == 0);
        was_read[actor] |= (records_t)(1u << second);
    }
}

static void erase(unsigned actor)
{
    gone[actor] = all_appended();
    erases[actor] = 1;
    force_expect(log_erase(&a_log) == 0);
    has_erased[actor] = 1;
}

/* -------- the laws */

/* Empty, or with a page that is full: what is appended next writes it. */
static void enter(bool is_full)
{
    if (is_full) {
        append(FORCE_CONDUCTOR);
    }
}

/* Reads to the end.
 * returns   what there is; nothing comes twice, and nothing before what was appended before it
 */
static records_t read_all(void)
{
    records_t found = 0;

    for (int record = read_one(FORCE_CONDUCTOR); record >= 0; record = read_one(FORCE_CONDUCTOR)) {
        records_t bit = (records_t)(1u << record);
        force_expect((found & bit) == 0);
        for (unsigned other = 0; other < RECORDS; other++) {
            force_expect((found >> other & 1u) == 0 || (before[other] & bit) == 0);
        }
        found |= bit;
    }
    return found;
}

/* Those that no erasure may have taken. */
static records_t surely_kept(void)
{
    unsigned all_erases = force_sum(erases, FORCE_ACTORS);
    records_t kept = 0;

    for (unsigned record = 0; record < RECORDS; record++) {
        if (erasures[record] == all_erases) {
            kept |= (records_t)(1u << record);
        }
    }
    return (records_t)(kept & all_appended());
}

/* What the actors have read may have been erased since. */
static void check_live(void)
{
    records_t by_actors = 0;

    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        force_expect((by_actors & was_read[actor]) == 0);
        by_actors |= was_read[actor];
    }
    records_t found = read_all();
    force_expect((found & by_actors) == 0);
    force_expect(((found | by_actors) & surely_kept()) == surely_kept());
    force_expect((found & all_of(gone, FORCE_ACTORS)) == 0);
    force_expect((found & ~all_appended()) == 0);
}

static void check_restarted(void)
{
    records_t found = read_all();
    records_t lost = (records_t)(all_of(safe, FORCE_ACTORS) & surely_kept() & ~found);

    force_expect(lost == 0);
    force_expect((found & all_of(gone, FORCE_ACTORS)) == 0);
    for (unsigned record = 0; record < RECORDS; record++) {
        if (found >> record & 1u) {
            force_expect((before[record] & surely_kept() & ~found) == 0);
        }
    }
}

static void check(void)
{
    check_live();
    played_restart();
    check_restarted();
}

static void enter_empty(void)
{
    enter(false);
}

static void enter_full(void)
{
    enter(true);
}

static const struct force_state empty = {.name = "empty", .enter = enter_empty};
static const struct force_state full = {.name = "full", .enter = enter_full};
const struct force_state *const force_states[] = {&empty, &full};

static const struct force_object object = {
    .prepare = played_renew, .settle = storage_settle, .check = check};

static const struct force_operation op_append = {
    .name = "append", .object = &object, .in_thread = append};
static const struct force_operation op_sync = {
    .name = "sync", .object = &object, .in_thread = sync};
static const struct force_operation op_read = {
    .name = "read", .object = &object, .in_thread = read};
static const struct force_operation op_erase = {
    .name = "erase", .object = &object, .in_thread = erase};
const struct force_operation *const force_operations[] = {&op_append, &op_sync, &op_read,
                                                          &op_erase};
