/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "objects.h"

#include "machine.h"

STACKS_CHECKED_BY_RUNS;

/* Only the first one starts: the others would keep the processor from cooperative threads. */
THREAD(thread_0, MODEL_STACK, 10)
{
    thread_act(0);
}
THREAD_STOPPED(thread_1, MODEL_STACK, 8)
{
    thread_act(1);
}
THREAD_STOPPED(thread_2, MODEL_STACK, 8)
{
    thread_act(2);
}
THREAD_STOPPED(thread_3, MODEL_STACK, 4)
{
    thread_act(3);
}
THREAD_STOPPED(thread_4, MODEL_STACK, 4)
{
    thread_act(4);
}
