/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Count to radio: a counter that is shown on the LEDs and sent to all, four times a second.
 *
 * In TinyOS 1 and in PAVENET OS (the paper, section IV-B) CntToLedsAndRfm, and CntToRfm if the mote
 * has no LEDs. A mote with radio_count_to_leds does not show it: the message has another type.
 *
 *     ./lichen run count_to_radio --for 10s --pcap count.pcapng
 */
#include <lichen/am.h>
#include <lichen/led.h>
#include <lichen/panic.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { INTEGER = 4, PERIOD_US = 250000 };

static void show(uint16_t count)
{
    for (unsigned led = 0; led < led_count() && led < 3; led++) {
        if ((count & 1u << led) != 0) {
            led_on(led);
        } else {
            led_off(led);
        }
    }
}

/* Sends the count and its sender. */
static void send(uint16_t count, uint16_t own)
{
    const uint8_t payload[] = {(uint8_t)(count >> 8), (uint8_t)count, (uint8_t)(own >> 8),
                               (uint8_t)own};

    if (am_send(AM_ALL, INTEGER, payload, sizeof(payload)) != 0) {
        return; /* the channel was never clear: the next count follows */
    }
}

THREAD(counter, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_APP)
{
    struct link_address own;
    uint64_t due = 0;

    int error = link_open(0);

    if (error != 0) {
        panic((uintptr_t)error);
    }
    link_own(&own);
    for (uint16_t count = 0;; count++) {
        show(count);
        send(count, own.short_address);
        due += PERIOD_US;
        sleep_until_us(due);
    }
}
