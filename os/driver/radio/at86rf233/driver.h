/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the AT86RF233's driver share. All of it belongs to the kernel level. */
#ifndef AT86RF233_DRIVER_H
#define AT86RF233_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/event.h>
#include <lichen/packet.h>
#include <lichen/radio.h>

/* Whatever the driver waits for has happened: bytes have been moved, an alarm has ended, an
 * interrupt request has come, or something is asked for. */
EVENT_EXTERN(at86rf233_step);

/* -------- setup.c */

/* Brings all registers from their reset values, or from earlier settings, to
 * `radio_state.settings`. */
void at86rf233_setup_write(void);

/* The command to listen as the settings say, which is also the state that it leads to. */
uint8_t at86rf233_setup_listening(void);

/* RX_SYN, while the radio receives. */
uint8_t at86rf233_setup_rx_syn(void);

/* Whether the receiver saves current, as it does otherwise. */
void at86rf233_setup_save(bool saves);

/* -------- times.c, which may be absent */

/* The radio's clock runs, and is counted from now on, if it is not. */
void at86rf233_times_count(void);

/* Compares it with the system's clock, unless that was done lately. To be called while a frame is
 * on the air, or may be: its time is taken by hardware meanwhile. */
void at86rf233_times_compare(void);

/* Some seconds have passed. */
void at86rf233_times_watch(void);

/* The radio's clock stops. */
void at86rf233_times_stop(void);

/* Takes the time so long before the interrupt request, until the line is enabled again; and notes
 * that a packet was on the air then, or when is not known. */
void at86rf233_times_take(uint32_t earlier_us);
void at86rf233_times_note(packet_t packet, bool is_known);

#pragma weak at86rf233_times_count
#pragma weak at86rf233_times_compare
#pragma weak at86rf233_times_watch
#pragma weak at86rf233_times_stop
#pragma weak at86rf233_times_take
#pragma weak at86rf233_times_note

/* -------- receive.c */

enum receive_outcome {
    RECEIVE_MOVES, /* bytes are being moved; then at86rf233_receive_end follows */
    RECEIVE_ENDED,
    RECEIVE_UNSOUND, /* there was no reason for the interrupt request */
};

/* Begins to read the frame for which the radio has interrupted. The line is enabled again. */
enum receive_outcome at86rf233_receive_begin(void);

/* Hands it on. */
void at86rf233_receive_end(void);

/* Nothing is read any more. */
void at86rf233_receive_abandon(void);

/* Adds noise to the random numbers of a program that draws any, once after start-up. In PLL_ON.
 * returns   whether it has left that, and the radio is on its way back
 */
bool at86rf233_receive_noise(void);
bool at86rf233_receive_noise_once(void);
bool at86rf233_receive_noise_never(void);

/* -------- transmit.c */

/* The radio has been set up, and has no options of a transfer. */
void at86rf233_transmit_set_up(void);

/* Makes the radio ready to send the first transfer's frame, and begins to write that. */
void at86rf233_transmit_begin(void);

/* The state in which the radio is then. */
uint8_t at86rf233_transmit_state(void);

/* How long sending takes at most, in units of TRANSMIT_ROUND_US. */
#define TRANSMIT_ROUND_US 30000u
uint16_t at86rf233_transmit_rounds(void);

/* Asks what has come of it, when the radio has interrupted. Returns 0, and the first transfer has
 * ended with `result`; else the radio is unsound.
 */
uint8_t at86rf233_transmit_end(uint8_t *result);

/* Writes down when that transfer's frame was sent, and how often: before anybody hears of its end.
 * The line is enabled again.
 */
void at86rf233_transmit_note(struct radio_transfer *transfer);

#endif
