/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How a program that was loaded begins, and how it ends.
 *
 * That a thread of a program is alive is not counted, since threads start, end and are made in
 * several ways: when one ends, the others are looked at. So the end of a program has one path,
 * thread_ended_of_programs, whether its last thread returns, is destroyed or is stopped with it.
 */
#include "kernel/program/program.h"

#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/program/end.h"
#include "kernel/program/events.h"
#include "kernel/program/walk.h"
#include "kernel/start.h"
#include "kernel/thread/ready.h"
#include "kernel/thread/thread.h"

NEEDS(panic_begin_of_programs);
NEEDS(mutex_take_of_programs);
NEEDS(thread_info_of_programs);

/* In programs that make threads at run time. */
#pragma weak threads_created

/* What the linker was told of the image's manifest (os/kernel/count.ld): their addresses are the
 * numbers. */
extern const uint8_t programs_events[], programs_event_stack[];

struct program *programs;

/* An image without what would have to be told. */
void program_ended_none(struct program *program)
{
    (void)program;
}

void program_left_none(const struct program *program)
{
    (void)program;
}

uint8_t program_event_slots(void)
{
    return (uint8_t)(uintptr_t)programs_events;
}

uint16_t program_event_stack(void)
{
    return (uint16_t)(uintptr_t)programs_event_stack;
}

/* -------- what belongs to a program */

static bool lies_in(const void *address, const uint8_t *begin, size_t bytes)
{
    return (uintptr_t)address - (uintptr_t)begin < bytes;
}

/* The stacks lie behind the objects. */
static size_t object_block_bytes(const struct program *program)
{
    return (size_t)program->header->object_bytes + program->header->stack_bytes;
}

bool program_has(const struct program *program, const void *object)
{
    return lies_in(object, program->objects, object_block_bytes(program)) ||
           lies_in(object, program->data, program->header->data_bytes);
}

struct program *program_of(const void *object)
{
    struct program *program = programs;
    while (program != 0 && !program_has(program, object)) {
        program = program->next;
    }
    return program;
}

static int runs(void *program)
{
    const struct program *other = programs;
    while (other != 0 && other != program) {
        other = other->next;
    }
    return other != 0;
}

/* Of a program that runs; those that it made at run time are counted too. */
static uint8_t threads_alive(const struct program *program)
{
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    uint8_t count = 0;
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        count += info->thread->state != THREAD_STOPPED;
    }
    struct thread_created *created = &threads_created != 0 ? threads_created : 0;
    for (; created != 0; created = created->next) {
        count += program_has(program, &created->thread);
    }
    return count;
}

static int count_threads(void *program)
{
    return runs(program) != 0 ? threads_alive(program) : 0;
}

uint8_t program_threads_alive(const struct program *program)
{
    return (uint8_t)kernel_run(count_threads, (void *)(uintptr_t)program);
}

bool program_runs(const struct program *program)
{
    return kernel_run(runs, (void *)(uintptr_t)program) != 0;
}

/* A thread of the program that was made at run time and has not ended, or 0. */
static struct thread *created_thread(const struct program *program)
{
    struct thread_created *created = &threads_created != 0 ? threads_created : 0;
    while (created != 0 && !program_has(program, &created->thread)) {
        created = created->next;
    }
    return created != 0 ? &created->thread : 0;
}

/* An event may come as long as nobody stops the program. */
static bool is_alive(const struct program *program)
{
    if (program->header->events != 0) {
        return true;
    }
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        if (info->thread->state != THREAD_STOPPED) {
            return true;
        }
    }
    return created_thread(program) != 0;
}

/* -------- its end */

static void leave(struct program *program)
{
    struct program **link = &programs;
    while (*link != program) {
        link = &(*link)->next;
    }
    *link = program->next;
    if (program->header->events != 0 && program_events_end != 0) {
        program_events_end(program);
    }
    program_receivers_left(program);
    program_left(program);
    program_ended(program);
}

void thread_ended_of_programs(const struct thread *thread)
{
    struct program *program = program_of(thread);
    joins_end(thread);
    if (program != 0 && !is_alive(program)) {
        leave(program);
    }
}

/* It leaves the list with its last thread, if one is alive. */
void program_stop_service(void *program_)
{
    struct program *program = program_;
    if (!runs(program)) {
        return;
    }
    struct thread *created;
    while ((created = created_thread(program)) != 0) {
        thread_end_service(created);
    }
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        thread_end_service(info->thread);
    }
    if (runs(program)) {
        leave(program);
    }
}

static int is_of_caller(void *program)
{
    return program_has(program, kernel.current);
}

/* A thread of the program does not return from its own end. */
void program_stop(struct program *program)
{
    if (arch_kernel_call(is_of_caller, program) != 0) {
        arch_kernel_leave(program_stop_service, program);
    }
    arch_kernel_do(program_stop_service, program);
}

/* -------- its beginning */

static bool is_sound(const struct program *program, const ARCH_FLASH struct thread_info *info)
{
    const uint8_t *stacks = program->objects + program->header->object_bytes;
    unsigned misaligned = ((uintptr_t)info->stack | info->stack_bytes) % ARCH_STACK_ALIGN |
                          (uintptr_t)info->thread % sizeof(void *);
    return lies_in(info->thread, program->objects, program->header->object_bytes) &&
           lies_in(info->stack, stacks, program->header->stack_bytes) &&
           info->stack_bytes <= program->header->stack_bytes - (size_t)(info->stack - stacks) &&
           info->stack_bytes >= THREAD_STACK_MIN && misaligned == 0 &&
           (uint8_t)(info->priority - 1) < PRIORITY_MAX;
}

bool program_rows_are_sound(const struct program *program)
{
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        if (!is_sound(program, info)) {
            return false;
        }
    }
    return program->header->events == 0 ||
           (program_events_are_sound != 0 && program_events_are_sound(program));
}

/* They run on the kernel's stack, which was computed without them: `lichen build` adds
 * what they may use for the calls in this function (host/stack), and lichen/init.h says how much.
 */
static void program_starts_run(const struct program *program)
{
    init_fn *const ARCH_FLASH *start = program_starts(program);
    for (uint8_t left = program->header->starts; left > 0; left--) {
        (*start++)();
    }
}

static int take_slots(const struct program *program)
{
    if (program->header->events == 0) {
        return 0;
    }
    return program_events_begin != 0 ? program_events_begin(program) : ERR_FULL;
}

static int enter(void *program_)
{
    struct program *program = program_;
    struct program **link = &programs;
    int error = take_slots(program);
    if (error != 0) {
        return error;
    }
    while (*link != 0) {
        link = &(*link)->next;
    }
    program->next = 0;
    *link = program;
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        info->thread->info = info;
        thread_prepare(info->thread);
        if (!info->stopped) {
            ready_insert(info->thread);
        }
    }
    program_starts_run(program);
    return 0;
}

/* The stacks are painted here: they may be long, and nothing else needs to wait for that. */
int program_run(struct program *program)
{
    if (program_runs(program)) {
        return ERR_BUSY;
    }
    if (!program_rows_are_sound(program)) {
        return ERR_INVALID;
    }
    const ARCH_FLASH struct thread_info *info = program_threads(program);
    for (uint8_t left = program->header->threads; left > 0; left--, info++) {
        thread_stack_paint(info->stack, info->stack_bytes);
    }
    return arch_kernel_call(enter, program);
}
