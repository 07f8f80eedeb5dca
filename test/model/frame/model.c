/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "model.h"

#include "compute.h"
#include "software_interrupt.h"

/* For the host. */
const ARCH_FLASH uint8_t software_interrupts_of_levels[] = {SOFTWARE_INTERRUPT_NUMBERS};

volatile struct command model_command[ACTORS];
volatile uint32_t model_progress[ACTORS];

__attribute__((noinline)) void model_ask(unsigned actor, int result, uint32_t value)
{
    __asm__ volatile("" : : "r"(actor), "r"(result), "r"(value) : "memory");
}

void model_next(unsigned actor, struct answer *answer, struct command *command)
{
    volatile struct command *slot = &model_command[actor];
    do {
        model_ask(actor, answer->result, answer->value);
    } while (slot->call == 0);
    *answer = (struct answer){0};
    command->call = slot->call;
    command->object = slot->object;
    command->other = slot->other;
    command->actor = (uint8_t)actor;
    command->value = slot->value;
    command->time = slot->time;
    slot->call = 0;
}

void model_compute(unsigned actor, uint32_t us)
{
    for (; us > MODEL_PIECE_US; us -= MODEL_PIECE_US) {
        compute_us(MODEL_PIECE_US);
        model_progress[actor]++;
    }
    compute_us(us);
}
