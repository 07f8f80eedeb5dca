/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What interrupts and the kernel share, and where a debugger starts. Not for applications.
 *
 * Posts travel from an interrupt to the kernel level without masked interrupts. A ring of posts has
 * its level as writer and the kernel as reader; it has a slot for every postable object of the
 * program and one more, so it is never full, and it is empty when the two indices are equal. The
 * direct slot changes hands by its value: the drivers' level fills it when it is empty, and the
 * kernel empties it when it is full. All other fields are the kernel's.
 *
 * Nothing here is volatile: an interrupt handler cannot be interrupted by the kernel, so no field
 * changes while it runs, and the kernel reads what interrupts write in assembly.
 *
 * The linker places and sizes the structure (os/kernel/ram.ld), because only it knows how many
 * events a program has. Its offsets are known to os/arch.
 */
#ifndef LICHEN_KERNEL_H
#define LICHEN_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

struct event;
struct thread;
struct thread_info;

struct kernel {
    struct thread *current; /* the thread that runs or is interrupted; written by the switch */
    struct thread *ready;   /* ready threads in the order in which they run; the last one is the
                               idle thread, whose next one is itself */
    /* Indexed by KERNEL_INDEX(level). */
    uint8_t in[ARCH_LEVELS];  /* per level the slot to fill next, counting down; the level writes */
    uint8_t out[ARCH_LEVELS]; /* per level the slot to empty next; the kernel writes */
    struct event *direct;     /* a notification or semaphore, from the drivers' level; 0: empty */
    uint8_t threshold; /* a woken thread of a higher priority simply goes to the head of `ready` */
    struct event *slot[][ARCH_LEVELS]; /* the rings; filled from row KERNEL_SLOTS - 1 to row 0 */
};

extern struct kernel kernel;

/* The threshold while the slice of the first ready thread is counted, because it has equals: no
 * priority is above this. Otherwise the threshold is that thread's priority. */
#define KERNEL_SLICED 255

/* The threshold while all threads wait and the clock must be fast before one of them continues
 * (os/kernel/power/clock.c): no priority is above this either. */
#define KERNEL_WAITS_SLOWLY 254

/* Its address is the number below. */
extern const uint8_t kernel_slots[];

/* The index of a level in arrays of bytes, in the order in which dispatch is shortest. */
#define KERNEL_INDEX(level) ARCH_LEVEL_INDEX(level)

/* How many slots a ring has. */
#define KERNEL_SLOTS ((unsigned)(uintptr_t)kernel_slots)

/* The structure, as an address that the compiler does not know: one register serves all fields,
 * where it would otherwise load an address for each.
 * returns   `kernel`
 * context   any
 * blocks    no       cost  2 cycles
 */
static inline struct kernel *kernel_state(void)
{
    struct kernel *state = &kernel;
    __asm__("" : "+r"(state));
    return state;
}

/* Runs fn(argument, second) at the kernel level: in a thread by a call, elsewhere at once.
 * doc/design/kernel.md, "Calls", lists the paths to the kernel level.
 * returns   what fn returned
 * context   event, thread, coop
 * blocks    no
 */
static inline int kernel_run_with(arch_call_with_fn *fn, void *argument, void *second)
{
    return arch_kernel_run(argument, second, fn);
}

/* The same with one argument; the second is what the register happens to hold.
 * returns   what fn returned
 * context   event, thread, coop
 * blocks    no
 */
static inline int kernel_run(arch_call_fn *fn, void *argument)
{
    void *second;
    __asm__("" : "=r"(second));
    return arch_kernel_run(argument, second, (arch_call_with_fn *)(uintptr_t)fn);
}

/* kernel_run for a function without a result.
 * context   event, thread, coop
 * blocks    no
 */
static inline void kernel_do(arch_do_fn *fn, void *argument)
{
    (void)kernel_run((arch_call_fn *)(uintptr_t)fn, argument);
}

/* Version of the layout of everything that a host tool reads. It changes when a structure below
 * changes. */
#define LICHEN_ABI_VERSION 1

/* The starting point of kernel awareness: structures are found by name in the debug information. In
 * a section of the image that is not loaded (os/kernel/count.ld). */
struct lichen_abi {
    uint32_t version;                                   /* LICHEN_ABI_VERSION */
    const ARCH_FLASH struct thread_info *threads_begin; /* the declared threads, in flash */
    const ARCH_FLASH struct thread_info *threads_end;
    const void *panic;              /* struct panic_record */
    const void *kernel;             /* struct kernel */
    const void *kernel_stack_begin; /* painted with stack_paint at start-up, as thread stacks are */
    const void *kernel_stack_end;
    uint32_t stack_paint; /* each word of a stack that was never touched */
};

#endif
