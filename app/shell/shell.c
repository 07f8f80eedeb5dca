/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Shell: commands on the console.
 *
 * The commands of the system, and one that switches lights. It reports what it does in messages,
 * whose level `log` can change.
 *
 *     echo ps | ./lichen run shell --for 1s
 */
#include <lichen/led.h>
#include <lichen/shell.h>
#include <lichen/syslog.h>

SYSLOG_MODULE_ADJUSTABLE(lights, LOG_DEBUG, LOG_NOTICE);

SHELL(SHELL_STACK, PRIORITY_APP);
SHELL_USE(energy);
SHELL_USE(log);
SHELL_USE(panic);
SHELL_USE(ps);
SHELL_USE(reboot);
SHELL_USE(sensors);
SHELL_USE(uptime);

SHELL_COMMAND(led, "LIGHT STATE", "Switches a light: off or on.")
{
    int32_t light;
    int on;

    if (shell_number(arguments, 1, 0, (int32_t)led_count() - 1, &light) == 0 &&
        shell_choice(arguments, 2, TEXT("off|on"), &on) == 0) {
        syslog(LOG_INFO, "light %ld: %s", (long)light, arguments->word[2]);
        if (on) {
            led_on((unsigned)light);
        } else {
            led_off((unsigned)light);
        }
    }
}
