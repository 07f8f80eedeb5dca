/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What public headers need from AVR: levels, stacks, and how handlers are opened. Every
 * architecture has a header of this name; os/arch/arch.h is its contract and says what each name
 * means.
 */
#ifndef LICHEN_ARCH_H
#define LICHEN_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/vectors.h>

#define ARCH_LEVELS       3
#define ARCH_LEVEL_DRIVER 1
#define ARCH_LEVEL_KERNEL 2
#define ARCH_RT_LEVELS    2

#define ARCH_LEVEL_INDEX(level) (level)

#define ARCH_STACK_ALIGN 1u
/* What a switched-out thread that was interrupted keeps on its stack: return address, r24, the
 * level, SREG and the 14 other registers that a call may change, the 18 that it may not, and the
 * address that restores them (switch.S). */
#define ARCH_SAVED_BYTES 38u

/* What interrupts may need below that: entries of handlers of level 1, which then run on the
 * kernel's stack, and handlers of level 0 as a whole. `lichen build` computes it, and refuses a
 * program that needs more. */
#define ARCH_INTERRUPT_BYTES 112u

#define ARCH_FRAME_BYTES (ARCH_SAVED_BYTES + ARCH_INTERRUPT_BYTES)

/* States that each thread's stack has `bytes`, a number, for both, beside what its functions need.
 * `lichen build` believes it: it compares what interrupts need with `bytes`, and what functions
 * need with the stack, but not their sum. */
#define ARCH_STACKS_STATED(bytes)                                                                  \
    __asm__(".global arch_frame_stated\n.set arch_frame_stated, " #bytes)

/* The same where handlers of level 0 need more than ARCH_FRAME_BYTES; the idle thread's stack is
 * made that large, those of others the program must make larger itself. */
#define ARCH_STACKS_KEEP(bytes)                                                                    \
    ARCH_STACKS_STATED(bytes);                                                                     \
    __attribute__((section(".stack.idle"))) uint8_t idle_stack[bytes];                             \
    const uint16_t idle_stack_bytes = bytes

/* What must be left for interrupts when a thread is switched out. */
#define ARCH_STACK_SPARE 0

/* A processor status is SREG and, above it, `arch_level`. The exception is 1 at the kernel level, 2
 * in a handler of level 1, 3 with interrupts off. */
#define ARCH_STATUS_EXCEPTION(status) arch_status_exception(status)
static inline uint8_t arch_status_exception(uint16_t status)
{
    uint8_t level = (uint8_t)(status >> 8);
    if (!(status & 0x80u)) {
        return 3;
    }
    return level == 3 ? 1 : level;
}

#define ARCH_CODE_ADDRESS(pc) ((uint32_t)(pc)*2)

/* A wild jump runs on until it comes to address 0. */
#define ARCH_FAULT_IS_PRECISE 0

/* Constants in the first 64 KB of flash. */
#define ARCH_FLASH __flash
/* The alignment of pointers, for the assembler. */
#define ARCH_POINTER_ALIGN "2"

#define ARCH_FLASH_IS_APART     1
#define ARCH_FLASH_OF(pointer)  ((const ARCH_FLASH __typeof__(*(pointer)) *)(uintptr_t)(pointer))
#define ARCH_FLASH_PLACED(name) __attribute__((section(".progmem." #name)))

/* Text is addressed by plain pointers: those from here on are addresses in flash, where the linker
 * places it, and smaller ones addresses in RAM, which ends before. */
#define ARCH_TEXT_BEGIN 0x1100u

#define ARCH_TEXT(literal) ARCH_TEXT_AT(literal, __COUNTER__)
#define ARCH_TEXT_AT(literal, number)                                                              \
    __extension__({                                                                                \
        static const char text_[] ARCH_TEXT_PLACED(number) = literal;                              \
        text_;                                                                                     \
    })
#define ARCH_TEXT_PLACED(name) __attribute__((section(".lichen.text." ARCH_STRING(name))))
#define ARCH_STRING(name)      ARCH_STRING_(name)
#define ARCH_STRING_(name)     #name

static inline char arch_text(const char *at)
{
    return (uintptr_t)at < ARCH_TEXT_BEGIN ? *at : *(const ARCH_FLASH char *)(uintptr_t)at;
}

/* u64.S. The compiler would load both numbers into 16 registers, most of which it must save. */
static inline __attribute__((always_inline)) void arch_u64_copy(uint64_t *to, const uint64_t *from)
{
    __asm__ volatile("call u64_copy" : "+z"(to), "+x"(from) : : "memory");
}

static inline __attribute__((always_inline)) bool arch_u64_less(const uint64_t *one,
                                                                const uint64_t *other)
{
    uint8_t less;
    __asm__("call u64_less\n\tsbc %0, %0"
            : "=r"(less), "+z"(one), "+x"(other)
            :
            : "r18", "r19", "memory");
    return less != 0;
}

static inline __attribute__((always_inline)) void arch_u64_add(uint64_t *sum, const uint64_t *other,
                                                               bool carry)
{
    register uint8_t with __asm__("r18") = carry;
    __asm__ volatile("call u64_add" : "+r"(with), "+z"(sum), "+x"(other) : : "r19", "memory");
}

uint32_t u64_between(const uint64_t *earlier, const uint64_t *later);

static inline uint32_t arch_u64_between(const uint64_t *earlier, const uint64_t *later)
{
    return u64_between(earlier, later);
}

#define ARCH_EVEN __attribute__((aligned(2)))

/* What lies on a stack is not aligned, but RAM ends at 0x10ff. */
#define ARCH_CALL_TAG 0x8000u

typedef uint8_t arch_index_t;
typedef uint8_t arch_word_t;

/* A stack that overflows does not fault: what an interrupt needs must be left. */
#define ARCH_STACK_RESERVE 16u

/* A relocation that changes no bits. */
#define ARCH_REFER(section, symbol)                                                                \
    __asm__(".pushsection " section ",\"a\",%progbits\n"                                           \
            ".reloc 0, R_AVR_NONE, " symbol "\n"                                                   \
            ".popsection")

#define ARCH_SECOND_NAME(name, function) __asm__(".global " name "\n.set " name ", " function)

/* Each of these passes takes a variable that may be undefined for one that has its other value. */
#define ARCH_NO_VALUE_FOR_UNDEFINED                                                                \
    "no-tree-ccp", "no-tree-pre", "no-tree-vrp", "no-tree-dominator-opts"

/* -------- handlers */

/* Links a vector into the table, which ends after the last one that the program needs. The object,
 * of no bytes, is defined twice if a vector is used twice. */
#define ARCH_VECTOR(vector)                                                                        \
    ARCH_REFER(".lichen.vectors", "vector_" #vector);                                              \
    extern const uint8_t vector_used_##vector[0];                                                  \
    const uint8_t vector_used_##vector[0] = {}

/* Entry of a handler of level 1, `body`: levels.S has the argument. The chip says how the source of
 * a vector is kept quiet whose request does not end when the handler is entered (lichen/vectors.h);
 * of one that it does not have, the compiler says that ARCH_VECTOR_... is no string.
 * No instruction here changes a flag. What goes on saves all other registers that a call may
 * change, and calls the handler with the address of what is saved, on the kernel's stack. */
#define ARCH_ENTRY(vector, body) ARCH_ENTRY_(#vector, #body, ARCH_VECTOR_##vector)
#define ARCH_ENTRY_(...)         ARCH_ENTRY__(__VA_ARGS__, , , )
#define ARCH_ENTRY__(vector, body, number, load, quiet, ...)                                       \
    ".pushsection .bss.lichen_deferred." number ",\"aw\",@nobits\n"                                \
    "deferred_" vector ": .skip 1\n"                                                               \
    ".popsection\n"                                                                                \
    ".pushsection .lichen.deferred." number ",\"a\",@progbits\n"                                   \
    ".word gs(" body ")\n"                                                                         \
    ".popsection\n"                                                                                \
    ".pushsection .text.entries." vector ",\"ax\",@progbits\n"                                     \
    ".global entry_" vector "\n"                                                                   \
    ".type entry_" vector ", @function\n"                                                          \
    "entry_" vector ":\n"                                                                          \
    "push r24\n" load "sei\n" quiet "lds r24, arch_level\n"                                        \
    "sbrc r24, 1\n"                                                                                \
    "rjmp 1f\n"                                                                                    \
    "push r24\n"                                                                                   \
    "push r30\n"                                                                                   \
    "push r31\n"                                                                                   \
    "ldi r30, lo8(gs(" body "))\n"                                                                 \
    "ldi r31, hi8(gs(" body "))\n"                                                                 \
    "jmp interrupt_entered\n"                                                                      \
    "1: sts deferred_" vector ", r24\n"                                                            \
    "jmp low_defer\n"                                                                              \
    ".size entry_" vector ", . - entry_" vector "\n"                                               \
    ".popsection\n"

#define ARCH_INTERRUPT(vector) ARCH_INTERRUPT_(vector)
#define ARCH_INTERRUPT_(vector)                                                                    \
    ARCH_VECTOR(vector);                                                                           \
    __asm__(ARCH_ENTRY(vector, handler_##vector));                                                 \
    void handler_##vector(void) __attribute__((used));                                             \
    void handler_##vector(void)

/* What an interrupt of level 1 has saved of what it has interrupted (macros.inc). */
struct exception_frame {
    uint8_t registers[15], level, r24, pc_high, pc_low;
};

#define ARCH_INTERRUPT_OVER(vector) ARCH_INTERRUPT_OVER_(vector)
#define ARCH_INTERRUPT_OVER_(vector)                                                               \
    ARCH_VECTOR(vector);                                                                           \
    __asm__(ARCH_ENTRY(vector, handler_##vector));                                                 \
    void handler_##vector(const struct exception_frame *interrupted) __attribute__((used));        \
    void handler_##vector(const struct exception_frame *interrupted __attribute__((unused)))

/* A task of priority 0 is the vector; one of priority 1 has an entry like a driver's handler. It is
 * compiled before that is known, so it saves what it changes and leaves by RETI. */
#define ARCH_RT_HANDLER(place, task, vector)                                                       \
    ARCH_VECTOR(vector);                                                                           \
    place void __vector_rt_##task(void) __attribute__((signal, used));                             \
    ARCH_SECOND_NAME("rt_task_" #task, "__vector_rt_" #task);                                      \
    place void __vector_rt_##task(void)
#define ARCH_RT_ENTRY(task, vector, priority)                                                      \
    __asm__ volatile(".if %0\n" ARCH_ENTRY(vector, __vector_rt_##task) ".else\n"                   \
                                                                       ".global entry_" #vector    \
                                                                       "\n"                        \
                                                                       ".set entry_" #vector       \
                                                                       ", __vector_rt_" #task "\n" \
                                                                       ".endif" ::"i"(priority))

/* Not offered: cycles of threads. */
#ifdef LICHEN_CPU_TIME
#error "cpu_time in lichen.toml: the CPU time of threads is not counted on AVR"
#endif
struct arch_cpu_time {
};
#define ARCH_CPU_TIME_CALL __attribute__((error("the CPU time of threads is not counted on AVR")))

/* -------- levels (levels.S) */

/* 0 in a thread, 1 at the kernel level, 2 in a handler of level 1, 3 at the kernel level on the
 * stack of a thread. */
extern volatile uint8_t arch_level;

/* Bit 0: the kernel level is requested. */
extern volatile uint8_t arch_requested;

/* Not 0: arch_wait returns at once. */
extern volatile uint8_t arch_woken;

#define ARCH_SREG   (*(volatile uint8_t *)0x5f)
#define ARCH_SREG_I 0x80u

/* Where it is called the level is read, and first: what follows is of one context (`lichen build`
 * looks for such readings). */
static inline __attribute__((always_inline)) bool arch_in_thread(void)
{
    return arch_level == 0 && (ARCH_SREG & ARCH_SREG_I) != 0;
}

/* The interrupt that is pending as long as it is enabled and flash is not being written: SPM_READY,
 * the least urgent one. */
static inline __attribute__((always_inline)) void arch_kernel_request(void)
{
    __asm__ volatile("" : : : "memory");
    arch_requested = 1;
    ARCH_REQUEST_INTERRUPT();
}

/* Whatever is served meanwhile, the kernel level chooses last (kernel_serve in switch.S). */
static inline void arch_idle_next(void)
{
    arch_kernel_request();
}

static inline __attribute__((always_inline)) void arch_kernel_request_from(unsigned level)
{
    __asm__ volatile("" : : : "memory");
    arch_requested = 1;
    if (level < ARCH_LEVEL_DRIVER) {
        ARCH_REQUEST_INTERRUPT();
    }
}

/* Interrupts store both bytes while both are 0. The upper one is cleared first: with the lower one
 * cleared, the slot would look as if it held an event whose address ends in 0. If the address does
 * end in 0, the slot is empty then, and may be filled at once. */
struct event;
static inline struct event *arch_take_direct(struct event **slot)
{
    volatile uint8_t *byte = (volatile uint8_t *)slot;
    uint8_t high = byte[1];
    if (high == 0) {
        return 0;
    }
    uint8_t low = byte[0];
    byte[1] = 0;
    if (low != 0) {
        byte[0] = 0;
    }
    return (struct event *)(uintptr_t)((unsigned)high << 8 | low);
}

/* -------- kernel calls (switch.S) */

typedef int arch_call_fn(void *argument);
typedef int arch_call_with_fn(void *argument, void *second);
typedef void arch_do_fn(void *argument);

int kernel_call(void *argument, void *second, arch_call_with_fn *fn);
_Noreturn void kernel_leave(void *argument, arch_do_fn *fn);
int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn);

static inline int arch_kernel_call_with(arch_call_with_fn *fn, void *argument, void *second)
{
    return kernel_call(argument, second, fn);
}

static inline int arch_kernel_call(arch_call_fn *fn, void *argument)
{
    return kernel_call(argument, argument, (arch_call_with_fn *)fn);
}

static inline void arch_kernel_do(arch_do_fn *fn, void *argument)
{
    (void)kernel_call(argument, argument, (arch_call_with_fn *)fn);
}

static inline _Noreturn void arch_kernel_leave(arch_do_fn *fn, void *argument)
{
    kernel_leave(argument, fn);
}

/* What a call changes that keeps r28 and r29 only, besides r24 and r25. */
#define ARCH_KEEPS_LITTLE                                                                          \
    "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",      \
        "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r26", "r27", "r30", "r31", "cc",  \
        "memory"

#ifdef LICHEN_C_TEXTS
int kernel_yield(void *unused, void *unused_too);
static inline void arch_yield(void)
{
    (void)arch_kernel_call_with(kernel_yield, 0, 0);
}
#else
/* The compiler saves those registers that it needs, which are few: threads yield in loops. */
static inline __attribute__((always_inline)) void arch_yield(void)
{
    __asm__ volatile("call kernel_yield" : : : "r24", "r25", ARCH_KEEPS_LITTLE);
}
#endif

struct mutex;
struct notify;
struct semaphore;
int mutex_enter(struct mutex *mutex);
int mutex_leave(struct mutex *mutex);
int notify_give(struct notify *notify);
int semaphore_take(struct semaphore *semaphore);
int semaphore_try_take(struct semaphore *semaphore);
int semaphore_give(struct semaphore *semaphore);
void notify_wait_in_kernel(struct notify *notify);

#define ARCH_SEQUENCE_CALL(sequence, object) sequence(object)

/* As arch_yield. The argument is in a register of its own, r25:r24, since it may change. */
static inline __attribute__((always_inline)) void arch_notify_wait(struct notify *notify)
{
    register struct notify *argument __asm__("r24") = notify;
    __asm__ volatile("call notify_wait_in_kernel" : "+r"(argument) : : ARCH_KEEPS_LITTLE);
}

/* -------- starting, waiting, failing */

/* Levels are no registers, and start.S has painted the stack. */
static inline void arch_init(void)
{
}

static inline void arch_wake(void)
{
    arch_woken = 1;
}

static inline int arch_run_alone(arch_call_fn *fn, void *argument)
{
    return kernel_call(argument, argument, (arch_call_with_fn *)fn);
}

static inline void arch_start_alone(void)
{
    __asm__ volatile("sei" : : : "memory");
}

/* SEI takes effect after the instruction that follows it: nothing comes between the tests and the
 * wait. An interrupt that comes right before CLI returns there, and what it has requested is not
 * done yet. */
static inline void arch_wait(void)
{
    for (;;) {
        __asm__ volatile("cli" : : : "memory");
        if (arch_woken) {
            arch_woken = 0;
            __asm__ volatile("sei" : : : "memory");
            return;
        }
        if (((*(volatile uint8_t *)ARCH_BUSY_REGISTER & ARCH_BUSY_BITS) | arch_requested) == 0) {
            __asm__ volatile("sei\n\tsleep" : : : "memory");
            return;
        }
        __asm__ volatile("sei\n\tnop" : : : "memory");
    }
}

/* The first frame of a thread (switch.S). */
struct arch_first_frame {
    uint8_t begin_high, begin_low;
    void (*entry)(void *argument);
    void *argument;
};

void thread_begins(void);

static inline void *arch_stack_prepare(void *top, void (*entry)(void *argument))
{
    struct arch_first_frame *frame = (struct arch_first_frame *)top - 1;
    uintptr_t begin = (uintptr_t)thread_begins;
    frame->argument = 0;
    frame->entry = entry;
    frame->begin_high = (uint8_t)(begin >> 8);
    frame->begin_low = (uint8_t)begin;
    return (uint8_t *)frame - 1;
}

static inline void arch_stack_argument(void *sp, void *argument)
{
    struct arch_first_frame *frame = (struct arch_first_frame *)((uint8_t *)sp + 1);
    frame->argument = argument;
}

/* The line number makes each place different: otherwise the compiler could merge several into one
 * call, which no longer identifies its line. */
#define ARCH_ASSERT_FAILED(line)                                                                   \
    __extension__({                                                                                \
        __asm__ volatile("call panic_assert ; %0" : : "i"(line));                                  \
        __builtin_unreachable();                                                                   \
    })

#endif
