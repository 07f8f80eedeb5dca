/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers of the CC1000 by the settings.
 *
 * A channel has two frequencies, f = f_ref * (FREQ + 8192) / 16384 (data sheet, "Frequency
 * programming"), f_ref being that of the crystal, 14.7456 MHz, divided by REFDIV: A is the local
 * oscillator of the receiver, 150 kHz above the channel, and B the lower one of the two that are
 * sent, FSEP below the other one.
 */
#include "driver/radio/cc1000/driver.h"
#include "driver/radio/cc1000/registers.h"
#include "driver/radio/cc1000/wiring.h"

/* What a channel needs. */
struct channel {
    uint8_t freq_a[3];
    uint8_t freq_b[3];
    uint8_t fsep[2];
    uint8_t current_receive;
    uint8_t current_transmit;
    uint8_t front_end;
    uint8_t pll;
    uint8_t match;
};

static const ARCH_FLASH struct channel channels[] = {
    /* from channel 1 on */
    /* 433.002 MHz */
    {{0x58, 0x00, 0x00}, {0x57, 0xf6, 0x85}, {0x03, 0x55}, 0x44, 0x81, 0x02, 12 << 3, 0x70},
    /* 434.845 MHz */
    {{0x51, 0x00, 0x00}, {0x50, 0xf7, 0x4f}, {0x03, 0x0e}, 0x44, 0x81, 0x02, 11 << 3, 0x70},
    /* 914.077 MHz */
    {{0x5c, 0xe0, 0x00}, {0x5c, 0xdb, 0x42}, {0x01, 0xaa}, 0x8c, 0xf3, 0x32, 6 << 3, 0x10},
};
enum { UPPER_BAND = 3 }; /* channels from here on */

/* Powers in dBm, and PA_POW for them, in ascending order ("Output power programming"). */
struct power {
    int8_t dbm;
    uint8_t pa_pow;
};
static const ARCH_FLASH struct power lower_powers[] = {
    {-20, 0x01}, {-17, 0x02}, {-14, 0x03}, {-12, 0x04}, {-10, 0x05}, {-8, 0x06},
    {-7, 0x07},  {-6, 0x08},  {-5, 0x09},  {-4, 0x0a},  {-3, 0x0b},  {-2, 0x0c},
    {-1, 0x0e},  {0, 0x0f},   {1, 0x40},   {2, 0x50},   {4, 0x60},   {5, 0x70},
    {6, 0x80},   {7, 0x90},   {8, 0xc0},   {9, 0xe0},   {10, 0xff},
};
static const ARCH_FLASH struct power upper_powers[] = {
    {-20, 0x02}, {-18, 0x03}, {-16, 0x04}, {-14, 0x05}, {-13, 0x06}, {-12, 0x07},
    {-11, 0x08}, {-10, 0x09}, {-9, 0x0b},  {-8, 0x0c},  {-7, 0x0d},  {-6, 0x0f},
    {-5, 0x40},  {-3, 0x50},  {-2, 0x60},  {-1, 0x70},  {0, 0x80},   {1, 0x90},
    {2, 0xb0},   {3, 0xc0},   {4, 0xf0},   {5, 0xff},
};

enum {
    /* The averaging filter is locked by nobody, and follows what is received: MLIMIT, SETTLING. */
    MODEM1_VALUE = 3 << MODEM1_MLIMIT_Pos | MODEM1_LOCK_AVG_MODE | 3 << MODEM1_SETTLING_Pos |
                   MODEM1_MODEM_RESET_N,
    /* Without its division by two, the crystal of 14.7 MHz doubles the highest rate. */
    MODEM0_19_2_KBIT =
        5 << MODEM0_BAUDRATE_Pos | MODEM0_DATA_FORMAT_MANCHESTER | MODEM0_XOSC_FREQ_7_MHZ,
    MODEM0_38_4_KBIT = 5 << MODEM0_BAUDRATE_Pos | MODEM0_DATA_FORMAT_MANCHESTER,
    CALIBRATE = CAL_WAIT | CAL_ITERATE_NORMAL,
};

/* The first one until there are settings. */
static const ARCH_FLASH struct channel *channel(void)
{
    uint8_t number = cc1000_settings.channel;

    return &channels[number == 0 ? 0 : number - 1];
}

static bool is_upper(void)
{
    return cc1000_settings.channel >= UPPER_BAND;
}

static uint8_t pa_pow; /* for the power of the settings */

static uint8_t find_pa_pow(void)
{
    const ARCH_FLASH struct power *powers = is_upper() ? upper_powers : lower_powers;
    uint8_t count = is_upper() ? sizeof(upper_powers) / sizeof(*upper_powers)
                               : sizeof(lower_powers) / sizeof(*lower_powers);
    uint8_t i = (uint8_t)(count - 1);

    while (i > 0 && powers[i].dbm > cc1000_settings.dbm) {
        i--;
    }
    return powers[i].pa_pow;
}

static void write_several(uint8_t address, const ARCH_FLASH uint8_t *values, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        cc1000_write((uint8_t)(address + i), values[i]);
    }
}

bool cc1000_setup_write(void)
{
    const ARCH_FLASH struct channel *its = channel();
    uint8_t modem0 = cc1000_settings.rate == 0 ? MODEM0_19_2_KBIT : MODEM0_38_4_KBIT;

    pa_pow = find_pa_pow();
    cc1000_write(PA_POW, 0);
    write_several(FREQ_2A, its->freq_a, sizeof(its->freq_a));
    write_several(FREQ_2B, its->freq_b, sizeof(its->freq_b));
    write_several(FSEP1, its->fsep, sizeof(its->fsep));
    cc1000_write(FRONT_END, its->front_end);
    cc1000_write(PLL, its->pll);
    cc1000_write(MATCH, its->match);
    cc1000_write(MODEM2, 0);
    cc1000_write(MODEM1, MODEM1_VALUE);
    cc1000_write(MODEM0, modem0);
    cc1000_write(FSCTRL, FSCTRL_FS_RESET_N);
    cc1000_write(TEST4, TEST4_L2KIO_3F);
    return cc1000_read(FREQ_2A) == its->freq_a[0] && cc1000_read(MODEM0) == modem0;
}

void cc1000_setup_receive(void)
{
    cc1000_write(PA_POW, 0);
    cc1000_write(CURRENT, channel()->current_receive);
    cc1000_write(MAIN, MAIN_RECEIVE);
}

void cc1000_setup_transmit(void)
{
    cc1000_write(CURRENT, channel()->current_transmit);
    cc1000_write(MAIN, MAIN_TRANSMIT);
}

void cc1000_setup_amplify(void)
{
    cc1000_write(PA_POW, pa_pow);
}

void cc1000_setup_calibrate(void)
{
    cc1000_write(CAL, CAL_START | CALIBRATE);
}

bool cc1000_setup_is_calibrated(void)
{
    return cc1000_read(CAL) & CAL_COMPLETE;
}

void cc1000_setup_calibrate_end(void)
{
    cc1000_write(CAL, CALIBRATE);
}

bool cc1000_setup_is_locked(void)
{
    return cc1000_read(LOCK) & LOCK_CONTINUOUS;
}

/* P = -51.3 V - 49.2 at 433 MHz, and -50.0 V - 45.5 at 868 MHz. */
int8_t cc1000_setup_dbm(uint16_t millivolts)
{
    uint16_t slope = is_upper() ? 500 : 513; /* tenths of a dB a volt */
    uint16_t offset = is_upper() ? 455 : 492;
    uint16_t tenths = (uint16_t)((uint32_t)millivolts * slope / 1000 + offset);

    return tenths > 1280 ? INT8_MIN : (int8_t) - (tenths / 10);
}

uint16_t cc1000_setup_noise_mv(void)
{
    return is_upper() ? 1190 : 1090;
}
