/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A volume, of which all actors write the same bytes, which lie in two pages.
 *
 * Laws: what is read is what one actor has written, whole, and not older than what had been written
 * when the reading began; after a restart, so is each page, and what was made safe is there.
 */
#include <lichen/block.h>

#include "../storage/storage.h"

enum {
    ALL = FORCE_ACTORS + 1, /* the conductor too */
    LENGTH = 8,
    AT = STORAGE_ROOM - LENGTH / 2,
    NOBODY = 0xff, /* what erased bytes hold */
};

VOLUME(volume, 2 * STORAGE_ROOM);

static volatile uint8_t begun[ALL], written[ALL]; /* by each */
static volatile uint8_t before[ALL]; /* those that had written when it began, a bit each */

static uint8_t all_written(void)
{
    unsigned all = 0;

    for (unsigned actor = 0; actor < ALL; actor++) {
        all |= (unsigned)written[actor] << actor;
    }
    return (uint8_t)all;
}

/* Whether what one actor has written may be there, given those whose bytes were there before. */
static bool may_be_there(uint8_t writer, uint8_t were_there)
{
    if (writer == NOBODY) {
        return were_there == 0;
    }
    if (writer >= ALL || !begun[writer]) {
        return false;
    }
    for (unsigned actor = 0; actor < ALL; actor++) {
        bool is_newer = (were_there >> actor & 1u) != 0 && (before[actor] >> writer & 1u) != 0;
        if (is_newer) {
            return false;
        }
    }
    return true;
}

/* Returns who has written so many bytes. */
static uint8_t writer_of(uint32_t at, size_t length)
{
    uint8_t bytes[LENGTH] = {0};

    force_expect(block_read(&volume, at, bytes, length) == 0);
    for (size_t index = 1; index < length; index++) {
        force_expect(bytes[index] == bytes[0]);
    }
    return bytes[0];
}

static void write(unsigned actor)
{
    uint8_t bytes[LENGTH];

    for (unsigned index = 0; index < LENGTH; index++) {
        bytes[index] = (uint8_t)actor;
    }
    before[actor] = all_written();
    begun[actor] = 1;
    force_expect(block_write(&volume, AT, bytes, LENGTH) == 0);
    force_expect(block_sync(&volume) == 0);
    written[actor] = 1;
}

static void look(unsigned actor __attribute__((unused)))
{
    uint8_t were_there = all_written();

    force_expect(may_be_there(writer_of(AT, LENGTH), were_there));
}

static void enter(bool is_written)
{
    force_expect(writer_of(AT, LENGTH) == NOBODY);
    if (is_written) {
        write(FORCE_CONDUCTOR);
    }
}

static void check(void)
{
    look(FORCE_CONDUCTOR);
    played_restart();
    force_expect(may_be_there(writer_of(AT, LENGTH / 2), all_written()));
    force_expect(may_be_there(writer_of(AT + LENGTH / 2, LENGTH / 2), all_written()));
}

static void enter_fresh(void)
{
    enter(false);
}

static void enter_used(void)
{
    enter(true);
}

static const struct force_state fresh = {.name = "fresh", .enter = enter_fresh};
static const struct force_state used = {.name = "used", .enter = enter_used};
const struct force_state *const force_states[] = {&fresh, &used};

static const struct force_object object = {
    .prepare = played_renew, .settle = storage_settle, .check = check};

static const struct force_operation op_write = {
    .name = "write", .object = &object, .in_thread = write};
static const struct force_operation op_look = {
    .name = "look", .object = &object, .in_thread = look};
const struct force_operation *const force_operations[] = {&op_write, &op_look};
