/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program as on Arduino.
 *
 * error: test/refused/arduino_setup.c:13:6: nothing calls `setup': programs of Lichen have no setup
 *        and no loop
 * help: write a thread with both: THREAD(blink, 512, PRIORITY_APP) { what setup does; for (;;) {
 *        what loop does } } (<lichen/thread.h>)
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/time.h>

void setup() {
    led_on(0);
}

void loop() {
    led_toggle(0);
    sleep_ms(500);
}
