/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Descriptions of threads that are overwritten, while a program panics. */
#include <lichen/panic.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"
#include "ways.h"

static void created(void *argument)
{
    (void)argument;
    sleep_ms(100);
}
static THREAD_STACK(twice_stack, 256);
struct thread_created twice = {
    .info = {.entry = created,
             .stack = twice_stack,
             .stack_bytes = sizeof(twice_stack),
             .name = "twice",
             .priority = PRIORITY_LOW},
};

/* A panic describes a thread that was made at run time from memory that may itself be corrupt. It
 * walks the list of these threads for a thread that is not declared: here the idle thread. */
void list_broken(struct thread_created *link)
{
    expect(thread_create(&twice, 0) == 0);
    twice.next = link;
}

static void fails(void *argument);
struct thread_created nameless = {
    .info = {.entry = fails,
             .stack = twice_stack,
             .stack_bytes = sizeof(twice_stack),
             .priority = PRIORITY_HIGH},
};

/* Its stack is not found either. */
static void fails(void *argument)
{
    (void)argument;
    nameless.info.stack = (uint8_t *)(uintptr_t)NOWHERE;
    panic(0);
}

void list_leads_nowhere(void)
{
    list_broken((struct thread_created *)(uintptr_t)NOWHERE);
    fault_soon();
}

void list_leads_between_words(void)
{
    list_broken((struct thread_created *)((uint8_t *)&twice + 1));
    fault_soon();
}

void list_is_a_circle(void)
{
    list_broken(&twice);
    fault_soon();
}

void name_leads_nowhere(void)
{
    nameless.info.name = (const char *)(uintptr_t)NOWHERE;
    expect(thread_create(&nameless, 0) == 0);
}

void name_has_no_end(void)
{
    nameless.info.name = (const char *)kernel_stack_bottom;
    expect(thread_create(&nameless, 0) == 0);
}
