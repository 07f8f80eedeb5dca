/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "mote.h"

#include <stdlib.h>
#include <string.h>

#include <lichen/error.h>
#include <lichen/notify.h>
#include <lichen/time.h>

#include "../host/host.h"
#include "chip/code.h"
#include "load/ahead.h"
#include "load/calls.h"
#include "load/install.h"
#include "load/linker.h"
#include "load/mac.h"
#include "load/partition.h"
#include "load/thread.h"

/* -------- random numbers */

static uint32_t state = 1;

void mote_seed(uint32_t seed)
{
    state = seed * 2654435761u | 1u;
}

uint32_t mote_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

uint32_t mote_below(uint32_t bound)
{
    return mote_random() % bound;
}

/* -------- flash */

#define FLASH_BYTES 0x10000u

static uint8_t flash[FLASH_BYTES];
static bool is_weak[FLASH_BYTES / CODE_PAGE]; /* power failed in its erasure or in a write to it */
static uint8_t page_buffer[CODE_PAGE];
static bool was_put[CODE_PAGE / 2];
static uint32_t operations;
static uint32_t cut_at = UINT32_MAX;
static enum mote_torn cut_torn;

jmp_buf mote_power;
bool (*mote_may_write)(uint32_t page);
bool mote_is_worn;

const uint8_t *mote_flash(uint32_t address)
{
    require(address < FLASH_BYTES);
    return flash + address;
}

void mote_cut(uint32_t operation, enum mote_torn torn)
{
    cut_at = operation == UINT32_MAX ? UINT32_MAX : operations + operation;
    cut_torn = torn;
}

uint32_t mote_operations(void)
{
    return operations;
}

code_address_t code_programs_begin(void)
{
    return MOTE_BEGIN;
}

code_address_t code_programs_end(void)
{
    return MOTE_BEGIN + MOTE_PAGES * CODE_PAGE;
}

code_address_t code_directory(void)
{
    return MOTE_DIRECTORY;
}

uint16_t code_read(code_address_t address)
{
    require(address % 2 == 0 && address < FLASH_BYTES);
    return (uint16_t)(flash[address] | flash[address + 1] << 8);
}

void code_read_all(code_address_t address, void *to, uint8_t bytes)
{
    require(address % 2 == 0 && bytes % 2 == 0 && address + bytes <= FLASH_BYTES);
    memcpy(to, &flash[address], bytes);
}

/* The ATmega128 keeps what was put first. */
void code_put(uint8_t offset, uint16_t halfword)
{
    require(offset % 2 == 0 && !was_put[offset / 2]);
    was_put[offset / 2] = true;
    page_buffer[offset] = (uint8_t)halfword;
    page_buffer[offset + 1] = (uint8_t)(halfword >> 8);
}

void code_forget(void)
{
    memset(page_buffer, 0xff, sizeof(page_buffer));
    memset(was_put, 0, sizeof(was_put));
}

static void tear(uint8_t *at, const uint8_t *to)
{
    const uint32_t prefix = mote_below(CODE_PAGE);

    for (uint32_t i = 0; i < CODE_PAGE; i++) {
        const uint8_t choices[TORN_WAYS] = {
            [TORN_BEFORE] = at[i],
            [TORN_ERASED] = 0xff,
            [TORN_PREFIX] = i < prefix ? to[i] : 0xff,
            [TORN_MIXED] = mote_below(3) == 0   ? at[i]
                           : mote_below(2) == 0 ? to[i]
                                                : 0xff,
            [TORN_GARBAGE] = (uint8_t)mote_random(),
            [TORN_BEHIND] = to[i],
        };
        at[i] = choices[cut_torn];
    }
}

/* Makes a page what it is to be. */
static int operate(code_address_t page, const uint8_t *to)
{
    require(page % CODE_PAGE == 0 && page < FLASH_BYTES);
    require(mote_may_write == 0 || mote_may_write(page));
    if (operations++ == cut_at) {
        cut_at = UINT32_MAX;
        tear(flash + page, to);
        is_weak[page / CODE_PAGE] = true;
        longjmp(mote_power, 1);
    }
    if (!mote_is_worn) {
        memcpy(flash + page, to, CODE_PAGE);
    }
    code_forget();
    return mote_is_worn ? ERR_IO : 0;
}

int code_write_in_turn(code_address_t page)
{
    is_weak[page / CODE_PAGE] = false;
    return operate(page, page_buffer);
}

/* Clears bits, and in a page that is not sound others, too. */
int code_add_in_turn(code_address_t page)
{
    uint8_t sum[CODE_PAGE];

    for (unsigned i = 0; i < CODE_PAGE; i++) {
        sum[i] = flash[page + i] & page_buffer[i] & (is_weak[page / CODE_PAGE] ? 0x7f : 0xff);
    }
    return operate(page, sum);
}

int code_erase_in_turn(code_address_t page)
{
    uint8_t erased[CODE_PAGE];

    memset(erased, 0xff, sizeof(erased));
    is_weak[page / CODE_PAGE] = false;
    return operate(page, erased);
}

/* -------- the kernel */

#define ROWS 8

uint8_t arena_begin[MOTE_ARENA] __attribute__((aligned(ARCH_STACK_ALIGN)));
__asm__(".global arena_end\n.set arena_end, arena_begin + 2048");

uint64_t mote_now;
static struct program *running[ROWS];
static enum reset_cause cause;
static struct panic_record record;
struct program_remains program_remains;

uint64_t time_now_us(void)
{
    return mote_now;
}

/* What a program has in RAM is its own. */
enum load_error program_check(const struct program *program)
{
    (void)program;
    return LOAD_OK;
}

enum load_error program_fill(const struct program *program)
{
    (void)program;
    return LOAD_OK;
}

uint8_t program_event_slots(void)
{
    return 4;
}

uint16_t program_event_stack(void)
{
    return 96;
}

int program_run(struct program *program)
{
    require(program->slot < ROWS && running[program->slot] == 0);
    running[program->slot] = program;
    return 0;
}

void program_stop(struct program *program)
{
    if (running[program->slot] == program) {
        running[program->slot] = 0;
    }
}

uint8_t program_threads_alive(const struct program *program)
{
    return running[program->slot] == program;
}

bool program_runs(const struct program *program)
{
    return running[program->slot] == program;
}

struct program *mote_running(uint8_t row)
{
    return running[row];
}

void mote_end(uint8_t row)
{
    running[row] = 0;
}

uint32_t calls_identity(void)
{
    return 0x1dc0ffee;
}

void calls_forget(void)
{
}

bool calls_group(uint8_t group, uint16_t fingerprint)
{
    (void)group;
    (void)fingerprint;
    return true;
}

uintptr_t linker_call(uint8_t id)
{
    (void)id;
    return 0;
}

/* The image has no partitions. */
enum load_error partition_take(struct partition_reader *reader, uint8_t byte, bool is_last)
{
    return partition_take_none(reader, byte, is_last);
}

bool partition_is_taken(const struct partition_reader *reader, uint8_t own)
{
    return partition_is_taken_none(reader, own);
}

enum load_error partition_bind(const struct program *program)
{
    return partition_bind_none(program);
}

void partition_stop(struct program *program)
{
    program_stop(program);
}

/* A tag is right if it is 0. */
void mac_add(struct cmac *cmac, const uint8_t *bytes, uint16_t length)
{
    (void)cmac;
    (void)bytes;
    (void)length;
}

bool mac_check(struct cmac *cmac, const uint8_t *tag)
{
    (void)cmac;
    return memcmp(tag, &(uint8_t[CONTAINER_MAC_BYTES]){0}, CONTAINER_MAC_BYTES) == 0;
}

struct program *program_of(const void *object)
{
    (void)object;
    return 0;
}

struct thread *thread_self(void)
{
    return 0;
}

const struct program_crash *program_crash_look(void)
{
    return 0;
}

void program_crash_forget(void)
{
}

/* Sequences, which are functions here. */
int mutex_enter(void *mutex);
int mutex_leave(void *mutex);
int notify_give(void *notify);

int mutex_enter(void *mutex)
{
    (void)mutex;
    return 0;
}

int mutex_leave(void *mutex)
{
    (void)mutex;
    return 0;
}

int notify_give(void *notify)
{
    (void)notify;
    return 0;
}

void notify_deliver(struct event *event)
{
    (void)event;
}

bool arch_in_thread(void)
{
    return true;
}

void arch_notify_wait(struct notify *notify)
{
    (void)notify;
}

int notify_wait_service(void *syscall)
{
    (void)syscall;
    return 0;
}

int syscall_run_on_until(arch_call_fn *fn, void *object, uint64_t deadline)
{
    (void)fn;
    (void)object;
    (void)deadline;
    return 0;
}

/* -------- starts */

void mote_erase(void)
{
    memset(flash, 0xff, sizeof(flash));
    memset(is_weak, 0, sizeof(is_weak));
    operations = 0;
    cut_at = UINT32_MAX;
}

static void begin(void)
{
    memset(running, 0, sizeof(running));
    for (uint32_t i = 0; i < MOTE_ARENA; i++) {
        arena_begin[i] = (uint8_t)mote_random();
    }
    mote_now = 0;
    install_give_up();
    code_forget();
    ahead_free(AHEAD_PROGRAM, 0, 0);
    ahead_free(AHEAD_DIRECTORY, 0, 0);
    loader_boot();
}

void mote_boot(void)
{
    program_remains.young = (uint8_t)mote_random();
    mote_boot_after(RESET_POWER, 0);
}

enum reset_cause reset_cause(void)
{
    return cause;
}

const struct panic_record *panic_last(void)
{
    return record.thread != 0 ? &record : 0;
}

void mote_boot_after(enum reset_cause cause_, uintptr_t thread)
{
    program_remains.panicked = PROGRAM_PANICKED;
    cause = cause_;
    record.thread = thread;
    begin();
}

void mote_restart(void)
{
    cause = RESET_SOFTWARE;
    begin();
}

void mote_serve(void)
{
    (void)loader_serve(false);
}

void mote_idle(void)
{
    (void)loader_serve(true);
}
