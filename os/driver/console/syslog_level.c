/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Levels by name, and modules whose level can be changed. */
#include <lichen/syslog.h>

#include <lichen/kernel.h>

#include "base/text.h"
#include "driver/console/syslog.h"
#include "kernel/program/walk.h"

/* In images that load programs. */
#pragma weak programs
#pragma weak arch_kernel_run

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

const ARCH_FLASH struct syslog_module *syslog_module_at_declared(unsigned index)
{
    const ARCH_FLASH struct syslog_module *module = &syslog_modules_begin[index];

    return module < syslog_modules_end ? module : 0;
}

/* Visits the modules of a name.
 * change    the new level of each, else they are only looked at
 * returns   0; ERR_EMPTY: there is none; ERR_INVALID: one has a lower ceiling
 */
static inline __attribute__((always_inline)) int
visit(const char *name, int level, bool change,
      const ARCH_FLASH struct syslog_module *at(unsigned index))
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

int syslog_adjust_declared(const char *module, int level)
{
    int error =
        level < LOG_NONE ? ERR_INVALID : visit(module, level, false, syslog_module_at_declared);

    return error == 0 ? visit(module, level, true, syslog_module_at_declared) : error;
}

/* -------- with those of loaded programs */

/* At the kernel level. */
static const ARCH_FLASH struct syslog_module *module_at(unsigned index)
{
    unsigned declared = (unsigned)(syslog_modules_end - syslog_modules_begin);

    if (index < declared) {
        return &syslog_modules_begin[index];
    }
    index -= declared;
    for (const struct program *program = programs; program != 0; program = program->next) {
        if (index < program->header->modules) {
            return &program_modules(program)[index];
        }
        index -= program->header->modules;
    }
    return 0;
}

struct search {
    unsigned index;
    const ARCH_FLASH struct syslog_module *module;
};

static int search(void *search_)
{
    struct search *search = search_;

    search->module = module_at(search->index);
    return 0;
}

const ARCH_FLASH struct syslog_module *syslog_module_at_of_programs(unsigned index)
{
    struct search here = {.index = index};

    (void)kernel_run(search, &here);
    return here.module;
}

struct adjustment {
    const char *module;
    int level;
};

static int adjust(void *adjustment_)
{
    const struct adjustment *adjustment = adjustment_;
    int error = visit(adjustment->module, adjustment->level, false, module_at);

    return error == 0 ? visit(adjustment->module, adjustment->level, true, module_at) : error;
}

int syslog_adjust_of_programs(const char *module, int level)
{
    struct adjustment adjustment = {module, level};

    return level < LOG_NONE ? ERR_INVALID : kernel_run(adjust, &adjustment);
}
