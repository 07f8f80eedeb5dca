/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs, volumes and a counter, over a medium in RAM: makes one call after another, as the host
 * says, and decides nothing.
 *
 * What is appended or written the host puts into `storage_bytes`, and there it finds what was read.
 * Power fails when the host says so: it starts the program again, with the same medium.
 */
#include <lichen/block.h>
#include <lichen/counter.h>
#include <lichen/log.h>
#include <lichen/thread.h>

#include "../../mote/storage_faults/played_medium.h"
#include "machine.h"
#include "model.h"

STACKS_CHECKED_BY_RUNS;

/* The linker places them in the order of their names: host/dev/history/src/storage/object.rs. */
LOG_CIRCULAR(a_ring, 3 * 248);
LOG(b_line, 2 * 248);
VOLUME(c_volume, 400);
VOLUME(d_volume, 100);
COUNTER(e_counter);

static struct log *const logs[] = {&a_ring, &b_line};
static struct volume *const volumes[] = {&c_volume, &d_volume};

/* More than any record or volume, so that arguments out of range do no harm. */
volatile uint8_t storage_bytes[600];
#define BYTES ((void *)storage_bytes)

/* The numbers of `Call` in host/dev/history/src/storage/call.rs. */
enum call {
    CALL_NONE,
    CALL_LOG_APPEND,
    CALL_LOG_SYNC,
    CALL_LOG_READ,
    CALL_LOG_SEEK,
    CALL_LOG_TELL,
    CALL_LOG_ERASE,
    CALL_BLOCK_READ,
    CALL_BLOCK_WRITE,
    CALL_BLOCK_SYNC,
    CALL_BLOCK_ERASE,
    CALL_BLOCK_CRC,
    CALL_COUNTER_TAKE,
    CALL_COUNTER_RESERVE,
    CALL_COUNTER_RESTART,
    /* what happens to the medium */
    CALL_CUT,    /* in the operation after so many that change a page, `time` bytes of it done */
    CALL_FAIL,   /* the same, and power stays */
    CALL_UNREAD, /* the read after so many fails */
    CALL_ABSENT, /* nothing answers */
    CALL_SOUND,  /* none of these */
    CALL_WORN,   /* which pages do not keep what is written */
};

static int log_call(struct log *log, const struct command *command, uint32_t *value)
{
    size_t length = command->value;
    int result;
    switch (command->call) {
    case CALL_LOG_APPEND:
        return log_append(log, BYTES, length);
    case CALL_LOG_SYNC:
        return log_sync(log);
    case CALL_LOG_READ:
        result = log_read(log, BYTES, &length);
        *value = length;
        return result;
    case CALL_LOG_SEEK:
        return log_seek(log, command->value);
    case CALL_LOG_TELL:
        return log_tell(log, value);
    default:
        return log_erase(log);
    }
}

static int block_call(struct volume *volume, const struct command *command, uint32_t *value)
{
    size_t length = (size_t)command->time;
    uint16_t crc = 0xffff;
    int result;
    switch (command->call) {
    case CALL_BLOCK_READ:
        return block_read(volume, command->value, BYTES, length);
    case CALL_BLOCK_WRITE:
        return block_write(volume, command->value, BYTES, length);
    case CALL_BLOCK_SYNC:
        return block_sync(volume);
    case CALL_BLOCK_CRC:
        result = block_crc(volume, command->value, length, &crc);
        *value = crc;
        return result;
    default:
        return block_erase(volume);
    }
}

/* Takes so many numbers, or all. `value` is how many; the first and the last one are in
 * `storage_bytes`. */
static int take(uint32_t count, uint32_t *value)
{
    uint32_t first = 0, last = 0;
    int result = 0;
    for (*value = 0; result == 0 && *value < count;) {
        result = counter_take(&e_counter, &last);
        if (result == 0 && (*value)++ == 0) {
            first = last;
        }
    }
    for (unsigned i = 0; i < sizeof(first); i++) {
        storage_bytes[i] = (uint8_t)(first >> 8 * i);
        storage_bytes[sizeof(first) + i] = (uint8_t)(last >> 8 * i);
    }
    return result;
}

static void medium_call(const struct command *command)
{
    switch (command->call) {
    case CALL_CUT:
    case CALL_FAIL:
        played.is_brief = command->call == CALL_FAIL;
        played.cut_after = (uint16_t)command->value;
        played.torn_bytes = (uint16_t)command->time;
        break;
    case CALL_UNREAD:
        played.unread_after = (uint16_t)command->value;
        break;
    case CALL_ABSENT:
        played.is_absent = true;
        break;
    case CALL_WORN:
        played.worn = command->value;
        break;
    default:
        played.cut_after = PLAYED_NEVER;
        played.unread_after = PLAYED_NEVER;
        played.is_absent = false;
        break;
    }
}

static int call(const struct command *command, uint32_t *value)
{
    if (command->call <= CALL_LOG_ERASE) {
        return log_call(logs[command->object], command, value);
    }
    if (command->call <= CALL_BLOCK_CRC) {
        return block_call(volumes[command->object], command, value);
    }
    switch (command->call) {
    case CALL_COUNTER_TAKE:
        return take(command->value, value);
    case CALL_COUNTER_RESERVE:
        return counter_reserve(&e_counter);
    case CALL_COUNTER_RESTART:
        return counter_restart(&e_counter);
    default:
        medium_call(command);
        return 0;
    }
}

THREAD(user, MODEL_STACK, 8)
{
    struct answer answer = {.result = MODEL_BEGIN};
    struct command command;
    played_renew();
    for (;;) {
        model_next(0, &answer, &command);
        answer.result = call(&command, &answer.value);
    }
}
