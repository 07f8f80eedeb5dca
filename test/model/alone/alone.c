/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts that do what the host tells them, in a program whose only other actors are cooperative
 * threads. */
#include <lichen/coop.h>
#include <lichen/interrupt.h>

#include "calls.h"
#include "coops.h"
#include "software_interrupt.h"

static void interrupt_act(unsigned actor)
{
    struct answer answer = {.result = MODEL_BEGIN};
    for (;;) {
        struct command command = model_next(actor, answer);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer = coops_call(&command);
    }
}

INTERRUPT(TCC0)
{
    interrupt_act(ACTOR_INTERRUPT);
}
INTERRUPT(TCC1)
{
    interrupt_act(ACTOR_INTERRUPT + 1);
}
INTERRUPT(TCC2)
{
    interrupt_act(ACTOR_INTERRUPT + 2);
}

/* Its name sorts before all others, so the lines are enabled before any actor asks. */
COOP(a_start)
{
    COOP_BEGIN();
    software_interrupts_enable();
    COOP_END();
}
