/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The machine that tests are built on, in place of a mote's: what the network's sources need of
 * os/arch/arch.h. Nothing interrupts them, so a call of the kernel is a call. */
#ifndef LICHEN_ARCH_H
#define LICHEN_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#define ARCH_LEVELS             1
#define ARCH_LEVEL_INDEX(level) (level)
#define ARCH_LEVEL_DRIVER       0

#define ARCH_EVEN
#define ARCH_FLASH
#define ARCH_FLASH_IS_APART 0
#define ARCH_TEXT(literal)  (literal)
#define ARCH_TEXT_PLACED(name)

static inline char arch_text(const char *at)
{
    return *at;
}

typedef int arch_call_fn(void *argument);
typedef int arch_call_with_fn(void *argument, void *second);
typedef void arch_do_fn(void *argument);

/* What is called has one argument or two, and a result or none, as on a mote. */
int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn);

/* Threads, if there were any. */
#define ARCH_FRAME_BYTES 8
#define ARCH_STACK_ALIGN 8
#define ARCH_CPU_TIME_CALL
struct arch_cpu_time {
};
typedef unsigned arch_index_t;
struct notify;
struct thread;
void arch_yield(void);
bool arch_in_thread(void);
void arch_notify_wait(struct notify *notify);
void arch_kernel_request(void);
void arch_kernel_request_from(unsigned level);

/* A sequence is a function. */
#define ARCH_SEQUENCE_CALL(sequence, object)                                                       \
    ({                                                                                             \
        int sequence(void *);                                                                      \
        sequence(object);                                                                          \
    })

_Noreturn void host_assert_failed(const char *file, int line);
#define ARCH_ASSERT_FAILED(line) host_assert_failed(__FILE__, line)

#endif
