/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `panic`. */
#include <lichen/panic.h>

#include "service/shell/shell.h"

SHELL_COMMAND(panic, "[forget]", "Shows the record of the last panic, or forgets it.")
{
    const struct panic_record *record = panic_last();
    int forget;

    if (arguments->count > 1) {
        if (shell_choice(arguments, 1, TEXT("forget"), &forget) == 0) {
            panic_forget();
        }
    } else if (record == 0) {
        print("no panic since power came, or the last was forgotten\n");
    } else {
        panic_print(record);
        print("panics: %lu\n", (unsigned long)record->count);
    }
}
