/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Modules whose level can be changed: those of the image, and in images that load programs those of
 * programs, too (modules_of_programs.c). */
#ifndef DRIVER_CONSOLE_MODULES_H
#define DRIVER_CONSOLE_MODULES_H

#include <lichen/syslog.h>

#include <stdbool.h>

#include "base/text.h"

/* Those of the image, which the linker sorts by name (os/kernel/flash.ld). */
extern const ARCH_FLASH struct syslog_module syslog_modules_begin[], syslog_modules_end[];

/* What syslog_module_at and syslog_adjust are. */
typedef const ARCH_FLASH struct syslog_module *syslog_at_fn(unsigned index);
const ARCH_FLASH struct syslog_module *syslog_module_at_declared(unsigned index);
const ARCH_FLASH struct syslog_module *syslog_module_at_of_programs(unsigned index);
int syslog_adjust_declared(const char *module, int level);
int syslog_adjust_of_programs(const char *module, int level);

/* Visits the modules of a name.
 * at        the modules, by index
 * change    the new level of each, else they are only looked at
 * returns   0; ERR_EMPTY: there is none; ERR_INVALID: one has a lower ceiling
 */
static inline __attribute__((always_inline)) int
syslog_visit(syslog_at_fn *at, const char *name, int level, bool change)
{
    int error = ERR_EMPTY;
    const ARCH_FLASH struct syslog_module *module;

    for (unsigned i = 0; (module = at(i)) != 0; i++) {
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

#endif
