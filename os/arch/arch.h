/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What an architecture must provide: the only names through which the kernel uses it.
 *
 * An architecture is a folder beside this file. It holds all assembly code of the system (entry,
 * exit, context switch, start-up) and one public header, include/lichen/arch.h, which defines every
 * name marked [inline] below as a constant, a macro or an inline function. The other names are
 * ordinary symbols.
 *
 * The model that every port keeps:
 *
 *   - Interrupts have levels 0 (most urgent) to ARCH_LEVELS - 1. The last is
 *     the kernel's: its lists are accessed there and nowhere else, so the
 *     kernel needs neither locks nor masked interrupts.
 *   - ARMv6-M: four levels; the kernel's is 3, where PendSV, SVC, SysTick and
 *     the chip's report of an alarm run on the main stack. Threads run on the
 *     process stack.
 *   - AVR: three levels. 0 runs with interrupts off; 1, the drivers', with interrupts on: an entry
 *     of a few instructions defers a handler of level 1 that comes while another one runs; 2 is the
 *     kernel's, entered from the exit of the interrupt that has interrupted a thread, on the
 *     kernel's stack. Pointers have 16 bits; constants in flash need ARCH_FLASH and its readers.
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
 * [inline] ARCH_LEVEL_INDEX(l)  where a level is in arrays of a byte for each
 * [inline] ARCH_RT_LEVELS       how many levels real-time tasks may have, from 0 on; the last one
 *                               may be the drivers' level
 * [inline] ARCH_STACK_ALIGN     alignment of a stack, bytes
 * [inline] ARCH_FRAME_BYTES     what a switched-out thread keeps on its stack, bytes
 * [inline] ARCH_STACK_SPARE     least distance of a saved stack pointer from its stack's lowest
 *                               byte
 * [inline] ARCH_STACK_RESERVE   least distance to its end that the kernel's stack may have had
 * [inline] ARCH_STATUS_EXCEPTION(s)  the exception's number in a processor status, 0 in a thread
 * [inline] ARCH_CODE_ADDRESS(pc)      the address in bytes of a record's pc, which tools know it by
 * [inline] ARCH_FAULT_IS_PRECISE      1 if a fault's record has the place of what failed, else 0
 */

/* Constants in flash, where flash is not read like RAM.
 * [inline] ARCH_FLASH           address-space qualifier of constants that stay in flash. Objects
 *                               that a section attribute places are declared without it, and read
 *                               through declarations and pointers with it
 * [inline] ARCH_FLASH_IS_APART  1 if flash has addresses of its own, else 0
 * [inline] ARCH_FLASH_OF(p)     the same pointer with the qualifier, for such objects
 * [inline] ARCH_FLASH_PLACED(n) attribute of such an object that needs no section of its own
 * [inline] ARCH_TEXT(literal)   a string literal that stays in flash, as a `const char *`: for
 *                               texts that are read by arch_text(at) only
 * [inline] ARCH_TEXT_PLACED(n)  attribute of a `const char` array of that kind
 */

/* Data that interrupts share, and what linker scripts and assembly need.
 * [inline] arch_index_t         an unsigned integer that is loaded and stored by one instruction
 *                               each, and so never seen half written
 * [inline] arch_word_t          an unsigned integer that is loaded by one instruction; the paint of
 *                               stacks is compared by it
 * [inline] ARCH_EVEN            attribute of structures at even addresses, so that bit 0 of a
 *                               pointer can say what the rest of it means
 * [inline] ARCH_CALL_TAG        a bit that is 0 in the address of whatever lies on a stack
 * [inline] ARCH_POINTER_ALIGN   alignment of pointers, for the assembler
 * [inline] ARCH_REFER(section, symbol)       makes a section refer to a symbol, which is linked
 *                                            with it
 * [inline] ARCH_NO_VALUE_FOR_UNDEFINED       options with which the compiler chooses no value for a
 *                                            variable that has none, and so reports it
 * [inline] ARCH_SECOND_NAME(name, function)  gives a function another name, for tools
 */

/* Numbers of 64 bits, which a processor with registers of 8 bits handles best where they are.
 * context   any
 * blocks    no       cost  on AVR, 45 to 110 cycles
 */
static inline void arch_u64_copy(uint64_t *to, const uint64_t *from);         /* [inline] */
static inline bool arch_u64_less(const uint64_t *one, const uint64_t *other); /* [inline] */
/* Adds the other, and 1 if there is a carry. */
static inline void arch_u64_add(uint64_t *sum, const uint64_t *other, bool carry); /* [inline] */
/* returns   later - earlier, or UINT32_MAX if that is more */
static inline uint32_t arch_u64_between(const uint64_t *earlier,
                                        const uint64_t *later); /* [inline] */

/* Handlers.
 * [inline] ARCH_INTERRUPT(v)    opens the handler of vector v: ARCH_INTERRUPT(TC3) { ... }
 * [inline] ARCH_INTERRUPT_OVER(v)  the same, with `const struct exception_frame *interrupted`: what
 *                                  the processor keeps of what the handler interrupted
 * [inline] ARCH_RT_HANDLER(place, task, v)     opens the handler of a real-time task
 * [inline] ARCH_RT_ENTRY(task, v, priority)    inside a function: binds that handler to its level
 */

/* True in a thread, false in any interrupt handler and at the kernel level.
 * context   any
 * blocks    no       cost  4 cycles
 */
static inline bool arch_in_thread(void); /* [inline] */

/* Requests the kernel level: it runs as soon as no interrupt of another level does. Requests made
 * before it runs merge into one.
 * context   any
 * blocks    no       cost  6 cycles
 */
static inline void arch_kernel_request(void); /* [inline] */

/* The same, from a level that the caller knows, which may be cheaper.
 * level     a constant
 * context   rt, interrupt or event of that level
 * blocks    no
 */
static inline void arch_kernel_request_from(unsigned level); /* [inline] */

/* Functions that run at the kernel level. The result of the first two goes to the calling thread.
 * typedef int arch_call_fn(void *argument);                       [inline]
 * typedef int arch_call_with_fn(void *argument, void *second);    [inline]
 * typedef void arch_do_fn(void *argument);                        [inline]
 */

/* Runs fn(argument) at the kernel level and returns its result. If fn took the calling thread off
 * the ready list, this returns when the thread is made ready again.
 * int arch_kernel_call(arch_call_fn *fn, void *argument);   [inline]
 * returns   what fn returned
 * context   thread: elsewhere the processor faults
 * blocks    if fn blocks the caller
 * owns      argument lies on the caller's stack as a rule, and stays valid until this returns
 */

/* The same for fn(argument, second).
 * int arch_kernel_call_with(arch_call_with_fn *fn, void *argument, void *second);   [inline]
 */

/* arch_kernel_call for a function without a result. */
static inline void arch_kernel_do(arch_do_fn *fn, void *argument); /* [inline] */

/* In a thread, the same as arch_kernel_call_with; elsewhere, calls fn(argument, second) directly.
 * `fn` comes last, so that a caller's own arguments are in their registers already.
 * int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn);   [inline]
 * returns   what fn returned
 * context   event, thread
 */

/* Runs fn(argument, second) such that no other function run in this way can interrupt it: at the
 * kernel level, as arch_kernel_run does, or directly, if interrupts are masked or if the program
 * has no kernel level, in which case only cooperative threads call it.
 * returns   what fn returned
 * context   init, event, thread, coop
 */
int arch_run_exclusive(void *argument, void *second, arch_call_with_fn *fn);

/* arch_kernel_do for the last call of a thread: the thread does not return from it.
 * context   thread
 */
static inline _Noreturn void arch_kernel_leave(arch_do_fn *fn, void *argument); /* [inline] */

/* notify_wait of lichen/notify.h. The caller's registers are not preserved across it, which the
 * compiler knows, so that switching is cheaper in both directions.
 * context   thread
 */
static inline void arch_notify_wait(struct notify *notify); /* [inline] */

/* [inline] ARCH_SEQUENCE_CALL(sequence, object): calls a restartable sequence, which does in the
 * thread what needs no kernel, and enters the kernel otherwise. A thread that is preempted between
 * the sequence's first read of the object and its last store begins the sequence again.
 *   mutex_enter, mutex_leave      lock and unlock a mutex; else mutex_lock_contended and
 *                                 mutex_unlock_contended
 *   semaphore_take                takes from a semaphore, or waits
 *   semaphore_try_take            the same, or ERR_EMPTY; in an event semaphore_try_in_event
 *   semaphore_give                gives; in an event semaphore_give_in_event
 *   notify_give                   notifies
 * returns   0, or what the function named beside it returned
 * context   thread, or as said
 */

/* Puts a message into a queue, or takes the oldest one out, in a thread and without the kernel,
 * like the sequences above.
 * returns   false, and nothing is done, if a thread waits, the queue is full or empty, or an event
 *           calls
 * context   event, thread
 */
struct queue;
bool queue_put_alone(struct queue *queue, const void *item);
bool queue_take_alone(struct queue *queue, void *item);

/* Restarts the sequence that the interrupted thread is in, if any. Called in an event before it
 * changes an object that sequences change.
 * context   event
 */
void sequence_restart(void);

/* Lets the next ready thread of equal priority run, if there is one.
 * context   thread
 */
static inline void arch_yield(void); /* [inline] */

/* Prepares the first frame of a thread on its stack, so that switching to the thread enters
 * entry(0), and returning from it enters thread_exit. A debugger sees no caller below `entry`.
 * top       first address above the stack, aligned to ARCH_STACK_ALIGN
 * returns   the value for the saved stack pointer of the control block
 * context   init, event
 */
static inline void *arch_stack_prepare(void *top, void (*entry)(void *argument)); /* [inline] */

/* Sets the argument in the first frame of a thread that has not begun.
 * sp        what arch_stack_prepare returned
 * context   event
 */
static inline void arch_stack_argument(void *sp, void *argument); /* [inline] */

/* Ends start-up and does not return: start-up becomes the idle thread, which enters
 * entry(argument), with any argument, on the stack below `top`. Interrupts are enabled from here
 * on.
 * context   init, once
 */
_Noreturn void arch_start_threads(void *top, void (*entry)(void *argument));

/* Ends start-up in a program without threads: interrupts are enabled from here on, and the caller
 * continues as the only thread there is, on the kernel's stack.
 * context   init, once
 */
static inline void arch_start_alone(void); /* [inline] */

/* Sleeps in the chosen mode until an interrupt has been served. Returns at once if arch_wake() has
 * been called, or the kernel level requested, since the last wait, so that no wake-up is lost
 * between a last check and the wait.
 * context   thread
 */
static inline void arch_wait(void); /* [inline] */

/* Ends the wait of a program that does not use threads, or its next one.
 * context   any
 */
static inline void arch_wake(void); /* [inline] */

/* Runs fn(argument) in a program that has neither events nor threads such that chip_serve() does
 * not interrupt it, if it must not.
 * returns   what fn returned
 * context   coop
 */
static inline int arch_run_alone(arch_call_fn *fn, void *argument); /* [inline] */

/* Takes the event that the drivers' level has put into a slot, if any, and leaves 0.
 * context   event
 */
static inline struct event *arch_take_direct(struct event **slot); /* [inline] */

/* Runs each ready cooperative thread once, in the order of the linker's arrays
 * (kernel/coop/coop.h).
 * returns   true if one was ready
 * context   thread
 */
bool arch_coop_pass(void);

/* The idle thread has become the first ready one. Before it waits, power_prepare() is called at the
 * kernel level, whatever way leads there; an architecture whose switch does not see to that
 * requests the kernel level here.
 * context   kernel level
 */
static inline void arch_idle_next(void); /* [inline] */

/* The body of the idle thread: sleeps in the mode chosen at the kernel level, for ever.
 * context   thread (idle)
 */
_Noreturn void arch_idle(void *argument);

/* Starts the slice timer, or restarts it. kernel_slice() is called at the kernel level when `left`
 * processor cycles have gone by, and then after every `cycles`. The timer does not run while the
 * processor sleeps. An arch_yield() that finds another thread to run restarts it with all `cycles`.
 * left      4 to `cycles`
 * context   event
 */
void arch_slice_start(uint32_t left, uint32_t cycles);

/* Stops the slice timer.
 * returns   the cycles that were left; 0 if they have gone by and kernel_slice() has not yet been
 *           called: it will not be called now
 * context   event
 */
uint32_t arch_slice_stop(void);

/* Sets the level of the kernel's own interrupts, and paints the kernel's stack, unless start-up has
 * done so. Interrupts are masked from reset until arch_start_threads, and never again except in a
 * panic.
 * context   init, once
 */
void arch_init(void); /* or [inline] */

/* Moves the interrupt vectors to RAM, for handlers that must not wait for flash.
 * context   init
 */
void arch_vectors_to_ram(void);

/* Resets the chip, or stops for ever with interrupts off, where a debugger finds it.
 * context   any
 */
_Noreturn void arch_reset(void);
_Noreturn void arch_halt(void);

/* Whether words can be read at an address: it is aligned, and all of them lie in flash or RAM. For
 * code that examines a program that has failed.
 * context   any
 */
bool arch_can_read(const void *address, size_t bytes);

/* Ends the program in a panic whose place is the caller.
 * context   any
 */
_Noreturn void arch_panic(uintptr_t reason, uintptr_t detail);

/* The same, but the place is the one that was interrupted by a handler opened with
 * ARCH_INTERRUPT_OVER.
 * context   rt: that handler
 */
struct exception_frame;
struct thread;
_Noreturn void arch_panic_interrupted(uintptr_t reason, uintptr_t detail,
                                      const struct exception_frame *interrupted);

/* Runs fn(argument), the handler of an event, such that it is left if it fails: by a failed
 * assertion or panic(), its own or of a function that it calls, or by a fault of the processor. Not
 * nested.
 * record    takes reason, detail and pc of the failure
 * returns   false if it has failed
 * context   event
 */
struct panic_record;
bool arch_guarded(void *argument, arch_do_fn *fn, struct panic_record *record);

/* Leaves a panic between its two halves: a thread begins with the first frame on its stack, which
 * has been prepared anew, at its entry. Mends what a switch had begun that found its stack to have
 * overflowed.
 * thread    kernel.current; the panic was in a thread, or an overflow of its stack
 * context   where a panic is
 */
struct thread;
_Noreturn void arch_panic_leave(struct thread *thread);

/* -------- what the kernel provides to the architecture */

/* The architecture's start-up ends with these calls: memory is initialised, interrupts are masked.
 * The second is what start-up becomes, as the linker scripts choose: threads, else cooperative
 * threads alone, else waits for interrupts. */
void kernel_main(void);
_Noreturn void kernel_main_loop(void);

/* The slice timer fired. context: kernel level. */
void kernel_slice(void);

/* The two halves of a panic. Between them the architecture enters into the record reason (enum
 * panic_reason), detail, pc, sp, status, and lr if it is known (lichen/panic.h): all words but the
 * count are 0 before. Called with interrupts off, on the kernel's stack from its top, since nothing
 * else uses it any more.
 */
struct panic_record *panic_record_begin(void);
_Noreturn void panic_record_end(struct panic_record *record);

/* The kernel's stack, as the linker placed it. */
extern uint8_t kernel_stack_bottom[] __attribute__((aligned(ARCH_STACK_ALIGN)));
extern uint8_t kernel_stack_top[];

/* Initial value of every word of a stack. */
#define ARCH_STACK_PAINT 0xa5a5a5a5

#endif
