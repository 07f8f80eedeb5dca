/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What public headers need from ARMv6-M: levels, stacks, and the kernel entries that are worth
 * inlining. Every architecture has a header of this name; os/arch/arch.h is its contract and says
 * what each name means.
 */
#ifndef LICHEN_ARCH_H
#define LICHEN_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#define ARCH_LEVELS       4
#define ARCH_LEVEL_DRIVER 2
#define ARCH_LEVEL_KERNEL 3
#define ARCH_RT_LEVELS    2

/* The drivers' level comes first, because that makes the dispatch of its events shortest. */
#define ARCH_LEVEL_INDEX(level) ((level) ^ ARCH_LEVEL_DRIVER)

#define ARCH_STACK_ALIGN 8u
/* The exception frame (r0-r3, r12, lr, pc, xpsr) and r4-r11. */
#define ARCH_FRAME_BYTES 64u

/* Least distance of a saved stack pointer from the lowest address of its stack: r4-r7 lie below. */
#define ARCH_STACK_SPARE 16

/* The exception number in a processor status word; 0 in a thread. */
#define ARCH_STATUS_EXCEPTION(status) ((status)&0x3fu)

#define ARCH_CODE_ADDRESS(pc) (pc)

#define ARCH_FAULT_IS_PRECISE 1

/* Flash and RAM share one address space. */
#define ARCH_FLASH
/* The alignment of pointers, for the assembler. */
#define ARCH_POINTER_ALIGN "4"

#define ARCH_FLASH_IS_APART    0
#define ARCH_FLASH_OF(pointer) (pointer)
#define ARCH_FLASH_PLACED(name)

#define ARCH_TEXT(literal) (literal)
#define ARCH_TEXT_PLACED(name)

static inline void arch_u64_copy(uint64_t *to, const uint64_t *from)
{
    *to = *from;
}

static inline bool arch_u64_less(const uint64_t *one, const uint64_t *other)
{
    return *one < *other;
}

static inline void arch_u64_add(uint64_t *sum, const uint64_t *other, bool carry)
{
    *sum += *other + carry;
}

static inline uint32_t arch_u64_between(const uint64_t *earlier, const uint64_t *later)
{
    uint64_t between = *later - *earlier;
    return between >> 32 != 0 ? UINT32_MAX : (uint32_t)between;
}

static inline char arch_text(const char *at)
{
    return *at;
}

/* Words are aligned anyway. */
#define ARCH_EVEN
#define ARCH_CALL_TAG 1u

typedef uint16_t arch_index_t;
typedef uint32_t arch_word_t;

/* The frame of a fault. Past the end is too late: the processor locks up when it has no memory to
 * enter its fault handler. */
#define ARCH_STACK_RESERVE 40u

/* A relocation that changes no bits. */
#define ARCH_REFER(section, symbol)                                                                \
    __asm__(".pushsection " section ",\"a\",%progbits\n"                                           \
            ".reloc 0, R_ARM_NONE, " symbol "\n"                                                   \
            ".popsection")

#define ARCH_SECOND_NAME(name, function) __asm__(".global " name "\n.thumb_set " name ", " function)

/* Each of these passes takes a variable that may be undefined for one that has its other value. */
#define ARCH_NO_VALUE_FOR_UNDEFINED                                                                \
    "no-tree-ccp", "no-tree-pre", "no-tree-fre", "no-tree-vrp", "no-tree-dominator-opts",          \
        "no-code-hoisting"

/* Links a vector into the table, which ends after the last one that the program needs. */
#define ARCH_VECTOR(vector) ARCH_REFER(".lichen.vectors", "vector_" #vector)

#define ARCH_INTERRUPT(vector)                                                                     \
    ARCH_VECTOR(vector);                                                                           \
    void vector##_handler(void);                                                                   \
    void vector##_handler(void)

/* EXC_RETURN bit 2 says on which stack the frame is (ARMv6-M ARM, B1.5.8). The handler's own return
 * is the return from the exception. */
#define ARCH_INTERRUPT_OVER(vector)                                                                \
    ARCH_VECTOR(vector);                                                                           \
    struct exception_frame;                                                                        \
    void vector##_handler(void);                                                                   \
    __attribute__((used)) void vector##_over(const struct exception_frame *interrupted);           \
    __attribute__((naked)) void vector##_handler(void)                                             \
    {                                                                                              \
        __asm__("mov r1, lr\n\t"                                                                   \
                "lsr r1, r1, #3\n\t"                                                               \
                "mrs r0, psp\n\t"                                                                  \
                "bcs 1f\n\t"                                                                       \
                "mov r0, sp\n"                                                                     \
                "1: ldr r1, =" #vector "_over\n\t"                                                 \
                "bx r1\n\t"                                                                        \
                ".ltorg");                                                                         \
    }                                                                                              \
    void vector##_over(const struct exception_frame *interrupted)

/* The vector is the task, at each level. */
#define ARCH_RT_HANDLER(place, task, vector)                                                       \
    ARCH_VECTOR(vector);                                                                           \
    void vector##_handler(void);                                                                   \
    ARCH_SECOND_NAME("rt_task_" #task, #vector "_handler");                                        \
    place void vector##_handler(void)
#define ARCH_RT_ENTRY(task, vector, priority) ((void)0)

/* What the option LICHEN_CPU_TIME adds to a control block, and the attribute of its calls: without
 * the option nothing is added, and a call does not compile. */
#ifdef LICHEN_CPU_TIME
struct arch_cpu_time {
    uint64_t cycles; /* up to the last switch or reading; switch.S adds to it */
};
#define ARCH_CPU_TIME_CALL
#else
struct arch_cpu_time {
};
#define ARCH_CPU_TIME_CALL                                                                         \
    __attribute__((                                                                                \
        error("lichen.toml needs `[build] cpu_time = true` for the CPU time of threads")))
#endif

/* Interrupt Control and State Register (ARMv6-M ARM, B3.2.4). */
#define ARCH_ICSR           (*(volatile uint32_t *)0xe000ed04u)
#define ARCH_ICSR_PENDSVSET (1u << 28)

static inline bool arch_in_thread(void)
{
    uint32_t ipsr;
    __asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr == 0;
}

static inline __attribute__((always_inline)) void arch_kernel_request(void)
{
    __asm__ volatile("" : : : "memory");
    ARCH_ICSR = ARCH_ICSR_PENDSVSET;
}

/* The kernel level ends once more when the idle thread continues (switch.S). */
static inline void arch_idle_next(void)
{
}

static inline __attribute__((always_inline)) void arch_kernel_request_from(unsigned level)
{
    (void)level;
    arch_kernel_request();
}

/* The event register, which every exception's entry and return sets, makes WFE return at once if an
 * exception was taken since the last wait (ARMv6-M ARM, B1.5.18). */
static inline void arch_wait(void)
{
    __asm__ volatile("wfe" : : : "memory");
}

/* A word is loaded and stored whole, and interrupts store one only where they find 0. */
struct event;
static inline struct event *arch_take_direct(struct event **slot)
{
    struct event *event = *slot;
    if (event != 0) {
        *slot = 0;
    }
    return event;
}

/* The event register is set by every exception. */
static inline void arch_wake(void)
{
}

static inline void arch_start_alone(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}

/* Where a failed assertion goes. The line number makes each place different: otherwise the compiler
 * could merge several into one call, which no longer identifies its line. It is written so that the
 * compiler sees no call: a function that calls nothing else need not save registers.
 */
#define ARCH_ASSERT_FAILED(line)                                                                   \
    __extension__({                                                                                \
        __asm__ volatile("bl panic_assert @ %0" : : "i"(line));                                    \
        __builtin_unreachable();                                                                   \
    })

struct notify;

/* Kernel entries in os/arch/armv6m (switch.S, block.S, notify_*.S): reached by an SVC with their
 * address in r3, never called. */
void svc_call(void);
void svc_yield(void);
void svc_notify_wait(void);
void svc_notify_post(void);
void svc_block(void);
void svc_wake(void);
void svc_leave(void);

/* SVC passes r0 to r3 to the kernel: two arguments, the function that takes them, and the entry. So
 * a caller's own arguments are already in place. */
typedef int arch_call_fn(void *argument);
typedef int arch_call_with_fn(void *argument, void *second);
typedef void arch_do_fn(void *argument);

/* The registers that an SVC to svc_yield or svc_notify_wait does not preserve. The thread is
 * switched out and in without them: the compiler saves only those that are live.
 */
#define ARCH_CALL_CLOBBERS "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "cc", "memory"

static inline __attribute__((always_inline)) void arch_yield(void)
{
    register void (*entry)(void) __asm__("r3") = svc_yield;
    __asm__ volatile("svc 0" : : "r"(entry) : ARCH_CALL_CLOBBERS);
}

/* Calls a restartable sequence of os/arch/armv6m, which keeps the object's address in its register.
 */
#define ARCH_SEQUENCE_CALL(sequence, object_)                                                      \
    __extension__({                                                                                \
        register void *object __asm__("r0") = (object_);                                           \
        register int result __asm__("r2");                                                         \
        __asm__ volatile("bl " #sequence                                                           \
                         : "=r"(result)                                                            \
                         : "r"(object)                                                             \
                         : "r1", "r3", "r12", "lr", "cc", "memory");                               \
        result;                                                                                    \
    })

/* The SVC's frame restores all registers except r0. */
static inline int arch_kernel_call(arch_call_fn *fn, void *argument)
{
    register uintptr_t first __asm__("r0") = (uintptr_t)argument;
    register arch_call_fn *call __asm__("r2") = fn;
    register void (*entry)(void) __asm__("r3") = svc_call;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(call), "r"(entry) : "cc", "memory");
    return (int)first;
}

static inline int arch_kernel_call_with(arch_call_with_fn *fn, void *argument, void *second_)
{
    register uintptr_t first __asm__("r0") = (uintptr_t)argument;
    register void *second __asm__("r1") = second_;
    register arch_call_with_fn *call __asm__("r2") = fn;
    register void (*entry)(void) __asm__("r3") = svc_call;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(second), "r"(call), "r"(entry) : "cc", "memory");
    return (int)first;
}

int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn); /* run.S */

/* What the chip's handler calls touches nothing that thread mode changes. */
static inline __attribute__((always_inline)) int arch_run_alone(arch_call_fn *fn, void *argument)
{
    return fn(argument);
}

static inline void arch_kernel_do(arch_do_fn *fn, void *argument)
{
    (void)arch_kernel_call((arch_call_fn *)(uintptr_t)fn, argument);
}

static inline __attribute__((always_inline)) void arch_notify_wait(struct notify *notify)
{
    register struct notify *first __asm__("r0") = notify;
    register void (*entry)(void) __asm__("r3") = svc_notify_wait;
    __asm__ volatile("svc 0" : : "r"(first), "r"(entry) : ARCH_CALL_CLOBBERS);
}

static inline _Noreturn void arch_kernel_leave(arch_do_fn *fn, void *argument)
{
    register void *first __asm__("r0") = argument;
    register arch_do_fn *call __asm__("r2") = fn;
    register void (*entry)(void) __asm__("r3") = svc_leave;
    __asm__ volatile("svc 0" : : "r"(first), "r"(call), "r"(entry) : "memory");
    __builtin_unreachable();
}

void thread_return(void); /* switch.S */

/* Registers as an interrupt leaves them (switch.S), from low addresses to high: r4-r7, r8-r11, and
 * the exception frame (ARMv6-M ARM, B1.5.6): r0-r3, r12, lr, pc, xpsr. r4 must not equal the
 * stack's paint: functions push it to keep the stack aligned, and if one that overflows did so, the
 * paint would seem intact. */
static inline void *arch_stack_prepare(void *top, void (*entry)(void *argument))
{
    uint32_t *registers = (uint32_t *)top - 16;
    __asm__("" : "+r"(registers)); /* one address serves all */
    registers[0] = 0;
    registers[8] = 0;
    registers[13] = (uint32_t)(uintptr_t)thread_return;
    registers[14] = (uint32_t)(uintptr_t)entry & ~1u;
    registers[15] = 1u << 24; /* the Thumb bit */
    return registers + 4;
}

/* r8-r11 lie between the stack pointer and the frame, which begins with r0. */
static inline void arch_stack_argument(void *sp, void *argument)
{
    ((void **)sp)[4] = argument;
}

#endif
