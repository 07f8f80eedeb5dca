/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that the CC2420 sends, from its TXFIFO; it adds the FCS. After a frame it listens. */
#include "driver/radio/cc2420/driver.h"

#include "chip/capture.h"
#include "driver/radio/cc2420/access.h"
#include "driver/radio/cc2420/air.h"
#include "driver/radio/cc2420/registers.h"
#include "driver/radio/part.h"

enum {
    MARGIN_US = 40,
    ACK_REQUEST = 1 << 5, /* in the first byte of a frame */
};

static bool asks;         /* for an acknowledgment */
static const uint8_t *at; /* what is still to be written */
static uint8_t left;      /* bytes of it */
static uint8_t psdu;
static uint32_t ordered; /* the count at which it was */

/* A frame that has not been sent is still there. */
void cc2420_transmit_begin(void)
{
    packet_t packet = radio_state.first->packet;

    (void)cc2420_strobe(SFLUSHTX);
    at = packet_flat(packet);
    asks = *at & ACK_REQUEST;
    left = (uint8_t)packet_length(packet);
    psdu = (uint8_t)(left + FCS_BYTES);
    cc2420_begin_write(psdu);
}

bool cc2420_transmit_move(void)
{
    uint8_t length = left < PIECE_BYTES ? left : PIECE_BYTES;

    cc2420_move_out(at, length);
    at += length;
    left = (uint8_t)(left - length);
    if (left != 0) {
        return true;
    }
    cc2420_end();
    return false;
}

static bool is_between(uint8_t state, uint8_t first, uint8_t last)
{
    return state >= first && state <= last;
}

enum transmit_start cc2420_transmit_start(void)
{
    bool if_clear = radio_state.first->flags & RADIO_IF_CLEAR;

    if (if_clear && !(cc2420_strobe(SNOP) & STATUS_RSSI_VALID)) {
        return TRANSMIT_NOT_YET;
    }
    if (asks) {
        cc2420_receive_capture();
    }
    ordered = capture_now();
    uint8_t status = cc2420_strobe(if_clear ? STXONCCA : STXON);
    uint8_t state = (uint8_t)cc2420_read(FSMSTATE);
    if (!(status & STATUS_XOSC16M_STABLE)) {
        return TRANSMIT_UNSOUND;
    }
    if (is_between(state, FSM_TX_FIRST, FSM_TX_LAST)) {
        return TRANSMIT_SENDS;
    }
    if (is_between(state, FSM_TX_ACK_FIRST, FSM_TX_ACK_LAST)) {
        return TRANSMIT_NOT_YET;
    }
    if (!is_between(state, FSM_RX_CALIBRATE, FSM_RX_LAST) && state != FSM_RX_CALIBRATE_AGAIN) {
        return TRANSMIT_UNSOUND;
    }
    /* An acknowledgment may have ended between the command, which it took in vain, and now. */
    return if_clear ? TRANSMIT_BUSY : TRANSMIT_NOT_YET;
}

uint16_t cc2420_transmit_us(void)
{
    return (uint16_t)(TURNAROUND_US + HEADER_BYTES * BYTE_US + sfd_us(psdu) + MARGIN_US);
}

/* When it began matters to its acknowledgment, and to a program that asks for times. */
static void note_begin(packet_t packet)
{
    uint32_t count;
    const uint32_t *begin = 0;

    if ((asks || cc2420_times_note != 0) &&
        capture_find(ordered, sfd_us(psdu), CAPTURE_OLDEST, &count)) {
        begin = &count;
    }
    cc2420_receive_await(asks ? begin : 0, sfd_us(psdu));
    if (cc2420_times_note != 0) {
        cc2420_times_note(packet, begin);
    }
}

static void note_sent(void)
{
    struct radio_transfer *transfer = radio_state.first;

    radio_note(&radio_state.counters.sent);
    transfer->sent = 1;
    note_begin(transfer->packet);
}

enum transmit_end cc2420_transmit_look(void)
{
    uint8_t status = cc2420_strobe(SNOP);

    if (!(status & STATUS_XOSC16M_STABLE)) {
        return TRANSMIT_LOST;
    }
    if (status & STATUS_TX_UNDERFLOW) {
        radio_note(&radio_state.counters.underrun);
        (void)cc2420_strobe(SFLUSHTX);
        return TRANSMIT_UNDERRUN;
    }
    if (is_between((uint8_t)cc2420_read(FSMSTATE), FSM_TX_FIRST, FSM_TX_LAST)) {
        return TRANSMIT_STILL;
    }
    note_sent();
    return TRANSMIT_SENT;
}
