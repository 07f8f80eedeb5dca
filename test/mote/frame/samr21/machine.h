/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What tests need to know of the machine that they run on: the SAM R21. */
#ifndef TEST_MOTE_FRAME_MACHINE_H
#define TEST_MOTE_FRAME_MACHINE_H

/* Stacks: of the tests' own thread, and of threads that make a few calls. */
#define TEST_STACK  1536u
#define SMALL_STACK 256u

/* Of threads that only yield. */
#define TINY_STACK SMALL_STACK

/* The same where urgent handlers call functions: they have a stack of their own. */
#define SMALL_STACK_BELOW_CALLS SMALL_STACK
#define INTERRUPTS_THAT_CALL    _Static_assert(SMALL_STACK_BELOW_CALLS == SMALL_STACK, "")

/* Bytes of stack that a thread has used once it has waited. */
#define LEAST_USED 64u

#define MEDIUM_STACK 320u
#define LARGE_STACK  512u

/* For programs that fill RAM, which is larger here. */
#define STACKS_CHECKED_BY_RUNS _Static_assert(1, "")

/* Stacks in test/force: of its actors, and of threads that make a few calls. */
#define FORCE_STACK       384u
#define FORCE_SMALL_STACK 256u

/* Interrupts have a stack of their own. */
#define FORCE_STACKS_KEEP _Static_assert(FORCE_SMALL_STACK > 0, "")

/* Stacks in test/model. */
#define MODEL_STACK 512u

/* In test/force: how long cooperative threads sleep, and how long all of them together work at
 * most, including such a sleep. */
#define NAP_MS  5u
#define REST_MS 9u

/* A moment at which the counter under the tick wraps, if it runs until then; in microseconds. */
#define COUNTER_WRAPS_US ((UINT64_C(1) << 32) * 15625 / 512)

/* Cycles that polling takes are fewer at a slower clock. */
#define SLOW_CLOCK    CHIP_CLOCK_4_MHZ
#define SLOW_CLOCK_HZ 4000000u

/* What a reading of the clock takes at most. */
#define READING_US 400u

/* What a wait and two readings around it take besides its length, unless it is so short that the
 * alarm is too near to be exact. */
#define EXTRA_US 1000u

/* A period that alarms keep up with. */
#define SHORT_PERIOD_US TIMER_PERIOD_MIN_US

/* Of a queue whose indices, up to twice this, take the last bit of arch_index_t. */
#define LONG_QUEUE 16500u

/* Cycles after which an interrupted thread continues: counted from when a more urgent one starts
 * the timed interrupt and then waits for a notification. */
#define ROUND_TRIP_CYCLES 120u

/* The instructions of the sequences mutex_enter and mutex_leave up to the store, a bit for each two
 * bytes: os/arch/armv6m/mutex.S. */
#define MUTEX_ENTER_PLACES 0x3fu
#define MUTEX_LEAVE_PLACES 0x3fu

/* Of interrupts that each wake a thread and leave time for others. */
#define BRISK_PERIOD_US 211

/* How often channels of the watchdog are checked if the limit is long. */
#define WATCHDOG_CHECK_MS UINT64_C(8000)

/* Free on every board: on hamilton a test point, on samr21-xpro a pin of the extension header. */
#define FREE_PIN GPIO_PIN('A', 25)

/* How exact a slice is, by the steps of the slice timer; and how much of it interrupts and the
 * kernel take, compared with the SAM R21. */
#define SLICE_PERCENT 0u
#define KERNEL_SHARE  1u

/* How much of a slice the kernel may wait when an alarm is set. */
#define ALARM_PERCENT 0u

/* From the setting of the timed interrupt until a call of sleep_ms has reached the kernel. */
#define BEGUN_CYCLES 700u

/* The alarm's share of TIME_LATE_TICKS: CHIP_ALARM_LATE_TICKS of the chip's contract. */
#define ALARM_TICKS 24u

/* How many of so many random tries are made. */
#define TRIES(count) (count)

/* Stores a number such that nobody sees it half written. */
static inline void store_whole(volatile unsigned *at, unsigned number)
{
    *at = number;
}

#endif
