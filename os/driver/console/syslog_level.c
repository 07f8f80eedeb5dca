/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Levels by name, and modules whose level can be changed. */
#include <lichen/syslog.h>

#include "base/text.h"

/* The adjustable modules, which the linker sorts by name (os/kernel/flash.ld). */
extern const ARCH_FLASH struct syslog_module syslog_modules_begin[], syslog_modules_end[];

const char *syslog_level_text(int level)
{
    const char *text = ARCH_TEXT("none\0emerg\0alert\0crit\0err\0warning\0notice\0info\0debug");

    for (; level > LOG_NONE; level--) {
        while (arch_text(text++) != '\0') {
        }
    }
    return text;
}

const ARCH_FLASH struct syslog_module *syslog_module_at(unsigned index)
{
    const ARCH_FLASH struct syslog_module *module = &syslog_modules_begin[index];

    return module < syslog_modules_end ? module : 0;
}

/* Visits the modules of a name.
 * change    the new level of each, else they are only looked at
 * returns   0; ERR_EMPTY: there is none; ERR_INVALID: one has a lower ceiling
 */
static int visit(const char *name, int level, bool change)
{
    int error = ERR_EMPTY;
    const ARCH_FLASH struct syslog_module *module;

    for (unsigned i = 0; (module = syslog_module_at(i)) != 0; i++) {
        if (!text_is_same(module->name, name)) {
            continue;
        }
        if (level > module->ceiling) {
            return ERR_INVALID;
        }
        if (change) {
            *module->level = (int8_t)level;
        }
        error = 0;
    }
    return error;
}

int syslog_adjust(const char *module, int level)
{
    int error = level < LOG_NONE ? ERR_INVALID : visit(module, level, false);

    return error == 0 ? visit(module, level, true) : error;
}
