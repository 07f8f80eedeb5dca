/* @PROGRAM@: an LED that changes every second, and a line that counts the changes.
 *
 * There is no main. THREAD declares a thread where it is defined: its name, the bytes of its
 * stack, its priority; it starts with the mote. Public headers are in os/include/lichen.
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(blinker, 512, PRIORITY_APP)
{
    uint64_t next_us = time_now_us();

    for (unsigned changes = 1;; changes++) {
        led_toggle(0);
        print("@PROGRAM@: change %u\n", changes);
        next_us += TIME_US_PER_S;
        sleep_until_us(next_us);
    }
}
