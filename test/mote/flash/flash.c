/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Flash at 48 MHz, where it has a wait state: loops of the kinds that others measured on boards
 * (doc/design/simulator.md) take the cycles that the boards take. Each loop has a place of its own,
 * so that it meets the same lines wherever the linker puts the rest. What a loop costs is the
 * difference of two runs, in which what surrounds it cancels out.
 */
#include <lichen/init.h>
#include <lichen/notify.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "test.h"

#define ROUNDS 64u
/* All lines that the flash controller holds. */
#define CACHE_BYTES 64

#define LOOP __attribute__((naked, noinline, aligned(CACHE_BYTES)))

INIT(chip_cycle_counter_start);

/* The counter reaches half of its range only after the tests. */
void kernel_cycles_half(void)
{
}

typedef void (*loop)(uint32_t rounds);

static __attribute__((noinline)) uint32_t cycles_of(loop run, uint32_t rounds)
{
    uint32_t begun = chip_cycle_counter;
    run(rounds);
    return chip_cycle_counter - begun;
}

/* Cycles of ROUNDS rounds. The last of several equal calls count, so that all of them find the same
 * lines. */
static uint32_t cycles_of_rounds(loop run)
{
    uint32_t cycles[2] = {0, 0};

    sleep_ms(20); /* the console's interrupts would count */
    for (unsigned i = 0; i < 6; i++) {
        cycles[i % 2] = cycles_of(run, ROUNDS << i % 2);
    }
    return cycles[1] - cycles[0];
}

static void expect_cycles(loop run, uint32_t cycles_per_round)
{
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    uint32_t cycles = cycles_of_rounds(run);
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    expect_equal(cycles, ROUNDS * cycles_per_round);
}

/* An empty loop whose test and body lie in two lines. */
LOOP static void empty(uint32_t rounds)
{
    (void)rounds;
    __asm__(".syntax unified\n"
            "  movs r1, #0\n"
            "1: cmp r1, r0\n"
            "  bne 2f\n"
            "  bx lr\n"
            "  .balign 32\n"
            "2: nop\n"
            "  adds r1, #1\n"
            "  b 1b\n");
}

/* The same, the two lines at one place of the cache. */
LOOP static void empty_at_one_place(uint32_t rounds)
{
    (void)rounds;
    __asm__(".syntax unified\n"
            "  movs r1, #0\n"
            "1: cmp r1, r0\n"
            "  bne 2f\n"
            "  bx lr\n"
            "  .balign 64\n"
            "2: nop\n"
            "  adds r1, #1\n"
            "  b 1b\n");
}

/* Calls a function that writes a register of the port, over the bus: OUTSET, no bits. */
LOOP static void calls(uint32_t rounds)
{
    (void)rounds;
    __asm__(".syntax unified\n"
            "  push {r4, r5, r6, lr}\n"
            "  mov r4, r0\n"
            "  ldr r5, =0x41004418\n"
            "  movs r6, #0\n"
            "1: cmp r6, r4\n"
            "  bne 2f\n"
            "  pop {r4, r5, r6, pc}\n"
            "2: mov r0, r5\n"
            "  bl 3f\n"
            "  adds r6, #1\n"
            "  b 1b\n"
            "  .balign 32\n"
            "3: movs r1, #31\n"
            "  movs r2, #3\n"
            "  ands r1, r2\n"
            "  bics r2, r1\n"
            "  subs r1, #3\n"
            "  lsls r1, r2\n"
            "  str r1, [r0]\n"
            "  bx lr\n"
            "  .ltorg\n");
}

struct node {
    struct node *next;
    uint32_t key;
};
static struct node nodes[2 * ROUNDS + 1];

/* Walks along a sorted list; the test and the step lie in four lines. */
LOOP static void walk_list(struct node *first, uint32_t key)
{
    (void)first;
    (void)key;
    __asm__(".syntax unified\n"
            "  nop\n"
            "  nop\n"
            "1: cmp r0, #0\n"
            "  beq 3f\n"
            "  ldr r2, [r0, #4]\n"
            "  cmp r1, r2\n"
            "  bcs 2f\n"
            "3: bx lr\n"
            "  .balign 32\n"
            "  nop\n"
            "  nop\n"
            "2: movs r3, r0\n"
            "  ldr r0, [r0]\n"
            "  b 1b\n");
}

static void walk(uint32_t rounds)
{
    walk_list(&nodes[2 * ROUNDS - rounds], 0);
}

/* Looks for an element that is not in the list. A branch leads to the second half of a word, and
 * the instruction behind loads. */
LOOP static void search_list(struct node *first, struct node *sought)
{
    (void)first;
    (void)sought;
    __asm__(".syntax unified\n"
            "  b 3f\n"
            "  nop\n"
            "1: cmp r1, r0\n"
            "  bne 2f\n"
            "  bx lr\n"
            "  nop\n"
            "  nop\n"
            "2: movs r3, r0\n"
            "  ldr r0, [r0]\n"
            "3: cmp r0, #0\n"
            "  bne 1b\n"
            "  bx lr\n");
}

static void search(uint32_t rounds)
{
    search_list(&nodes[2 * ROUNDS - rounds], NULL);
}

/* Reads a literal in a line that stays. */
LOOP static void literals(uint32_t rounds)
{
    (void)rounds;
    __asm__(".syntax unified\n"
            "1: ldr r1, =0x12345678\n"
            "  subs r0, #1\n"
            "  bne 1b\n"
            "  bx lr\n"
            "  .ltorg\n");
}

/* The branch back is the last halfword of its line: the line behind it arrives each time, and its
 * place is that of a line of the loop. */
LOOP static void fetches_ahead(uint32_t rounds)
{
    (void)rounds;
    __asm__(".syntax unified\n"
            "1: subs r0, #1\n"
            "  beq 3f\n"
            "  nop\n"
            "  b 2f\n"
            "  .balign 64\n"
            "  nop\n"
            "  nop\n"
            "  nop\n"
            "  nop\n"
            "2: b 1b\n"
            "3: bx lr\n");
}

TEST(an_empty_loop_in_two_lines_pays_nothing)
{
    expect_cycles(empty, 7);
}

TEST(two_lines_at_one_place_evict_each_other)
{
    expect_cycles(empty_at_one_place, 7 + 2);
}

TEST(a_call_that_writes_a_port_takes_22_cycles)
{
    expect_cycles(calls, 22);
}

static void link_nodes(void)
{
    for (unsigned i = 0; i < 2 * ROUNDS; i++) {
        nodes[i].next = &nodes[i + 1];
    }
    nodes[2 * ROUNDS].key = 1;
}

TEST(a_list_takes_12_cycles_an_element)
{
    link_nodes();
    expect_cycles(walk, 12);
}

TEST(a_search_whose_branch_leads_to_a_second_half_takes_10_cycles_an_element)
{
    link_nodes();
    expect_cycles(search, 10);
}

TEST(a_literal_in_a_line_that_stays_is_free)
{
    expect_cycles(literals, 2 + 1 + 2);
}

TEST(a_branch_at_the_end_of_a_line_fetches_the_next)
{
    expect_cycles(fetches_ahead, 1 + 1 + 1 + 2 + 2 + 2);
}

/* Two threads yield to each other. */
NOTIFY(go);
static volatile bool yields;

THREAD(partner, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go);
        while (yields) {
            thread_yield();
        }
    }
}

static void switches(uint32_t rounds)
{
    while (rounds-- > 0) {
        thread_yield();
    }
}

static uint32_t cycles_of_switches(enum chip_clock clock)
{
    chip_clock_set(clock);
    yields = true;
    notify_post(&go);
    uint32_t cycles = cycles_of_rounds(switches);
    yields = false;
    thread_yield();
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    return cycles;
}

TEST(a_switch_takes_between_1_1_and_1_3_times_as_many_cycles)
{
    uint32_t without = cycles_of_switches(CHIP_CLOCK_8_MHZ);
    uint32_t with = cycles_of_switches(CHIP_CLOCK_48_MHZ);
    print("%lu and %lu cycles to and fro\n", (unsigned long)(without / ROUNDS),
          (unsigned long)(with / ROUNDS));
    expect(10 * with > 11 * without);
    expect(10 * with < 13 * without);
}
