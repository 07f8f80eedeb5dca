/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What an architecture must provide: the only names the kernel uses of it.
 *
 * An architecture is a folder beside this file. It holds the assembly of the
 * system (entry, exit, context switch, start-up) and one public header,
 * include/lichen/arch.h, which defines every name marked [inline] below as a
 * constant, a macro or an inline function. The rest are ordinary symbols.
 *
 * The model that every port keeps:
 *
 *   - Interrupts have levels 0 (most urgent) to ARCH_LEVELS - 1. The last is
 *     the kernel's: all kernel data is touched there and nowhere else, so the
 *     kernel needs neither locks nor masked interrupts.
 *   - ARMv6-M: four levels; the kernel's is 3, where PendSV, SVC, SysTick and
 *     the chip's clock run on the main stack. Threads run on the process stack.
 *   - AVR: two levels; interrupts are 0, and the kernel's level runs on the
 *     kernel stack from the tail of the outermost interrupt, interrupts on.
 *     arch_kernel_request sets the flag which that tail tests. Pointers have
 *     16 bits; constants in flash need ARCH_FLASH and its readers.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

/* [inline] ARCH_LEVELS          how many interrupt levels there are, the kernel's included
 * [inline] ARCH_LEVEL_KERNEL    ARCH_LEVELS - 1
 * [inline] ARCH_LEVEL_DRIVER    the level drivers use unless they say otherwise
 * [inline] ARCH_STACK_ALIGN     alignment of a stack, bytes
 * [inline] ARCH_FRAME_BYTES     what a switched-out thread keeps on its stack, bytes
 * [inline] ARCH_STACK_SPARE     least distance of a saved stack pointer from its stack's lowest
 * byte [inline] ARCH_STATUS_EXCEPTION(s)  the exception's number in a processor status, 0 in a
 * thread [inline] ARCH_FLASH           address-space qualifier of constants that stay in flash
 * [inline] ARCH_INTERRUPT(v)    opens the handler of vector v: ARCH_INTERRUPT(TC3) { ... }
 * [inline] ARCH_INTERRUPT_OVER(v)  the same, with `const struct exception_frame *interrupted`: what
 *                                  the processor keeps of what the handler interrupted
 */

/* True in a thread, false in any interrupt and at the kernel level.
 * context   any
 * blocks    no       cost  4 cycles
 */
static inline bool arch_in_thread(void); /* [inline] */

/* Asks for the kernel level: it runs as soon as no interrupt of another level does.
 * Requests made before it runs merge into one.
 * context   any
 * blocks    no       cost  6 cycles
 */
static inline void arch_kernel_request(void); /* [inline] */

/* Work that is done at the kernel level. What it returns goes to the calling thread.
 * typedef int arch_call_fn(void *argument);                       [inline]
 * typedef int arch_call_with_fn(void *argument, void *second);    [inline]
 * typedef void arch_do_fn(void *argument);                        [inline]
 */

/* Runs fn(argument) at the kernel level and returns what it returned, or later, if fn took
 * the calling thread off the ready list: then when the thread is made ready again.
 * int arch_kernel_call(arch_call_fn *fn, void *argument);   [inline]
 * returns   what fn returned
 * context   thread: elsewhere the processor faults
 * blocks    if fn blocks the caller
 * owns      argument lies on the caller's stack as a rule, and stays valid until this returns
 */

/* The same for fn(argument, second).
 * int arch_kernel_call_with(arch_call_with_fn *fn, void *argument, void *second);   [inline]
 */

/* arch_kernel_call for what has no result. */
static inline void arch_kernel_do(arch_do_fn *fn, void *argument); /* [inline] */

/* In a thread arch_kernel_call_with, elsewhere fn(argument, second) at once. `fn` comes last, so
 * that a caller's own arguments are in their places already.
 * int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn);   [inline]
 * returns   what fn returned
 * context   event, thread
 */

/* Runs fn(argument, second) where no other function that is run in this way comes in between: at
 * the kernel level, as arch_kernel_run does, or here and now where interrupts are masked or the
 * program has no kernel level, and only cooperative threads call it. returns   what fn returned
 * context   init, event, thread, coop
 */
int arch_run_exclusive(void *argument, void *second, arch_call_with_fn *fn);

/* arch_kernel_do for the last call of a thread: it goes on elsewhere or not at all.
 * context   thread
 */
static inline _Noreturn void arch_kernel_leave(arch_do_fn *fn, void *argument); /* [inline] */

/* arch_kernel_do for calls that wait as a rule. The caller's registers are not kept over it, which
 * the compiler knows, so that switching is cheaper in both directions.
 *
 * context   thread
 */
static inline void arch_kernel_wait(arch_do_fn *fn, void *argument); /* [inline] */

/* [inline] ARCH_MUTEX_CALL(f, mutex): calls mutex_enter or mutex_leave, which lock and unlock a
 * mutex (lichen/mutex.h) that nobody contends for, in the thread, and turn to mutex_lock_contended
 * and mutex_unlock_contended where somebody does. A thread that another one interrupts between its
 * look at the owner and its store looks again.
 * returns   what mutex_lock returns; of mutex_leave nothing
 * context   thread
 */

/* Lets the next ready thread of equal priority run, if there is one.
 * context   thread
 */
static inline void arch_yield(void); /* [inline] */

/* Lays the first frame of a thread on its stack, so that switching to it enters entry(0), and its
 * return enters thread_exit. A debugger sees no caller below `entry`.
 * top       first address above the stack, aligned to ARCH_STACK_ALIGN
 * returns   the value for the saved stack pointer of the control block
 * context   init, event
 */
static inline void *arch_stack_prepare(void *top, void (*entry)(void *argument)); /* [inline] */

/* Gives another argument to the first frame of a thread that has not begun.
 * sp        what arch_stack_prepare returned
 * context   event
 */
static inline void arch_stack_argument(void *sp, void *argument); /* [inline] */

/* Leaves start-up for good: it becomes the idle thread, which enters entry(argument), whatever the
 * argument, on the stack below `top`. Interrupts come from here on.
 * context   init, once
 */
_Noreturn void arch_start_threads(void *top, void (*entry)(void *argument));

/* Leaves start-up in a program without threads: interrupts come from here on, and the caller goes
 * on as the only thread there is, on the kernel's stack.
 * context   init, once
 */
static inline void arch_start_alone(void); /* [inline] */

/* Sleeps in the chosen mode until an interrupt has been served; returns at once if one was since
 * the last wait, so that nothing is lost between a last look and the wait.
 * context   thread
 */
static inline void arch_wait(void); /* [inline] */

/* Runs each ready cooperative thread once, in the order of the linker's arrays
 * (kernel/coop/coop.h).
 * returns   true if one was ready
 * context   thread
 */
bool arch_coop_pass(void);

/* The body of the idle thread: sleeps in the mode chosen at the kernel level, for ever.
 * context   thread (idle)
 */
_Noreturn void arch_idle(void *argument);

/* Starts the slice timer, whether it runs or not. kernel_slice() is called at the kernel level when
 * `left` processor cycles have gone by, and then each `cycles`. It does not run while the processor
 * sleeps. arch_yield() that finds another thread to run makes it begin anew, with all `cycles`.
 * left      4 to `cycles`
 * context   event
 */
void arch_slice_start(uint32_t left, uint32_t cycles);

/* Stops it.
 * returns   the cycles that were left, 0 if they have gone by and kernel_slice() was not called
 * yet: now it is not context   event
 */
uint32_t arch_slice_stop(void);

/* Gives the kernel's own interrupts their level and the kernel's stack its paint. Interrupts are
 * masked from reset until arch_start_threads, and never again but for a panic.
 * context   init, once
 */
void arch_init(void);

/* Moves the interrupt vectors to RAM, for handlers that must not wait for flash.
 * context   init
 */
void arch_vectors_to_ram(void);

/* Resets the chip, or stops for good with interrupts off, where a debugger finds it.
 * context   any
 */
_Noreturn void arch_reset(void);
_Noreturn void arch_halt(void);

/* Whether words can be read at an address: it is aligned, and all of them lie in flash or RAM. For
 * whoever looks into a broken program.
 * context   any
 */
bool arch_can_read(const void *address, size_t bytes);

/* Finds the place of its caller and goes to panic_end on the kernel's stack.
 * context   any
 */
_Noreturn void arch_panic(uint32_t reason, uint32_t detail);

/* The same, but the place is where a handler opened by ARCH_INTERRUPT_OVER came.
 * context   rt: that handler
 */
struct exception_frame;
_Noreturn void arch_panic_interrupted(uint32_t reason, uint32_t detail,
                                      const struct exception_frame *interrupted);

/* -------- what the kernel provides to the architecture */

/* Start-up ends here: memory is initialised, interrupts are masked. */
_Noreturn void kernel_main(void);

/* The slice timer fired. context: kernel level. */
void kernel_slice(void);

/* What the architecture tells of the place of a panic. */
struct arch_place {
    uint32_t pc;
    uint32_t lr; /* 0 if not known */
    uint32_t sp;
    uint32_t
        status; /* processor status; its low bits are the number of the exception, 0 in a thread */
};

/* Ends the program: reason (enum panic_reason) and detail as in lichen/panic.h. Called with
 * interrupts off, on the kernel's stack from its top, which nothing else uses any more.
 */
_Noreturn void panic_end(uint32_t reason, uint32_t detail, const struct arch_place *place);

/* The kernel's stack, as the linker placed it. */
extern uint8_t kernel_stack_bottom[] __attribute__((aligned(ARCH_STACK_ALIGN)));
extern uint8_t kernel_stack_top[];

/* What every word of a stack is before it is used. */
#define ARCH_STACK_PAINT 0xa5a5a5a5u

#endif
