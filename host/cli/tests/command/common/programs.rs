// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with mistakes of which runs and tests must tell.

/// Two threads that lock two mutexes in different orders.
pub const DEADLOCK: &str = "\
#include <lichen/mutex.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(salt);
MUTEX(pepper[2]);

THREAD(ann, 256, PRIORITY_APP)
{
    (void)mutex_lock(&salt);
    sleep_ms(10);
    (void)mutex_lock(&pepper[1]);
}

THREAD(bob, 256, PRIORITY_APP)
{
    (void)mutex_lock(&pepper[1]);
    sleep_ms(10);
    (void)mutex_lock(&salt);
}
";

/// A thread that keeps the processor, and one that never gets it.
pub const HOG: &str = "\
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int turns;

THREAD(hog, 256, PRIORITY_APP + 1)
{
    for (;;) {
        turns++;
    }
}

THREAD(poor, 256, PRIORITY_APP)
{
    for (;;) {
        led_toggle(0);
        sleep_ms(100);
    }
}
";
