/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that takes part in all that an image's tables have: a receiver, whose thread can be
 * slower than messages come, so that some wait in its queue; commands, of which one does not
 * return; a module; a start function.
 */
#include <lichen/am.h>
#include <lichen/init.h>
#include <lichen/panic.h>
#include <lichen/shell.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SYSLOG_MODULE_ADJUSTABLE(guest, LOG_DEBUG, LOG_NOTICE);

enum {
    INTEGER = 4, /* of app/count_to_radio */
    SLOW_MS = 700,
};

AM_RECEIVER(integers, INTEGER, 2);

static unsigned starts;
static volatile bool is_slow;

static void start(void)
{
    starts++;
}
INIT(start);

SHELL_COMMAND(greet, "", "Greets.")
{
    print("started %u times\n", starts);
}

SHELL_COMMAND(pace, "PACE", "Takes messages as they come, or slower.")
{
    int choice;

    if (shell_choice(arguments, 1, TEXT("quick|slow"), &choice) == 0) {
        is_slow = choice != 0;
        print("pace %d\n", choice);
    }
}

SHELL_COMMAND(fail, "", "Fails, and the program with it.")
{
    panic(1);
}

SHELL_COMMAND(stay, "", "Does not return.")
{
    print("staying\n");
    for (;;) {
        sleep_ms(500);
    }
}

THREAD(taker, ARCH_FLASH_IS_APART ? 512 : 640, PRIORITY_APP)
{
    struct am_message message;
    uint8_t payload[2];

    for (;;) {
        if (am_receive(&integers, &message, payload, sizeof(payload), TIME_NEVER) == 0) {
            syslog(LOG_NOTICE, "count %u", (unsigned)(payload[0] << 8 | payload[1]));
            syslog(LOG_DEBUG, "of type %u", (unsigned)message.type);
            if (is_slow) {
                sleep_ms(SLOW_MS);
            }
        }
    }
}
