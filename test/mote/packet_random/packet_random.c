/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets do what their model does, in random histories (packet_model.h). */
#include <lichen/print.h>

#include "packet_model.h"
#include "test.h"

#define CALLS     250u
#define HISTORIES TRIES(16u)

static unsigned differs; /* the line of the first difference; 0: none */

void model_failed(unsigned line)
{
    if (differs == 0) {
        differs = line;
    }
}

TEST(random_calls_do_what_the_model_does)
{
    for (unsigned history = 1; history <= HISTORIES; history++) {
        model_run(history * UINT32_C(2654435761), CALLS);
        if (differs != 0) {
            print("history %u\n", history);
        }
        expect_equal(differs, 0);
    }
}
