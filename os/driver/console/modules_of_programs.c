/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Modules of programs that were loaded. An image that exports messages to programs names
 * syslog_adjust_of_programs. */
#include "driver/console/modules.h"

#include <lichen/kernel.h>

#include "kernel/program/walk.h"

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
            return &program_modules(program)[index].module;
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
    int error = syslog_visit(module_at, adjustment->module, adjustment->level, false);

    return error == 0 ? syslog_visit(module_at, adjustment->module, adjustment->level, true)
                      : error;
}

int syslog_adjust_of_programs(const char *module, int level)
{
    struct adjustment adjustment = {module, level};

    return level < LOG_NONE ? ERR_INVALID : kernel_run(adjust, &adjustment);
}
