// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures of the data sheet of the CC1000 (SWRS048): "Electrical Specifications", "Output power programming",
//! "Receiver sensitivity versus data rate", "RSSI output".

/// Frequencies from here on count as those around 868 MHz, those below as those around 433 MHz, in kHz.
const UPPER_KHZ: u32 = 500_000;

/// A band, of the two that the data sheet specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Band {
    Mhz433,
    Mhz868,
}

impl Band {
    pub fn of(khz: u32) -> Band {
        if khz < UPPER_KHZ { Band::Mhz433 } else { Band::Mhz868 }
    }
}

/// A setting of PA_POW.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Power {
    pub pa_pow: u8,
    /// Output power, in dBm.
    pub dbm: i32,
    /// The state in the table of currents.
    pub state: &'static str,
}

const fn power(pa_pow: u8, dbm: i32, state: &'static str) -> Power {
    Power { pa_pow, dbm, state }
}

/// Output power at 433 MHz. Of settings that are listed for several powers, the middle one.
const AT_433: [Power; 23] = [
    power(0x01, -20, "transmit_433_01"),
    power(0x02, -17, "transmit_433_02"),
    power(0x03, -14, "transmit_433_03"),
    power(0x04, -12, "transmit_433_04"),
    power(0x05, -10, "transmit_433_05"),
    power(0x06, -8, "transmit_433_06"),
    power(0x07, -7, "transmit_433_07"),
    power(0x08, -6, "transmit_433_08"),
    power(0x09, -5, "transmit_433_09"),
    power(0x0A, -4, "transmit_433_0a"),
    power(0x0B, -3, "transmit_433_0b"),
    power(0x0C, -2, "transmit_433_0c"),
    power(0x0E, -1, "transmit_433_0e"),
    power(0x0F, 0, "transmit_433_0f"),
    power(0x40, 1, "transmit_433_40"),
    power(0x50, 2, "transmit_433_50"),
    power(0x60, 4, "transmit_433_60"),
    power(0x70, 5, "transmit_433_70"),
    power(0x80, 6, "transmit_433_80"),
    power(0x90, 7, "transmit_433_90"),
    power(0xC0, 8, "transmit_433_c0"),
    power(0xE0, 9, "transmit_433_e0"),
    power(0xFF, 10, "transmit_433_ff"),
];

/// Output power at 868 MHz.
const AT_868: [Power; 22] = [
    power(0x02, -20, "transmit_868_02"),
    power(0x03, -18, "transmit_868_03"),
    power(0x04, -16, "transmit_868_04"),
    power(0x05, -14, "transmit_868_05"),
    power(0x06, -13, "transmit_868_06"),
    power(0x07, -12, "transmit_868_07"),
    power(0x08, -11, "transmit_868_08"),
    power(0x09, -10, "transmit_868_09"),
    power(0x0B, -9, "transmit_868_0b"),
    power(0x0C, -8, "transmit_868_0c"),
    power(0x0D, -7, "transmit_868_0d"),
    power(0x0F, -6, "transmit_868_0f"),
    power(0x40, -5, "transmit_868_40"),
    power(0x50, -3, "transmit_868_50"),
    power(0x60, -2, "transmit_868_60"),
    power(0x70, -1, "transmit_868_70"),
    power(0x80, 0, "transmit_868_80"),
    power(0x90, 1, "transmit_868_90"),
    power(0xB0, 2, "transmit_868_b0"),
    power(0xC0, 3, "transmit_868_c0"),
    power(0xF0, 4, "transmit_868_f0"),
    power(0xFF, 5, "transmit_868_ff"),
];

/// The settings of a band, in ascending order.
pub(super) fn powers(band: Band) -> &'static [Power] {
    match band {
        Band::Mhz433 => &AT_433,
        Band::Mhz868 => &AT_868,
    }
}

/// What a value of PA_POW gives: as the next lower one that is listed; `None` if the amplifier is off.
pub(super) fn output(band: Band, pa_pow: u8) -> Option<Power> {
    let powers = powers(band);
    let at = powers.partition_point(|row| row.pa_pow <= pa_pow);
    (pa_pow != 0).then(|| powers[at.saturating_sub(1)])
}

/// The weakest signal of which one bit in a thousand is wrong, in dBm, with a separation of 64 kHz, for 0.6, 1.2 ... 76.8
/// kBaud; NRZ and transparent, Manchester.
const SENSITIVE_433: [(i32, i32); 8] = [
    (-113, -114),
    (-111, -112),
    (-109, -110),
    (-107, -108),
    (-105, -106),
    (-103, -104),
    (-102, -103),
    (-100, -101),
];
const SENSITIVE_868: [(i32, i32); 8] = [
    (-110, -111),
    (-108, -109),
    (-106, -107),
    (-104, -105),
    (-102, -103),
    (-100, -101),
    (-98, -99),
    (-97, -98),
];

/// The sensitivity at this rate, in hundredths of a dBm.
pub(super) fn sensitivity(band: Band, baud: u64, manchester: bool) -> i32 {
    let step = (baud + 300) / 600;
    let row = (step.max(1).ilog2() as usize).min(7);
    let (others, best) = match band {
        Band::Mhz433 => SENSITIVE_433[row],
        Band::Mhz868 => SENSITIVE_868[row],
    };
    100 * if manchester { best } else { others }
}

/// How much weaker it hears signals at a distance from its oscillator, in kHz and hundredths of a dB: the filter passes 175 kHz
/// around the intermediate frequency of 150 kHz, and nothing tells signals above the oscillator from those below; from 1 MHz
/// on it is the blocking that the data sheet specifies.
pub(super) const SELECTIVITY: &[(u32, i32)] =
    &[(0, 2_000), (60, 0), (240, 2_000), (500, 3_000), (1_000, 4_000)];

/// Interference in the channel must be 11 dB weaker, as noise must be.
pub(super) const CO_CHANNEL: f64 = 1.0;

/// What RSSI shows of noise alone, in hundredths of a dBm.
pub(super) const FLOOR: i32 = -10_900;
/// How much RSSI fluctuates with noise alone, in hundredths of a dB: what a time constant of 27 us leaves of 175 kHz.
pub(super) const FLUCTUATION: f64 = 180.0;
/// The time constant of its resistor and its capacitor, 27.4 kOhm and 1 nF, in ns.
pub(super) const RSSI_NS: u64 = 27_400;
/// Its greatest voltage, in microvolts.
const RSSI_MOST: f64 = 1_200_000.0;

/// The voltage for a power, in hundredths of a dBm: P = -51.3 V - 49.2 at 433 MHz, P = -50.0 V - 45.5 at 868 MHz, valid
/// from -105 to -50 dBm.
pub(super) fn rssi_microvolts(band: Band, power: f64) -> f64 {
    let (slope, offset) = match band {
        Band::Mhz433 => (51.3, 49.2),
        Band::Mhz868 => (50.0, 45.5),
    };
    ((-power / 100.0 - offset) / slope * 1e6).clamp(0.0, RSSI_MOST)
}
