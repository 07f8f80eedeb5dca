// SPDX-License-Identifier: MIT OR Apache-2.0
//! SysTick: a 24-bit counter that counts the processor's clock down.
//!
//! Its value is computed from the cycle; nothing is counted (Architecture Reference Manual, B3.3).

use crate::Cycle;

const ENABLE: u32 = 1 << 0;
const TICKINT: u32 = 1 << 1;
const CLKSOURCE: u32 = 1 << 2;
const COUNTFLAG: u32 = 1 << 16;
const MASK: u32 = 0x00FF_FFFF;

/// SYST_CALIB: no reference clock (NOREF), no value for 10 ms (SKEW, TENMS 0).
const CALIBRATION: u32 = 0xC000_0000;

/// Registers, and the counter as it was at `base`.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct SysTick {
    enabled: bool,
    interrupt: bool,
    count_flag: bool,
    reload: u32,
    /// Cycle at which the counter had `value`.
    base: Cycle,
    value: u32,
}

impl SysTick {
    pub(super) fn new() -> SysTick {
        SysTick {
            enabled: false,
            interrupt: false,
            count_flag: false,
            reload: 0,
            base: Cycle(0),
            value: 0,
        }
    }

    /// Advances the counter to `now`. Returns whether its exception becomes pending.
    pub(super) fn settle(&mut self, now: Cycle) -> bool {
        let zero = self.next_zero();
        let wrapped = now >= zero;
        self.value = self.value_at(now);
        self.base = now.max(self.base);
        self.count_flag |= wrapped;
        wrapped && self.interrupt
    }

    /// The cycle at which the exception will become pending.
    pub(super) fn due(&self) -> Cycle {
        if self.interrupt { self.next_zero() } else { Cycle::NEVER }
    }

    /// The next cycle at which the counter goes from 1 to 0.
    fn next_zero(&self) -> Cycle {
        match (self.enabled, self.value, self.reload) {
            (false, ..) | (true, 0, 0) => Cycle::NEVER,
            (true, 0, reload) => self.base + 1 + u64::from(reload),
            (true, value, _) => self.base + u64::from(value),
        }
    }

    fn value_at(&self, now: Cycle) -> u32 {
        let elapsed = now - self.base;
        if !self.enabled || elapsed <= u64::from(self.value) {
            return self.value - if self.enabled { elapsed as u32 } else { 0 };
        }
        // One cycle to reload after each zero.
        let since_reload = elapsed - u64::from(self.value) - 1;
        self.reload - (since_reload % (u64::from(self.reload) + 1)) as u32
    }

    /// Until when the register at `offset` returns the same value as now, without being changed by
    /// the read. [`SysTick::settle`] has advanced the counter to the present cycle.
    pub(super) fn holds_until(&self, offset: u32) -> Cycle {
        match offset {
            0x0 if self.count_flag => Cycle(0),
            0x0 => self.next_zero(),
            0x8 if self.enabled => Cycle(0),
            _ => Cycle::NEVER,
        }
    }

    /// Reads the register at `offset` from 0xE000_E010; the counter is at the present cycle.
    pub(super) fn read(&mut self, offset: u32) -> u32 {
        match offset {
            0x0 => {
                let flag = std::mem::take(&mut self.count_flag);
                CLKSOURCE
                    | if self.enabled { ENABLE } else { 0 }
                    | if self.interrupt { TICKINT } else { 0 }
                    | if flag { COUNTFLAG } else { 0 }
            }
            0x4 => self.reload,
            0x8 => self.value,
            _ => CALIBRATION,
        }
    }

    /// Writes the register at `offset`; the counter is at the present cycle. Without a reference
    /// clock CLKSOURCE is fixed.
    pub(super) fn write(&mut self, offset: u32, value: u32) {
        match offset {
            0x0 => {
                self.enabled = value & ENABLE != 0;
                self.interrupt = value & TICKINT != 0;
            }
            0x4 => self.reload = value & MASK,
            0x8 => {
                self.value = 0;
                self.count_flag = false;
            }
            _ => {}
        }
    }
}
