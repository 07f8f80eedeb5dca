/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore of another file is declared by SEMAPHORE.
 *
 * error: test/refused/semaphore_extern.c:12:18: SEMAPHORE makes what it declares, and cannot be
 *        extern
 * help: to name that of another file, write extern struct semaphore go;
 */
/* clang-format off */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

extern SEMAPHORE(go, 1);

THREAD(t, 512, PRIORITY_APP)
{
    semaphore_wait(&go);
}
