/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial console: frames. In a separate file, so that only programs with frames have it. */
#include "driver/console/framed.h"

#include <lichen/console.h>
#include <lichen/syscall.h>

#include "chip/usart.h"
#include "driver/console/output.h"

struct whole {
    const uint8_t *bytes;
    uint8_t length;
};

/* At the kernel level, so that no event sends in between. */
static int put_whole(void *call)
{
    const struct whole *whole = ((struct syscall *)call)->object;

    for (uint8_t i = 0; i < whole->length; i++) {
        if (!console_stage(i, whole->bytes[i])) {
            return ERR_FULL;
        }
    }
    console_commit(whole->length);
    return 0;
}

/* While this thread has the console, only events fill the ring. */
void console_send_whole(const uint8_t *bytes, uint8_t length)
{
    struct whole whole = {.bytes = bytes, .length = length};

    console_claim();
    while (syscall_run_on(put_whole, &whole) != 0) {
        console_drain();
    }
    console_release();
}

static int listen(void *call)
{
    (void)call;
    usart_listen();
    return 0;
}

void console_listen(void)
{
    (void)syscall_run_on(listen, 0);
}
