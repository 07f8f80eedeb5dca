/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task in flash at 48 MHz.
 *
 *   task_requested .. task_done   from the request to the end of its work
 */
#include "../task.h"

RT_TASK(task, HIGH, TASK_DECLARED)
TASK_BODY
