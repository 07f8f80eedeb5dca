/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds: a list, and a counter of the chip that runs while the list is not empty.
 *
 * The counter's interrupt takes what is due from the list, so it does not matter how long the
 * kernel level is busy. What changes the list elsewhere holds that interrupt meanwhile. Counts wrap
 * after 65 ms or more; no alarm is longer than half of that, so a difference of 16 bits says which
 * of two is earlier.
 */
#include "kernel/time/time.h"

#include <lichen/interrupt.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"

static struct alarm *first; /* the list, earliest first */

static bool has_come(const struct alarm *alarm, uint16_t count)
{
    return (int16_t)(count - alarm->due) >= 0;
}

static void go_on(void)
{
    if (first != 0) {
        chip_counter_match(first->due);
    } else {
        chip_counter_stop();
    }
}

void kernel_counter_matched(void)
{
    uint16_t now = chip_counter_read();
    struct alarm *alarm;
    while ((alarm = first) != 0 && has_come(alarm, now)) {
        first = alarm->next;
        alarm->is_set = false;
        event_post_from(alarm->event, LEVEL_DRIVER);
    }
    go_on();
}

/* The counter's interrupt is held. Equals fire in the order in which they were set. What is due but
 * has not been taken yet, since another handler kept the processor, comes before all others: it may
 * be too old to be compared with a long alarm. */
static void insert(struct alarm *alarm, uint16_t now)
{
    struct alarm **link = &first;
    while (*link != 0 && (has_come(*link, now) || has_come(*link, alarm->due))) {
        link = &(*link)->next;
    }
    alarm->next = *link;
    *link = alarm;
    alarm->is_set = true;
}

void alarm_begin(struct alarm *alarm, uint16_t us)
{
    uint16_t counts = chip_counter_counts(us);
    chip_counter_hold();
    if (first == 0) {
        chip_counter_start();
    }
    uint16_t now = chip_counter_read();
    alarm->due = (uint16_t)(now + counts);
    insert(alarm, now);
    if (first == alarm) {
        chip_counter_match(alarm->due);
    }
    chip_counter_release();
}

int alarm_end(void *alarm)
{
    int error = ERR_EMPTY;
    chip_counter_hold();
    for (struct alarm **link = &first; *link != 0; link = &(*link)->next) {
        if (*link == alarm) {
            *link = (*link)->next;
            ((struct alarm *)alarm)->is_set = false;
            error = 0;
            go_on();
            break;
        }
    }
    chip_counter_release();
    return error;
}

/* The length, as kernel_run_with takes it. */
static int set(void *alarm_, void *us)
{
    struct alarm *alarm = alarm_;
    if (alarm->is_set) {
        return ERR_BUSY;
    }
    alarm_begin(alarm, (uint16_t)(uintptr_t)us);
    return 0;
}

int alarm_set(struct alarm *alarm, uint32_t us)
{
    if (us > ALARM_MAX_US) {
        return ERR_INVALID;
    }
    return kernel_run_with(set, alarm, (void *)(uintptr_t)us);
}

int alarm_cancel(struct alarm *alarm)
{
    return kernel_run(alarm_end, alarm);
}
