/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the CC2420's driver share. All of it belongs to the kernel level. */
#ifndef CC2420_DRIVER_H
#define CC2420_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/event.h>
#include <lichen/packet.h>

enum {
    PIECE_BYTES = 32, /* of a frame that are moved in an event */
};

/* The driver waits for something, and looks whether it is there. */
EVENT_EXTERN(cc2420_step);

/* -------- setup.c */

/* Brings all registers to `radio_state.settings`. */
void cc2420_setup_registers(void);

/* The same with its addresses, which are in the RAM: the crystal is stable. */
void cc2420_setup_addresses(void);

/* Whether the radio answers, and its registers are as they were written. */
bool cc2420_setup_is_there(void);

/* -------- receive.c */

enum receive_state {
    RECEIVE_NOTHING,
    RECEIVE_PART,     /* what is there is no beginning of a frame */
    RECEIVE_FRAME,    /* there is a whole frame */
    RECEIVE_OVERFLOW, /* the RXFIFO has overflown */
};

enum receive_outcome {
    RECEIVE_MOVES, /* cc2420_receive_move follows */
    RECEIVE_ENDED,
    RECEIVE_UNSOUND, /* the radio does not do what it should */
};

/* The radio begins to listen; its RXFIFO is empty. */
void cc2420_receive_open(void);

/* To be called every few seconds while it listens: counts wrap, and clocks are not exact. */
void cc2420_receive_keep_pace(void);

/* Captures the pulses on SFD from now on: while the radio is on, if the program asks for times, and
 * else from the order to send a frame that asks for an acknowledgment until that has come, or
 * some seconds have passed. */
void cc2420_receive_capture(void);
void cc2420_receive_capture_no_more(void);

/* What is in the RXFIFO. */
enum receive_state cc2420_receive_look(void);

/* Begins to read the next frame, or ends an overflow. A frame for which there is no packet, or no
 * place, is left out. Many frames in a row that are corrupted are unsound. */
enum receive_outcome cc2420_receive_begin(void);

/* Reads the next piece. Returns false when it was the last, and the frame has been handed on. */
bool cc2420_receive_move(void);

/* What is left in the RXFIFO are parts of frames: flushes them. Returns false if the radio does not
 * do what it should. */
bool cc2420_receive_flush(void);

/* Power in dBm by RSSI_VAL. */
int8_t cc2420_receive_dbm(uint8_t rssi);

/* Nothing is read any more. */
void cc2420_receive_abandon(void);

/* Adds noise to the random numbers of a program that draws any, once after start-up, while the
 * receiver is on. Returns false if that has just been turned on, and has none yet. */
bool cc2420_receive_noise(void);
bool cc2420_receive_noise_once(void);
bool cc2420_receive_noise_never(void);

/* A frame that asks for an acknowledgment has been sent, and no other one has been since.
 * begin     the count at its beginning; 0: not known, or none is sent that asks
 * us        from then on to its end
 */
void cc2420_receive_await(const uint32_t *begin, uint16_t us);

/* -------- times.c, which may be absent */

/* Notes when a frame that was received or sent began.
 * begin     a count; 0: not known
 */
void cc2420_times_note(packet_t packet, const uint32_t *begin);

/* To be called every few seconds: clocks are not exact. */
void cc2420_times_compare(void);

#pragma weak cc2420_times_note
#pragma weak cc2420_times_compare

/* -------- transmit.c */

/* Begins to write the first transfer's frame to the TXFIFO. */
void cc2420_transmit_begin(void);

/* Writes the next piece. Returns false when it was the last. */
bool cc2420_transmit_move(void);

/* What has come of the order to send. */
enum transmit_start {
    TRANSMIT_SENDS,
    TRANSMIT_NOT_YET, /* RSSI is not valid yet, or an acknowledgment is being sent */
    TRANSMIT_BUSY,    /* the channel is not clear */
    TRANSMIT_UNSOUND,
};

/* Orders to send it. */
enum transmit_start cc2420_transmit_start(void);

/* How long it takes from then on, in microseconds. */
uint16_t cc2420_transmit_us(void);

enum transmit_end {
    TRANSMIT_SENT,
    TRANSMIT_STILL,    /* it is on the air */
    TRANSMIT_UNDERRUN, /* the TXFIFO is flushed */
    TRANSMIT_LOST,     /* the radio has stopped */
};

/* Looks what has come of it. */
enum transmit_end cc2420_transmit_look(void);

#endif
