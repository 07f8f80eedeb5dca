/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that the AT86RF233 sends: from TX_ARET_ON if it is to do more than send them, else from
 * PLL_ON. */
#include "driver/radio/at86rf233/access.h"
#include "driver/radio/at86rf233/air.h"
#include "driver/radio/at86rf233/driver.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/part.h"

#include "chip/radio_line.h"

#include <lichen/error.h>

enum {
    BACKOFF_US = 320,
    FRAME_US = 10000, /* more than a frame and its acknowledgment take */
};

static uint16_t options; /* that the radio has; 0: not known */

/* What the radio has told of the last frame. */
static struct {
    uint8_t trac;
    uint8_t repetitions;
} outcome;

static bool is_extended(const struct radio_transfer *transfer)
{
    return transfer->flags & (RADIO_CSMA | RADIO_RETRY | RADIO_IF_CLEAR);
}

uint8_t at86rf233_transmit_state(void)
{
    return is_extended(radio_state.first) ? TX_ARET_ON : PLL_ON;
}

void at86rf233_transmit_set_up(void)
{
    options = 0;
}

/* To look at the channel once is CSMA without a backoff and without a second try. */
static void write_options(const struct radio_transfer *transfer)
{
    unsigned flags = transfer->flags;
    unsigned csma = XAH_CTRL_0_WITHOUT_CSMA;
    unsigned exponents = 0;
    unsigned retries = flags & RADIO_RETRY ? transfer->frame_retries : 0;

    if (flags & RADIO_CSMA) {
        csma = transfer->csma_retries;
        exponents =
            (unsigned)transfer->exponent_most << CSMA_BE_MAX_BE_Pos | transfer->exponent_least;
    } else if (flags & RADIO_IF_CLEAR) {
        csma = 0;
    }
    unsigned control =
        csma << XAH_CTRL_0_MAX_CSMA_RETRIES_Pos | retries << XAH_CTRL_0_MAX_FRAME_RETRIES_Pos;
    uint16_t wanted = (uint16_t)(control << 8 | exponents);
    if (wanted != options || wanted == 0) {
        options = wanted;
        at86rf233_access_write(XAH_CTRL_0, (uint8_t)control);
        at86rf233_access_write(CSMA_BE, (uint8_t)exponents);
    }
}

void at86rf233_transmit_begin(void)
{
    packet_t packet = radio_state.first->packet;

    if (is_extended(radio_state.first)) {
        write_options(radio_state.first);
        if (at86rf233_access_status() != TX_ARET_ON) {
            at86rf233_access_write(TRX_STATE, TX_ARET_ON);
        }
    }
    at86rf233_access_write_bytes(packet_flat(packet), (uint8_t)packet_length(packet));
}

uint16_t at86rf233_transmit_rounds(void)
{
    const struct radio_transfer *transfer = radio_state.first;
    uint32_t us = FRAME_US;

    if (transfer->flags & RADIO_CSMA) {
        us += (transfer->csma_retries + 1u) * ((uint32_t)BACKOFF_US << transfer->exponent_most);
    }
    if (transfer->flags & RADIO_RETRY) {
        us *= transfer->frame_retries + 1u;
    }
    return (uint16_t)(us / TRANSMIT_ROUND_US + 1);
}

/* What has passed since the end of the frame, when the radio tells. */
static uint16_t since_end_us(const struct radio_transfer *transfer)
{
    if (!is_extended(transfer) || !(*packet_flat(transfer->packet) & 1 << 5)) {
        return 0;
    }
    if (outcome.trac == TRAC_NO_ACK) {
        return ACK_WAIT_US;
    }
    return (uint16_t)(LATENCY_US + ACK_AFTER_US + (HEADER_BYTES - 1) * BYTE_US +
                      air_us(ACK_BYTES, radio_state.settings.rate));
}

static uint8_t result_of(uint8_t trac)
{
    switch (trac) {
    case TRAC_SUCCESS:
        return 0;
    case TRAC_SUCCESS_DATA_PENDING:
        radio_state.first->pending = true;
        return 0;
    case TRAC_CHANNEL_ACCESS_FAILURE:
        radio_note(&radio_state.counters.channel_busy);
        return ERR_CHANNEL;
    case TRAC_NO_ACK:
        radio_note(&radio_state.counters.not_acknowledged);
        return ERR_NO_ACK;
    default:
        return ERR_IO;
    }
}

/* A frame that found the channel busy at a repetition was sent before. */
void at86rf233_transmit_note(struct radio_transfer *transfer)
{
    bool is_sent = transfer->result != ERR_CHANNEL;

    transfer->sent = (uint8_t)(outcome.repetitions + is_sent);
    if (is_sent) {
        radio_note(&radio_state.counters.sent);
    }
    if (at86rf233_times_note != 0) {
        uint8_t bytes = (uint8_t)(packet_length(transfer->packet) + FCS_BYTES);
        at86rf233_times_take((uint32_t)since_end_us(transfer) +
                             air_us(bytes, radio_state.settings.rate));
        at86rf233_times_note(transfer->packet, is_sent);
    }
    radio_line_enable();
}

uint8_t at86rf233_transmit_end(uint8_t *result)
{
    uint8_t interrupts = at86rf233_access_read(IRQ_STATUS);

    outcome.trac = TRAC_SUCCESS;
    outcome.repetitions = 0;
    if (interrupts & IRQ_TRX_UR) {
        radio_note(&radio_state.counters.underrun);
        return ERR_IO;
    }
    if (!(interrupts & IRQ_TRX_END)) {
        return ERR_IO;
    }
    if (is_extended(radio_state.first)) {
        outcome.trac = at86rf233_access_read(TRX_STATE) >> TRX_STATE_TRAC_STATUS_Pos;
        outcome.repetitions =
            at86rf233_access_read(XAH_CTRL_2) >> XAH_CTRL_2_ARET_FRAME_RETRIES_Pos;
        /* What a radio that is gone tells would be success. */
        if (at86rf233_access_status() != TX_ARET_ON) {
            return ERR_IO;
        }
    }
    *result = result_of(outcome.trac);
    return *result == ERR_IO ? ERR_IO : 0;
}
