/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/syslog.h>

DECLARATION_NEEDS(syslog_adjust_of_programs);
CALLS_LAYOUT(sizeof(struct syslog_place), 5, 12);
CALLS_LAYOUT(sizeof(struct syslog_module), 5, 12);

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(syslog_put),
    [1] = (call_fn *)(syslog_level_text),
};

CALLS(syslog, 16, 0x4c, 0xf7ac, 0x0a0d);
