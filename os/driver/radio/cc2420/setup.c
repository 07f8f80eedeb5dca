/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers and addresses of the CC2420 by the settings. */
#include "driver/radio/cc2420/access.h"
#include "driver/radio/cc2420/driver.h"
#include "driver/radio/cc2420/registers.h"
#include "driver/radio/part.h"

enum {
    CCA_THR = -32, /* -77 dBm, as after a reset */
    FREQ_OF_CHANNEL_11 = 357,
    FREQ_STEP = 5,
    EXTENDED_ADDRESS_BYTES = 8,
    LEVELS = 8,
};

/* Powers by PA_LEVEL 31, 27 and so on, in dBm (data sheet, "Output Power Programming"). */
static const int8_t powers[LEVELS] = {0, -1, -3, -5, -7, -10, -15, -25};

/* PA_LEVEL of the strongest of at most `dbm`, or of the weakest. */
static uint8_t level_of(int8_t dbm)
{
    uint8_t i = 0;

    while (i < LEVELS - 1 && powers[i] > dbm) {
        i++;
    }
    return (uint8_t)(TXCTRL_PA_LEVEL_Msk - 4 * i);
}

static uint16_t modem(void)
{
    unsigned flags = radio_state.settings.flags;

    return (uint16_t)((flags & RADIO_COORDINATOR ? MDMCTRL0_PAN_COORDINATOR : 0) |
                      (flags & RADIO_FILTER ? MDMCTRL0_ADR_DECODE : 0) |
                      (flags & RADIO_ACKNOWLEDGE ? MDMCTRL0_AUTOACK : 0) | MDMCTRL0_AUTOCRC |
                      MDMCTRL0_CCA_HYST_2 | MDMCTRL0_CCA_MODE_3 | MDMCTRL0_PREAMBLE_LENGTH_3);
}

void cc2420_setup_registers(void)
{
    const struct radio_settings *settings = &radio_state.settings;
    uint8_t offset = (uint8_t)(settings->channel - radio_facts.channel_first);

    cc2420_write(MDMCTRL0, modem());
    cc2420_write(MDMCTRL1, MDMCTRL1_CORR_THR_20);
    cc2420_write(RSSI, (uint16_t)((uint8_t)CCA_THR << RSSI_CCA_THR_Pos));
    cc2420_write(TXCTRL, (uint16_t)(TXCTRL_REST | level_of(settings->dbm)));
    cc2420_write(RXCTRL1, RXCTRL1_BEST);
    cc2420_write(FSCTRL, (uint16_t)(FSCTRL_LOCK_THR_1 | (FREQ_OF_CHANNEL_11 + FREQ_STEP * offset)));
    cc2420_write(SECCTRL0, SECCTRL0_NONE);
    cc2420_write(IOCFG0, IOCFG0_FIFOP_POLARITY | IOCFG0_FIFOP_THR_Msk);
    cc2420_write(IOCFG1, 0);
}

void cc2420_setup_addresses(void)
{
    const struct radio_settings *settings = &radio_state.settings;
    uint8_t bytes[EXTENDED_ADDRESS_BYTES + 4];

    for (uint8_t i = 0; i < EXTENDED_ADDRESS_BYTES; i++) {
        bytes[i] = settings->extended_address[i];
    }
    bytes[8] = (uint8_t)settings->pan;
    bytes[9] = (uint8_t)(settings->pan >> 8);
    bytes[10] = (uint8_t)settings->short_address;
    bytes[11] = (uint8_t)(settings->short_address >> 8);
    cc2420_write_ram(RAM_IEEEADR, bytes, sizeof(bytes));
}

bool cc2420_setup_is_there(void)
{
    return cc2420_read(MANFIDL) == MANFIDL_CC2420 && cc2420_read(MDMCTRL0) == modem();
}
