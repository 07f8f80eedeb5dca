/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* TC4 and TC5 count the same 32,768 Hz as the kernel's tick (SAM R21 data sheet, section TC, 32-bit
 * mode), and reading them does not disturb the kernel.
 */
#include "../reference.h"

#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tc.h"
#include "force.h"

#define RUNSTDBY (1u << 11)

/* The longest piece of a hold, for which the reference can still distinguish past and future. */
#define PIECE_TICKS (UINT64_C(1) << 30)

static struct tc *const counter = (struct tc *)(TC3_BASE + TC_BYTES);
#define COUNT (*(volatile uint32_t *)(TC3_BASE + TC_BYTES + 0x10u))

static const struct force_state ms_1 = {.name = "1_ms", .lasts_ms = 300, .alone = true};
static const struct force_state ms_70 = {.name = "70_ms", .lasts_ms = 500, .alone = true};
static const struct force_state s_2 = {.name = "2_s", .lasts_ms = 6000, .alone = true};
static const struct force_state hours_36 = {
    .name = "36_hours", .lasts_ms = 140000000, .alone = true};

const struct force_state *const force_states[] = {&ms_1, &ms_70, &s_2, &hours_36};

/* How long each state's actors take, ticks. */
static const uint64_t lengths[] = {33, 2294, 65536 + 40, (UINT64_C(1) << 32) + 33};

volatile uint64_t free_of_threads;
volatile uint64_t free_of_handlers;
volatile uint64_t held_from;

static uint32_t begun;          /* the counter at the beginning of the run */
static volatile uint32_t wraps; /* of the counter, while an actor held the processor */

static void wait_while_busy(void)
{
    while (counter->STATUS & TC_STATUS_SYNCBUSY) {
    }
}

void reference_start(void)
{
    uint32_t clocks = (uint32_t)PM_APBCMASK_TC3 << 1 | (uint32_t)PM_APBCMASK_TC3 << 2;
    shared_register_update(&PM->APBCMASK, clocks, clocks);
    clock_connect(GCLK_ID_TC4_TC5, CLOCK_32K);
    counter->CTRLA = TC_CTRLA_MODE_COUNT32 | RUNSTDBY;
    counter->READREQ = TC_READREQ_COUNT_ALWAYS;
    wait_while_busy();
    counter->CTRLA = TC_CTRLA_MODE_COUNT32 | RUNSTDBY | TC_CTRLA_ENABLE;
    wait_while_busy();
}

void reference_prepare(void)
{
    begun = COUNT;
    wraps = 0;
    free_of_threads = 0;
    free_of_handlers = 0;
    held_from = 0;
}

/* Reads again if an actor has held the processor meanwhile. */
uint64_t reference_now(void)
{
    uint32_t passed;
    uint32_t before;
    do {
        before = wraps;
        passed = COUNT - begun;
    } while (before != wraps);
    return ((uint64_t)before << 32) + passed;
}

static void hold_until(uint32_t end)
{
    counter->CC32[0] = end;
    wait_while_busy();
    counter->INTFLAG = TC_INT_MC0;
    if ((int32_t)(COUNT - end) < 0) {
        while ((counter->INTFLAG & TC_INT_MC0) == 0) {
        }
    }
}

void reference_hold(uint64_t most)
{
    uint64_t length = lengths[force_choice.state];
    length = length < most ? length : most;
    uint32_t end = COUNT;
    for (uint64_t left = length; left > 0;) {
        uint32_t piece = (uint32_t)(left < PIECE_TICKS ? left : PIECE_TICKS);
        end += piece;
        left -= piece;
        hold_until(end);
    }
    wraps += (uint32_t)(length >> 32);
}
