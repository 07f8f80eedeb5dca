/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `reboot`. */
#include <lichen/console.h>
#include <lichen/reset.h>

#include "service/shell/shell.h"

SHELL_COMMAND(reboot, "", "Restarts the mote.")
{
    print("restarting\n");
    console_drain();
    reset_mote();
}
