/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the CC1000's driver share. All of it belongs to the kernel level. */
#ifndef CC1000_DRIVER_H
#define CC1000_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/event.h>
#include <lichen/time.h>

#include "driver/radio/cc1000/frames.h"

/* Something that the driver waits for has happened, or something is asked for. */
EVENT_EXTERN(cc1000_step);

/* -------- driver.c */

enum state {
    OFF,
    STARTING,
    BIASING,
    CALIBRATING,
    SETTLING,
    LISTENING,
    BACKING_OFF,
    SENSING,
    GOING,
    TURNING,
    SENDING,
    STOPPING,
    AWAITING,
    FAILED,
};

struct driver {
    uint8_t state;     /* enum state */
    uint8_t periods;   /* until the state has lasted too long */
    uint8_t polls;     /* that are left */
    bool transmits;    /* CALIBRATING: the transmitter */
    bool is_set_up;    /* the registers are as the settings say, and calibrated */
    bool follows;      /* a sample of noise is being taken */
    bool acknowledges; /* what is sent is an acknowledgment */
    bool has_frame;    /* `cc1000_frame` is under way, or is sent again */
    uint8_t failures;  /* in a row */
};

extern struct driver driver;

enum {
    /* The first byte may end at once, so it is as much as one: more than the 200 us of the
     * synthesizer, which is asked then. */
    DRIVER_SETTLING_BYTES = 2,
    DRIVER_LOCK_POLLS = 10, /* a byte each */
};

/* Within this a frame has been sent, which takes 60 ms; within the other, a part of a backoff of
 * 255 bytes, and then what others measure with the converter. */
#define DRIVER_LIMIT_MS  150u
#define DRIVER_ACCESS_MS 1500u

/* Enters a state in which bytes are moved, for so long at most, or up to DRIVER_PERIOD_MS longer:
 * a timer counts these periods, so that a state costs no timer of its own. */
#define DRIVER_PERIOD_MS 150u
#define DRIVER_ENTER(state, ms)                                                                    \
    cc1000_driver_enter(state, ((ms) + DRIVER_PERIOD_MS - 1) / DRIVER_PERIOD_MS + 1)
void cc1000_driver_enter(enum state state, uint8_t periods);

/* Switches the receiver on. */
void cc1000_driver_listen(void);

/* Nothing is under way any more. */
void cc1000_driver_settled(void);

/* The part has failed. */
void cc1000_driver_fail(uint8_t error);

/* Asks the synthesizer after some bytes. Returns whether it is locked; if it has not locked after
 * some more, the part has failed. */
bool cc1000_driver_has_locked(void);

/* -------- transmit.c */

/* Begins with `cc1000_frame`, or tries it again. */
void cc1000_transmit_begin(void);

/* Tells its user that the attempt has ended. */
void cc1000_transmit_ended(uint8_t result);

/* Acknowledges the frame that has been received last. */
void cc1000_transmit_acknowledge(void);

/* Looks after what is under way. */
void cc1000_transmit_step(void);

/* -------- setup.c */

/* Brings all registers from their reset values to what `cc1000_settings` says, but for MAIN and
 * what depends on the direction. Returns whether they read back as they were written. */
bool cc1000_setup_write(void);

/* Switches the receiver on, or the transmitter with its amplifier off. The synthesizer then needs
 * SETUP_LOCK_US. */
void cc1000_setup_receive(void);
void cc1000_setup_transmit(void);

/* Switches the amplifier on, with the power that the settings say. */
void cc1000_setup_amplify(void);

/* Begins a calibration of the synthesizer in its present direction, asks whether it has ended, and
 * ends it. */
void cc1000_setup_calibrate(void);
bool cc1000_setup_is_calibrated(void);
void cc1000_setup_calibrate_end(void);

/* Whether the synthesizer is locked. */
bool cc1000_setup_is_locked(void);

/* The strength of a signal, by RSSI's voltage (data sheet, "RSSI output"). */
int8_t cc1000_setup_dbm(uint16_t millivolts);

/* RSSI's voltage, in millivolts, at about the strength of noise. */
uint16_t cc1000_setup_noise_mv(void);

/* -------- receive.c */

/* Looks after a frame that arrives. Returns whether one is complete. */
bool cc1000_receive_step(void);

/* Whether a frame has been received that is to be acknowledged. Tells it once. */
bool cc1000_receive_asks_acknowledgment(void);

/* Nothing is received any more: the interrupt takes no frames (cc1000_bytes_pass). */
void cc1000_receive_stop(void);

/* -------- channel.c */

/* Measures the supply, which is full scale of RSSI; then RSSI can be measured. */
void cc1000_channel_open(void);

/* Begins to measure RSSI, unless that is under way. Returns an error if that is not possible. */
int cc1000_channel_sample(void);

/* Whether it is under way. */
bool cc1000_channel_is_sampling(void);

/* The result was taken when nobody was known to send: the noise floor follows it. */
void cc1000_channel_follow(void);

#endif
