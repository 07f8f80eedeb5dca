/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `uptime`. */
#include <lichen/reset.h>
#include <lichen/time.h>

#include "service/shell/shell.h"

static const char *cause_text(void)
{
    switch (reset_cause()) {
    case RESET_POWER:
        return TEXT("power");
    case RESET_BROWN_OUT:
        return TEXT("a brown-out");
    case RESET_PIN:
        return TEXT("the reset pin");
    case RESET_WATCHDOG:
        return TEXT("the watchdog");
    default:
        return TEXT("software");
    }
}

SHELL_COMMAND(uptime, "", "Tells the time since start-up, and what started the mote.")
{
    struct time_moment now;
    (void)time_now_us(); /* known from then on */

    time_known(&now);
    uint32_t minutes = now.s / 60;
    uint32_t hours = minutes / 60;
    print("%lu d %02lu:%02lu:%02lu, started by %s\n", (unsigned long)(hours / 24),
          (unsigned long)(hours % 24), (unsigned long)(minutes % 60), (unsigned long)(now.s % 60),
          cause_text());
}
