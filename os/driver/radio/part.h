/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What lichen/radio.h has in common for all radios, and what a driver of one adds.
 *
 * The common part (radio.c) checks what is asked for, keeps the transfers in their order and
 * what has been received, and counts. The driver looks at `radio` when it is told to, does what is
 * asked for, and calls back. All of this happens at the kernel level.
 */
#ifndef DRIVER_RADIO_PART_H
#define DRIVER_RADIO_PART_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/packet.h>
#include <lichen/radio.h>

/* What is asked for, and what has come of it. Written by radio.c, but for what the comments
 * say. */
struct radio {
    struct radio_settings settings;
    bool is_changed;                /* the settings; the driver clears it when they are in force */
    bool listens;                   /* radio_listen */
    bool is_sending;                /* the first transfer is on the air; the driver's */
    bool is_cancelled;              /* the first one was; the driver clears it when it begins */
    bool has_transfer;              /* the first one is under way; set by the driver */
    bool has_measurement;           /* `measurement` is; set by the driver */
    uint8_t failures;               /* in a row; the driver clears it when the radio works, radio.c
                                     * with each frame received */
    uint8_t held;                   /* packets in `received` */
    packet_t received[RADIO_QUEUE]; /* the oldest one first */
    struct radio_transfer *first;   /* the transfers, in the order in which they will be sent */
    struct radio_measurement *measurement; /* what is to be measured; 0: nothing */
    struct radio_counters counters;
};

extern struct radio radio_state;

/* Something has been asked for: the driver looks at `radio` soon. Made by RADIO_IS. */
void radio_part_serve(void);

/* Makes a driver the board's radio. In a file of its own in os/board/<name>, so that a program
 * without radio does not link the driver.
 * driver    whose DRIVER_serve() is the function above
 * facts     initial value of radio_facts
 */
#define RADIO_IS(driver, ...)                                                                      \
    void radio_part_serve(void)                                                                    \
    {                                                                                              \
        driver##_serve();                                                                          \
    }                                                                                              \
    const ARCH_FLASH struct radio_facts radio_facts = __VA_ARGS__

/* The radio begins to send the first transfer, which cannot be cancelled any more. */
void radio_begins(void);

/* The first transfer has ended: it leaves the list, and its event is posted.
 * result    of it
 */
void radio_sent(uint8_t result);

/* The measurement has ended. */
void radio_measured(uint8_t result, int8_t dbm, bool is_clear);

/* Whether the radio is needed. */
static inline bool radio_is_used(void)
{
    return radio_state.listens || radio_state.first != 0;
}

/* Ends all that is asked for with ERR_IO: the radio is left alone. */
void radio_refuse_all(void);

/* The radio has failed: what is under way ends with an error.
 * returns   0: it is to be set up anew; else for so long, in ms, it is to be left alone before,
 *           since that has not helped: the longer the more often, and all that is asked for is
 *           refused
 */
uint32_t radio_failed(uint8_t error);

/* Hands a received packet on. There is a place for it: `held` is less than RADIO_QUEUE. */
void radio_take(packet_t packet);

/* Notes when a packet was on the air. Only in the files that `radio_times` links.
 * us        0: not known
 */
static inline void radio_stamp(packet_t packet, uint64_t us)
{
    packet_times[packet - 1u] = us;
}

/* Counts up to the largest value. */
void radio_note(uint16_t *counter);

#endif
