// SPDX-License-Identifier: MIT OR Apache-2.0
//! The supply, and the detector that watches it (data sheet, "SYSCTRL", "3.3V Brown-Out Detector Operation", and
//! "Brown-Out Detectors Characteristics").

use super::Sysctrl;
use super::registers::*;
use crate::SupplyLimits;
use crate::samr21::peripheral::{Context, Effect, ResetCause};

/// The supply where nobody says another, in microvolts.
pub(crate) const NOMINAL_SUPPLY: u32 = 3_300_000;
/// Thresholds of the power-on reset, falling and rising.
const OFF_BELOW: u32 = 990_000;
const ON_FROM: u32 = 1_450_000;
/// The threshold of the detector at LEVEL 0, the step to the next one, and its hysteresis: a line through the data
/// sheet's typical values.
const LOWEST: u32 = 1_500_000;
const STEP: u32 = 34_000;
const HYSTERESIS: u32 = 100_000;

/// The supply as the detector sees it.
#[derive(Clone, Copy, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Supply {
    microvolts: u32,
    /// The detector says so.
    pub is_low: bool,
    standby: bool,
}

impl Default for Supply {
    fn default() -> Supply {
        Supply { microvolts: NOMINAL_SUPPLY, is_low: false, standby: false }
    }
}

/// What the supply must be after a reset, by the first two words of the user row.
pub(crate) fn limits_after_reset(fuses: [u32; 2]) -> SupplyLimits {
    limits(after_reset(fuses))
}

/// BOD33 after a reset, by the first two words of the user row.
pub(super) fn after_reset(fuses: [u32; 2]) -> u32 {
    let field = |low: u32, bits: u32| fuses[0] >> low & ((1 << bits) - 1);
    field(8, 6) << 16 | field(14, 1) << 1 | field(15, 2) << 3 | (fuses[1] >> 8 & 1) << 2
}

fn limits(bod33: u32) -> SupplyLimits {
    let level = bod33 >> 16 & 0x3F;
    let below = LOWEST + level * STEP;
    let hysteresis = if bod33 & BOD33_HYST != 0 { HYSTERESIS } else { 0 };
    let brown_out = (bod33 & ENABLE != 0).then_some((below, below + hysteresis));
    SupplyLimits { off_below: OFF_BELOW, on_from: ON_FROM, brown_out }
}

impl Sysctrl {
    /// What the supply must be.
    pub fn supply_limits(&self) -> SupplyLimits {
        limits(self.bod33)
    }

    /// Whether the supply is so low that the chip stays in reset.
    pub fn holds_reset(&self) -> bool {
        self.supply.is_low && self.bod33 & BOD33_ACTION == BOD33_RESETS
    }

    pub fn set_supply(&mut self, cx: &mut Context<'_>, microvolts: u32) {
        self.supply.microvolts = microvolts;
        self.watch_supply(cx);
    }

    /// The chip enters standby, where the detector may be off, or leaves it.
    pub fn set_standby(&mut self, cx: &mut Context<'_>, standby: bool) {
        self.supply.standby = standby;
        self.watch_supply(cx);
    }

    /// Whether the detector says that the supply is too low.
    fn sees_low(&self) -> bool {
        let Some((below, from)) = self.supply_limits().brown_out else { return false };
        if self.supply.standby && self.bod33 & BOD33_RUNSTDBY == 0 {
            return self.supply.is_low;
        }
        self.supply.microvolts < if self.supply.is_low { from } else { below }
    }

    /// Something has changed that the detector may see.
    pub(super) fn watch_supply(&mut self, cx: &mut Context<'_>) {
        let is_low = self.sees_low();
        if std::mem::replace(&mut self.supply.is_low, is_low) == is_low {
            return;
        }
        self.update_status(cx.now);
        if self.holds_reset() {
            cx.out.push(Effect::Reset(ResetCause::BrownOut));
        }
    }

    /// After a reset the detector begins anew: the supply must be above the upper limit.
    pub(super) fn begin_to_watch(&mut self) {
        self.supply.standby = false;
        self.supply.is_low = self.supply_limits().brown_out.is_some();
        self.supply.is_low = self.sees_low();
    }
}
