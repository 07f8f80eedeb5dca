/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Levels by name, and modules whose level can be changed. */
#include "driver/console/modules.h"

const char *syslog_level_text(int level)
{
    const char *text = ARCH_TEXT("none\0emerg\0alert\0crit\0err\0warning\0notice\0info\0debug");

    for (; level > LOG_NONE; level--) {
        while (arch_text(text++) != '\0') {
        }
    }
    return text;
}

const ARCH_FLASH struct syslog_module *syslog_module_at_declared(unsigned index)
{
    const ARCH_FLASH struct syslog_module *module = &syslog_modules_begin[index];

    return module < syslog_modules_end ? module : 0;
}

int syslog_adjust_declared(const char *module, int level)
{
    int error = level < LOG_NONE
                    ? ERR_INVALID
                    : syslog_visit(syslog_module_at_declared, module, level, false);

    return error == 0 ? syslog_visit(syslog_module_at_declared, module, level, true) : error;
}
