/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts that do what the host tells them, in a program whose only other actors are cooperative
 * threads. */
#include <lichen/coop.h>
#include <lichen/interrupt.h>

#include "calls.h"
#include "coops.h"
#include "interrupts.h"

static void interrupt_act(unsigned level)
{
    struct answer answer = {.result = MODEL_BEGIN};
    struct command command;
    for (;;) {
        model_next(ACTOR_INTERRUPT + level, &answer, &command);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer.result = coops_call(&command);
    }
}

MODEL_INTERRUPTS(interrupt_act)

/* Its name sorts before all others, so the lines are enabled before any actor asks. */
COOP(a_start)
{
    COOP_BEGIN();
    software_interrupts_enable();
    COOP_END();
}
