/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers of the AT86RF233 by the settings. Each is written as a whole, so none is read. */
#include "driver/radio/at86rf233/access.h"
#include "driver/radio/at86rf233/driver.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/part.h"

#include <lichen/serial_number.h>

enum {
    /* The receiver saves current while it waits for a preamble, and everything else that can
     * ("Reduced Power Consumption Mode"). That needs a threshold above the lowest one. */
    TRX_RPC_ALL = 0xff,
    TRX_RPC_NONE = 0xc1,
    RX_PDT_LEVEL = 1,
    EXTENDED_ADDRESS_BYTES = 8,
};

/* Powers by PHY_TX_PWR.TX_PWR, in dBm, rounded up. */
static const int8_t powers[] = {4, 4, 4, 3, 3, 2, 1, 0, -1, -2, -3, -4, -6, -8, -12, -17};

/* The strongest of at most `dbm`, or the weakest. */
static uint8_t power_of(int8_t dbm)
{
    uint8_t power = 0;

    while (power < sizeof(powers) - 1 && powers[power] > dbm) {
        power++;
    }
    return power == 0 || powers[power] != 4 ? power : 0;
}

/* Motes must differ in their backoffs, and their addresses may be the same yet. */
static uint16_t seed(void)
{
    uint8_t number[SERIAL_NUMBER_BYTES];
    uint16_t hash = radio_state.settings.short_address;

    if (serial_number_known(number) == 0) {
        for (uint8_t i = 0; i < sizeof(number); i++) {
            hash = (uint16_t)(hash * 31u + number[i]);
        }
    }
    return (uint16_t)(hash ^ hash >> 5);
}

static void write_addresses(void)
{
    const struct radio_settings *settings = &radio_state.settings;

    at86rf233_access_write(SHORT_ADDR_0, (uint8_t)settings->short_address);
    at86rf233_access_write(SHORT_ADDR_1, (uint8_t)(settings->short_address >> 8));
    at86rf233_access_write(PAN_ID_0, (uint8_t)settings->pan);
    at86rf233_access_write(PAN_ID_1, (uint8_t)(settings->pan >> 8));
    for (uint8_t i = 0; i < EXTENDED_ADDRESS_BYTES; i++) {
        at86rf233_access_write((uint8_t)(IEEE_ADDR_0 + i), settings->extended_address[i]);
    }
}

/* CSMA_SEED_1, which also has the options of RX_AACK. */
static uint8_t options(uint16_t random)
{
    unsigned flags = radio_state.settings.flags;
    unsigned versions = flags & RADIO_ACKNOWLEDGE_2015 ? 2 : 1;

    return (uint8_t)((random >> 8 & CSMA_SEED_1_Msk) |
                     (flags & RADIO_COORDINATOR ? CSMA_SEED_1_AACK_I_AM_COORD : 0) |
                     (flags & RADIO_ACKNOWLEDGE ? 0 : CSMA_SEED_1_AACK_DIS_ACK) |
                     (flags & RADIO_PENDING ? CSMA_SEED_1_AACK_SET_PD : 0) |
                     versions << CSMA_SEED_1_AACK_FVN_MODE_Pos);
}

void at86rf233_setup_write(void)
{
    const struct radio_settings *settings = &radio_state.settings;
    uint16_t random = seed();

    at86rf233_access_write(TRX_CTRL_1, TRX_CTRL_1_SPI_CMD_MODE_STATUS | TRX_CTRL_1_TX_AUTO_CRC_ON);
    at86rf233_access_write(PHY_TX_PWR, power_of(settings->dbm));
    at86rf233_access_write(PHY_CC_CCA, PHY_CC_CCA_CCA_MODE_ENERGY | settings->channel);
    at86rf233_access_write(TRX_CTRL_2,
                           TRX_CTRL_2_RX_SAFE_MODE | TRX_CTRL_2_OQPSK_SCRAM_EN | settings->rate);
    at86rf233_access_write(IRQ_MASK, IRQ_TRX_END | IRQ_TRX_UR);
    at86rf233_access_write(RX_SYN, at86rf233_setup_rx_syn());
    at86rf233_setup_save(true);
    at86rf233_access_write(CSMA_SEED_0, (uint8_t)random);
    at86rf233_access_write(CSMA_SEED_1, options(random));
    write_addresses();
}

void at86rf233_setup_save(bool saves)
{
    at86rf233_access_write(TRX_RPC, saves ? TRX_RPC_ALL : TRX_RPC_NONE);
}

uint8_t at86rf233_setup_listening(void)
{
    return radio_state.settings.flags & RADIO_FILTER ? RX_AACK_ON : RX_ON;
}

uint8_t at86rf233_setup_rx_syn(void)
{
    return RX_PDT_LEVEL;
}
