/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "model.h"

volatile struct command model_command[ACTORS];
volatile uint32_t model_progress[ACTORS];

__attribute__((noinline)) void model_ask(unsigned actor, int result, uint32_t value)
{
    __asm__ volatile("" : : "r"(actor), "r"(result), "r"(value) : "memory");
}

struct command model_next(unsigned actor, struct answer answer)
{
    volatile struct command *slot = &model_command[actor];
    do {
        model_ask(actor, answer.result, answer.value);
    } while (slot->call == 0);
    struct command command = {.call = slot->call,
                              .object = slot->object,
                              .other = slot->other,
                              .actor = (uint8_t)actor,
                              .value = slot->value,
                              .time = slot->time};
    slot->call = 0;
    return command;
}

/* Three cycles per round. */
static void compute(uint32_t us)
{
    uint32_t turns = us * 8u / 3u;
    __asm__ volatile(".syntax unified\n1:\tsubs %0, #1\n\tbhi 1b" : "+l"(turns) : : "cc");
}

void model_compute(unsigned actor, uint32_t us)
{
    for (; us > MODEL_PIECE_US; us -= MODEL_PIECE_US) {
        compute(MODEL_PIECE_US);
        model_progress[actor]++;
    }
    compute(us);
}
