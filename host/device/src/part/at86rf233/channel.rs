// SPDX-License-Identifier: MIT OR Apache-2.0
//! Its channel, its rate and its power (data sheet of the AT86RF233, "Frequency Synthesizer", "High Data Rate Modes",
//! "Transmitter Frame Buffer" and "Receiver Characteristics").

use super::registers::{
    CC_CTRL_0, CC_CTRL_1, PHY_CC_CCA, PHY_TX_PWR, RX_SYN, Registers, SFD_VALUE, TRX_CTRL_2,
};
use crate::air::{OQPSK_SENSITIVE, Receiver, Tuning, milliwatts};
use std::sync::LazyLock;

/// Power in hundredths of a dBm, by PHY_TX_PWR.TX_PWR.
const POWERS: [i32; 16] =
    [400, 370, 340, 300, 250, 200, 100, 0, -100, -200, -300, -400, -600, -800, -1_200, -1_700];
/// Payload rates in kbit/s, and the weakest signal that can be received, in hundredths of a dBm, by
/// TRX_CTRL_2.OQPSK_DATA_RATE. The sensitivities are those of the AT86RF231 (8111, 12.7), whose receiver this is.
const RATES: [(u16, i32); 4] = [(250, -10_100), (500, -9_700), (1_000, -9_500), (2_000, -8_900)];
/// Noise of the receiver at each rate, in milliwatts.
static NOISE: LazyLock<[f64; 4]> =
    LazyLock::new(|| RATES.map(|(_, sensitivity)| milliwatts(sensitivity) / OQPSK_SENSITIVE));
/// How much weaker it hears signals beside its channel (AT86RF231, 12.7.5 to 12.7.8).
const SELECTIVITY: &[(u32, i32)] = &[(2_500, 3_200), (7_500, 4_800), (12_500, 5_400)];
/// How much more another frame in its channel disturbs than noise: the stronger one is received from 3 dB on.
const CO_CHANNEL: f64 = 1.94;
/// What it can still synchronize with is weaker than what it receives well.
const BELOW_SENSITIVITY: i32 = 500;
/// Steps of RX_SYN.RX_PDT_LEVEL, in hundredths of a dB, and what the first one stands for.
const PDT_STEP: i32 = 300;
const PDT_BASE: i32 = -9_400;

/// The centre of the channel in kHz, if there is one.
pub(super) fn frequency_khz(registers: &Registers) -> Option<u32> {
    let number = u32::from(registers.get(CC_CTRL_0));
    match registers.get(CC_CTRL_1) & 15 {
        0 => {
            let channel = u32::from(registers.get(PHY_CC_CCA) & 0x1F);
            (11..=26).contains(&channel).then(|| 2_405_000 + 5_000 * (channel - 11))
        }
        8 => Some(2_306_000 + 500 * number),
        9 => Some(2_434_000 + 500 * number),
        _ => None,
    }
}

/// Power at which it sends, in hundredths of a dBm.
pub(super) fn power(registers: &Registers) -> i32 {
    POWERS[usize::from(registers.get(PHY_TX_PWR) & 15)]
}

/// Rate of the payload in kbit/s.
pub(super) fn kbps(registers: &Registers) -> u16 {
    RATES[usize::from(registers.get(TRX_CTRL_2) & 3)].0
}

/// To what the receiver is set; none without a channel.
pub(super) fn tuning(registers: &Registers) -> Option<Tuning> {
    let tuning = tuned_to((frequency_khz(registers)?, kbps(registers), registers.get(SFD_VALUE)));
    let threshold = match i32::from(registers.get(RX_SYN) & 15) {
        0 => tuning.threshold,
        level => PDT_BASE + PDT_STEP * (level - 1),
    };
    Some(Tuning { threshold, ..tuning })
}

/// The same at its most sensitive, for a channel's centre in kHz, a rate of [`RATES`] in kbit/s, and an SFD.
pub(super) fn tuned_to((frequency_khz, kbps, sfd): (u32, u16, u8)) -> Tuning {
    let rate = RATES.iter().position(|(it, _)| *it == kbps).unwrap_or(0);
    let (kbps, sensitivity) = RATES[rate];
    let receiver = Receiver {
        frequency_khz,
        noise: NOISE[rate],
        selectivity: SELECTIVITY,
        co_channel: CO_CHANNEL,
    };
    Tuning { receiver, sfd, kbps, threshold: sensitivity - BELOW_SENSITIVITY }
}
