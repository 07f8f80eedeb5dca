/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RadioStress, as in paper 004, section 5.4: messages to all, as fast as the channel allows. */
#include <lichen/am.h>
#include <lichen/led.h>
#include <lichen/panic.h>
#include <lichen/thread.h>

enum { STRESS = 20 };

THREAD(stress, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_APP)
{
    uint8_t payload[AM_PAYLOAD_USUAL] = {0};
    int error = link_open(0);

    if (error != 0) {
        panic((uintptr_t)error);
    }
    for (;;) {
        payload[0]++;
        if (am_send(AM_ALL, STRESS, payload, sizeof(payload)) == 0) {
            led_toggle(0);
        } else {
            led_toggle(1);
        }
    }
}
