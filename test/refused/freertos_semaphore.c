/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore of FreeRTOS.
 *
 * error: test/refused/freertos_semaphore.c:10:8: nothing declares `SemaphoreHandle_t'
 * help: declare it at the outermost level of the file: SEMAPHORE(name, 0); (<lichen/semaphore.h>)
 */
/* clang-format off */
#include <lichen/thread.h>

static SemaphoreHandle_t go;

THREAD(t, 512, PRIORITY_APP)
{
    (void)go;
}
