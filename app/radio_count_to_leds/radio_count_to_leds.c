/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Radio count to LEDs: each mote sends a count to all, four times a second, and shows the last
 * three bits of the count that it received last, as far as it has LEDs.
 *
 * TinyOS has the same program, with the same messages: motes of both understand each other.
 *
 *     ./lichen run radio_count_to_leds --motes 3 --topology line --for 10s
 */
#include <lichen/am.h>
#include <lichen/led.h>
#include <lichen/panic.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { COUNT = 6, PERIOD_US = 250000 };

EVENT_EXTERN(received);
AM_RECEIVER_EVENT(counts, COUNT, 4, received);

static void show(uint8_t bits)
{
    for (unsigned led = 0; led < led_count() && led < 3; led++) {
        if ((bits & 1u << led) != 0) {
            led_on(led);
        } else {
            led_off(led);
        }
    }
}

EVENT(received)
{
    struct am_message message;
    uint8_t count[2];

    while (am_try_receive(&counts, &message, count, sizeof(count)) == 0) {
        if (message.length == sizeof(count)) {
            show(count[1]);
        }
    }
}

THREAD(counter, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_APP)
{
    uint64_t due = random_below(PERIOD_US); /* or motes that start together collide */

    int error = link_open(0);

    if (error != 0) {
        panic((uintptr_t)error);
    }
    for (uint16_t count = 0;; count++) {
        const uint8_t payload[] = {(uint8_t)(count >> 8), (uint8_t)count};
        sleep_until_us(due);
        due += PERIOD_US;
        if (am_send(AM_ALL, COUNT, payload, sizeof(payload)) != 0) {
            continue; /* the channel was never clear: the next count follows */
        }
    }
}
