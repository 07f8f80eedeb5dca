// SPDX-License-Identifier: MIT OR Apache-2.0
/* The kernel's structures in an image, two threads, and a place to fail. Nothing here runs. */
#include <lichen/kernel.h>
#include <lichen/panic.h>
#include <lichen/thread.h>

#define PAINT 0x5ac35ac3u

extern const struct thread_info threads_begin[], threads_end[];

struct panic_record panic_record;
enum panic_reason last_reason;
struct kernel kernel;
static uint32_t kernel_stack[64] __attribute__((section(".kernel_stack")));

__attribute__((used)) const struct lichen_abi lichen_abi = {
    .version = LICHEN_ABI_VERSION,
    .threads_begin = threads_begin,
    .threads_end = threads_end,
    .panic = &panic_record,
    .kernel = &kernel,
    .kernel_stack_begin = kernel_stack,
    .kernel_stack_end = kernel_stack + 64,
    .stack_paint = PAINT,
};

__attribute__((used)) void panic_recorded(void)
{
    __asm__ volatile("nop");
}

/* A program with threads defines it. */
__attribute__((used)) void threads_start(void)
{
    __asm__ volatile("nop");
}

/* Threads whose bodies return call it. */
_Noreturn void thread_exit(void)
{
    for (;;) {
    }
}

/* A program with cooperative threads defines these. */
uint8_t coop_states_end;
__attribute__((used)) void coop_run(void)
{
    __asm__ volatile("nop");
}
__attribute__((used)) void coop_body_worker(void)
{
    __asm__ volatile("nop");
}

/* A program that makes threads at run time. */
struct thread_created *threads_created;

THREAD(logger, 256, PRIORITY_APP)
{
}

THREAD_STOPPED(sampler, 128, PRIORITY_HIGH)
{
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    kernel_stack + 64,
    (void *)panic_recorded,
};
