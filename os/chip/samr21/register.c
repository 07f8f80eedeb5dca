/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Shared registers are changed at the kernel level, where no other change can come in between. */
#include "chip/register.h"

#include "arch/arch.h"

struct update {
    uint32_t mask;
    uint32_t bits;
};

static int apply(void *shared, void *update_)
{
    uint32_t volatile *value = shared;
    const struct update *update = update_;

    *value = (*value & ~update->mask) | update->bits;
    return 0;
}

void shared_register_update(struct shared_register *shared, uint32_t mask, uint32_t bits)
{
    struct update update = {.mask = mask, .bits = bits};

    (void)arch_run_exclusive(shared, &update, apply);
}
