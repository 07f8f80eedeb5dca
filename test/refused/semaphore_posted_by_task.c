/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task posts a semaphore of threads.
 *
 * error: test/refused/semaphore_posted_by_task.c:18:23: `go' is a SEMAPHORE, and interrupts and
 *        real-time tasks use a SEMAPHORE_RT
 * help: declare it as SEMAPHORE_RT(go, 0); threads name it &go.semaphore (<lichen/semaphore.h>)
 */
/* clang-format off */
#include <lichen/rt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE(go, 0);

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
    rt_semaphore_post(&go);
}

THREAD(t, 512, PRIORITY_APP)
{
    semaphore_wait(&go);
}
