/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What tests need to know of the machine that they run on: the ATmega128. */
#ifndef TEST_MOTE_FRAME_MACHINE_H
#define TEST_MOTE_FRAME_MACHINE_H

/* Stacks: of the tests' own thread, and of threads that make a few calls. */
#define TEST_STACK  400u
#define SMALL_STACK 180u

/* Of threads that only yield. */
#define TINY_STACK 160u

/* The same where handlers of level 0 call functions, and what each stack keeps for interrupts. */
#define SMALL_STACK_BELOW_CALLS 192u
#define INTERRUPTS_THAT_CALL    ARCH_STACKS_KEEP(176)

/* Bytes of stack that a thread has used once it has waited. */
#define LEAST_USED 24u

#define MEDIUM_STACK 208u
#define LARGE_STACK  336u

#define FORCE_STACK       256u
#define FORCE_SMALL_STACK 216u

/* The analysis of stacks does not know which operations a level calls by its pointers. Those of
 * level 0 are posts, of some 50 bytes; the runs check that no stack is used up. */
#define FORCE_STACKS_KEEP ARCH_STACKS_STATED(480)

/* For programs that fill RAM: their stacks have no room for every interrupt on top of the deepest
 * call. In their runs the kernel checks that none is used up. */
#define STACKS_CHECKED_BY_RUNS ARCH_STACKS_STATED(150)

/* Stacks in test/model. */
#define MODEL_STACK 256u

/* In test/force: how long cooperative threads sleep, and how long all of them together work at
 * most, including such a sleep. */
#define NAP_MS  9u
#define REST_MS 16u

#define COUNTER_WRAPS_US (UINT64_C(10) * 1000 * 1000)

/* There is one clock. */
#define SLOW_CLOCK    CHIP_CLOCK_CRYSTAL
#define SLOW_CLOCK_HZ 7372800u

/* What a reading of the clock takes at most: just after a wrap, two ticks. */
#define READING_US 2000u

/* What a wait and two readings around it take besides its length, unless it is so short that the
 * alarm is too near to be exact. */
#define EXTRA_US 6000u

/* A period that alarms keep up with. */
#define SHORT_PERIOD_US UINT64_C(5000)

/* Of a queue whose indices, up to twice this, take the last bit of arch_index_t. */
#define LONG_QUEUE 100u

/* Cycles after which an interrupted thread continues: counted from when a more urgent one starts
 * the timed interrupt and then waits for a notification. */
#define ROUND_TRIP_CYCLES 590u

/* The instructions of the sequences mutex_enter and mutex_leave up to the store, a bit for each two
 * bytes: os/arch/avr8/mutex.S. */
#define MUTEX_ENTER_PLACES 0x2bfu
#define MUTEX_LEAVE_PLACES 0x7afu

/* Of interrupts that each wake a thread and leave time for others. */
#define BRISK_PERIOD_US 421

/* How often channels of the watchdog are checked if the limit is long. */
#define WATCHDOG_CHECK_MS UINT64_C(8250)

/* Free on every board: on the extension connector. */
#define FREE_PIN GPIO_PIN('C', 7)

/* How exact a slice is, by the steps of the slice timer; and how much of it interrupts and the
 * kernel take, compared with the SAM R21. */
#define SLICE_PERCENT 3u
#define KERNEL_SHARE  3u

/* How much of a slice the kernel may wait, once in 250 ms, when an alarm is set just after the
 * clock has wrapped (os/chip/atmega128/tick.c: 2 ms). */
#define ALARM_PERCENT 40u

/* From the setting of the timed interrupt until a call of sleep_ms has reached the kernel. */
#define BEGUN_CYCLES 4000u

/* The alarm's share of TIME_LATE_TICKS: CHIP_ALARM_LATE_TICKS of the chip's contract. */
#define ALARM_TICKS 2u

/* How many of so many random tries are made: arithmetic of 64 bits takes long. */
#define TRIES(count) ((count) / 4)

/* Stores a number such that nobody sees it half written. */
static inline void store_whole(volatile unsigned *at, unsigned number)
{
    __asm__ volatile("cli" : : : "memory");
    *at = number;
    __asm__ volatile("sei" : : : "memory");
}

#endif
