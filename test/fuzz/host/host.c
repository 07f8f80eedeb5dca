/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the sanitizers' library. */
void __sanitizer_set_death_callback(void (*tell)(void));

static void (*tell_input)(void);

void host_at_death(void (*tell)(void))
{
    tell_input = tell;
    __sanitizer_set_death_callback(tell);
}

int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn)
{
    return fn(argument, second);
}

_Noreturn void host_assert_failed(const char *file, int line)
{
    fprintf(stderr, "%s:%d: this does not hold\n", file, line);
    if (tell_input != 0) {
        tell_input();
    }
    abort();
}
