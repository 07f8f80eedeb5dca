/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a program says and asks about itself. In an image without a loader there is nothing to say.
 */
#include <lichen/program.h>

#include "load/thread.h"

#pragma weak loader_confirm
#pragma weak loader_version

void program_confirm(void)
{
    if (&loader_confirm != 0) {
        loader_confirm();
    }
}

uint16_t program_version(void)
{
    return &loader_version != 0 ? loader_version() : 0;
}
