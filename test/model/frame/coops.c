/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Four cooperative threads. The calls that let others run are in their bodies. */
#include "coops.h"

#include <lichen/coop.h>

#include "calls.h"

#define COOPS 4u

/* A sleep whose length is a compile-time constant takes another path. */
#define NAP_MS 5u

COOP_EXTERN(coop_0);
COOP_EXTERN(coop_1);
COOP_EXTERN(coop_2);
COOP_EXTERN(coop_3);
static struct coop *const coops[COOPS] = {&coop_0, &coop_1, &coop_2, &coop_3};

static struct command told[COOPS];
static struct answer answers[COOPS];

int coops_call(const struct command *command)
{
    struct coop *coop = coops[command->object];
    switch (command->call) {
    case CALL_COMPUTE:
        model_compute(command->actor, command->value);
        break;
    case CALL_COOP_SIGNAL:
        coop_signal(coop);
        break;
    case CALL_COOP_ADD:
        coop_add(coop);
        break;
    case CALL_COOP_HOLD:
        coop_hold(coop);
        break;
    case CALL_COOP_KILL:
        coop_kill(coop);
        break;
    default:
        break;
    }
    return 0;
}

/* Each call returns 0; the one at the beginning can be distinguished. */
static unsigned next(unsigned index)
{
    model_next(ACTOR_COOP + index, &answers[index], &told[index]);
    return told[index].call;
}

#define COOP_TOLD(index)                                                                           \
    COOP(coop_##index)                                                                             \
    {                                                                                              \
        COOP_BEGIN();                                                                              \
        answers[index].result = MODEL_BEGIN;                                                       \
        while (next(index) != CALL_RETURN) {                                                       \
            if (told[index].call == CALL_COOP_YIELD) {                                             \
                coop_yield();                                                                      \
            } else if (told[index].call == CALL_COOP_WAIT) {                                       \
                coop_wait();                                                                       \
            } else if (told[index].call != CALL_COOP_SLEEP) {                                      \
                (void)coops_call(&told[index]);                                                    \
            } else if (told[index].value == NAP_MS) {                                              \
                coop_sleep_ms(NAP_MS);                                                             \
            } else {                                                                               \
                coop_sleep_ms(told[index].value);                                                  \
            }                                                                                      \
        }                                                                                          \
        COOP_END();                                                                                \
    }

COOP_TOLD(0)
COOP_TOLD(1)
COOP_TOLD(2)
COOP_TOLD(3)
