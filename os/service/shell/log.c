/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `log`. */
#include <lichen/syslog.h>

#include "base/text.h"
#include "service/shell/shell.h"

static void print_module(const ARCH_FLASH struct syslog_module *module)
{
    print("%-16s %s, at most %s\n", module->name, syslog_level_text(*module->level),
          syslog_level_text(module->ceiling));
}

/* Those of a name, or all if it is 0.
 * returns   how many there are
 */
static unsigned print_modules(const char *name)
{
    const ARCH_FLASH struct syslog_module *module;
    unsigned count = 0;

    for (unsigned i = 0; (module = syslog_module_at(i)) != 0; i++) {
        if (name == 0 || text_is_same(module->name, name)) {
            print_module(module);
            count++;
        }
    }
    return count;
}

static void adjust(const struct shell_arguments *arguments)
{
    int choice;
    if (shell_choice(arguments, 2, TEXT("none|emerg|alert|crit|err|warning|notice|info|debug"),
                     &choice) != 0) {
        return;
    }
    switch (syslog_adjust(arguments->word[1], choice + LOG_NONE)) {
    case ERR_EMPTY:
        shell_refuse(arguments, 1, TEXT("one that `log` lists"));
        break;
    case ERR_INVALID:
        shell_refuse(arguments, 2, TEXT("one that is in the image"));
        break;
    default:
        (void)print_modules(arguments->word[1]);
        break;
    }
}

SHELL_COMMAND(log, "[MODULE] [LEVEL]", "Lists the levels of messages, or changes one.")
{
    if (arguments->count > 2) {
        adjust(arguments);
    } else if (print_modules(arguments->word[1]) == 0 && arguments->count > 1) {
        shell_refuse(arguments, 1, TEXT("one that `log` lists"));
    }
    if (syslog_dropped() != 0) {
        print("messages dropped: %u\n", syslog_dropped());
    }
}
