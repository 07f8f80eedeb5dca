/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sense, store and forward: the application of the TOSThreads paper (SenSys 2009, section 5.2).
 *
 * Six threads. Four sample a sensor each, once every logging period; they begin together and end
 * together, at two barriers. A logger appends their samples to a log that survives power cuts. A
 * sender forwards a batch of 144 samples, every 12 hours if one is taken every 5 minutes: it prints
 * them, a line each. A sample is forwarded once, or again if power fails before the sender has
 * noted that the batch has left; none is left out.
 *
 *     ./lichen run ssf --for 25h
 */
#include <lichen/barrier.h>
#include <lichen/console.h>
#include <lichen/log.h>
#include <lichen/mutex.h>
#include <lichen/print.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "period.h"

enum {
    SENSORS = 4,
    BATCH = 144,
    BATCHES_KEPT = 2,
};

#define PERIOD_US   (ssf_period_s * TIME_US_PER_S)
#define NOT_SAMPLED INT32_MIN /* in place of a value that the sensor has not given */

#define SENSOR_STACK (ARCH_FLASH_IS_APART ? 272u : 400u)
#define SENDER_STACK (ARCH_FLASH_IS_APART ? 384u : 512u)
#define LOGGER_STACK (ARCH_FLASH_IS_APART ? 352u : 488u)

/* As it is in the log. */
struct sample {
    uint32_t number; /* continues to count after a start */
    int32_t values[SENSORS];
};

/* How far forwarding has come. */
struct mark {
    uint32_t position; /* in `samples` */
    uint32_t number;   /* of the sample there */
};

LOG_CIRCULAR(samples, BATCHES_KEPT *BATCH *(sizeof(struct sample) + 1));
LOG_CIRCULAR(marks, sizeof(struct mark)); /* the newest one counts */

/* The sample under way, which each sensor's thread completes. */
static struct sample sample;
MUTEX(sample_lock);
BARRIER(period_begins, SENSORS + 1);
BARRIER(all_sampled, SENSORS + 1);

/* ---------------------------------------------------------------- sense */
/* Sensor `index` of the board. */
static void sample_for_ever(uint8_t index)
{
    const ARCH_FLASH struct sensor *sensor = sensor_at(index);

    for (;;) {
        barrier_wait(&period_begins);
        int32_t value = NOT_SAMPLED;
        if (sensor == 0 || sensor_read(sensor, SENSOR_NEW, &value) != 0) {
            value = NOT_SAMPLED;
        }
        mutex_lock(&sample_lock);
        sample.values[index] = value;
        mutex_unlock(&sample_lock);
        barrier_wait(&all_sampled);
    }
}

THREAD(first, SENSOR_STACK, PRIORITY_APP)
{
    sample_for_ever(0);
}
THREAD(second, SENSOR_STACK, PRIORITY_APP)
{
    sample_for_ever(1);
}
THREAD(third, SENSOR_STACK, PRIORITY_APP)
{
    sample_for_ever(2);
}
THREAD(fourth, SENSOR_STACK, PRIORITY_APP)
{
    sample_for_ever(3);
}

/* ---------------------------------------------------------------- forward */
static struct mark mark;

static void print_sample(const struct sample *found)
{
    print("sample %lu", (unsigned long)found->number);
    for (uint8_t sensor = 0; sensor < SENSORS; sensor++) {
        if (found->values[sensor] == NOT_SAMPLED) {
            print(" -");
        } else {
            print(" %ld", (long)found->values[sensor]);
        }
    }
    print("\n");
}

/* Prints what is in the log, a page that cannot be read excepted.
 * returns   ERR_EMPTY, or what kept it from the end
 */
static int forward(void)
{
    struct sample found;
    int error;

    do {
        size_t length = sizeof(found);
        error = log_read(&samples, &found, &length);
        if (error == 0) {
            print_sample(&found);
            mark.number = found.number + 1;
        } else if (error == ERR_CORRUPT) {
            print("samples after %lu cannot be read\n", (unsigned long)mark.number);
        }
    } while (error == 0 || error == ERR_CORRUPT);
    console_drain();
    return error;
}

/* Notes that what is before the reader has left. */
static int keep_mark(void)
{
    int error = log_tell(&samples, &mark.position);

    if (error == 0) {
        error = log_append(&marks, &mark, sizeof(mark));
    }
    if (error == 0) {
        error = log_sync(&marks);
    }
    return error;
}

/* How many samples are in the log and have not left; counted before the sender starts. */
static uint16_t unsent;

/* Half a period after the last sample of a batch. */
THREAD_STOPPED(sender, SENDER_STACK, PRIORITY_APP)
{
    uint64_t due = unsent < BATCH ? (BATCH - unsent) * PERIOD_US + PERIOD_US / 2 : 0;

    for (;; due += BATCH * PERIOD_US) {
        sleep_until_us(due);
        int error = forward();
        if (error == ERR_EMPTY) {
            error = keep_mark();
        }
        if (error != 0) {
            print("forwarded again after a start: error %d\n", error);
        }
    }
}

/* ---------------------------------------------------------------- store */
/* Reads the newest mark. */
static int find_mark(void)
{
    int error;

    do {
        size_t length = sizeof(mark);
        error = log_read(&marks, &mark, &length);
    } while (error == 0 || error == ERR_CORRUPT);
    return error == ERR_EMPTY ? log_seek(&samples, mark.position) : error;
}

/* Counts the samples behind the mark, and leaves the reader there. */
static int count_unsent(void)
{
    int error;

    sample.number = mark.number;
    do {
        size_t length = sizeof(sample);
        error = log_read(&samples, &sample, &length);
        if (error == 0) {
            unsent++;
            sample.number++;
        }
    } while (error == 0 || error == ERR_CORRUPT);
    return error == ERR_EMPTY ? log_seek(&samples, mark.position) : error;
}

static int keep_sample(void)
{
    int error = log_append(&samples, &sample, sizeof(sample));

    return error == 0 ? log_sync(&samples) : error;
}

THREAD(logger, LOGGER_STACK, PRIORITY_APP)
{
    int error = find_mark();
    if (error == 0) {
        error = count_unsent();
    }
    if (error != 0) {
        print("no storage: error %d\n", error);
    }
    print("sample %lu is next, %u wait to be forwarded\n", (unsigned long)sample.number, unsent);
    (void)thread_start(&sender, 0);

    for (uint64_t due = PERIOD_US;; due += PERIOD_US) {
        sleep_until_us(due);
        barrier_wait(&period_begins);
        barrier_wait(&all_sampled);
        error = keep_sample();
        if (error != 0) {
            print("sample %lu is not kept: error %d\n", (unsigned long)sample.number, error);
        }
        sample.number++;
    }
}
