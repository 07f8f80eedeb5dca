// SPDX-License-Identifier: MIT OR Apache-2.0
//! Crystal, bias and synthesizer: how long they take, and whether the synthesizer is locked (data sheet of the CC1000,
//! "Electrical Specifications", "VCO and PLL self-calibration", "Power management").

use super::registers::{Asked, Registers};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Start of the crystal, by its frequency in Hz.
const CRYSTAL_START: [(u64, Time); 3] = [
    (12_000_000, Time::from_us(2_000)),
    (6_000_000, Time::from_us(1_500)),
    (0, Time::from_us(5_000)),
];
/// Start of the bias generator.
const BIAS_START: Time = Time::from_us(200);
/// Until it has locked after it was switched on.
const TURN_ON: Time = Time::from_us(250);
/// Until it has locked on another frequency, or for the other direction.
pub(super) const LOCK: Time = Time::from_us(200);
/// Longest calibration at a reference of 1 MHz; at others in inverse proportion.
const CALIBRATION: Time = Time::from_ms(34);
/// How far from the frequency of its calibration it still locks, in kHz.
const VALID_KHZ: u32 = 1_000;
/// The frequencies that it reaches, in kHz.
const REACHED_KHZ: std::ops::RangeInclusive<u32> = 300_000..=1_000_000;
/// So long it may be on without a calibration before that is said: programs switch it on, and then calibrate.
const PATIENCE: Time = Time::from_ms(1);

#[derive(Clone, Copy, Debug, BorshSerialize, BorshDeserialize)]
struct Calibration {
    end: Time,
    register: usize,
    both: bool,
}

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Synthesizer {
    /// Frequency of the crystal, in millihertz.
    pub crystal: u64,
    /// When the crystal, and the bias, are stable; [`Time::NEVER`] while they are off.
    crystal_stable: Time,
    bias_stable: Time,
    /// When the crystal will be stable.
    settles: Time,
    asked: Option<Asked>,
    is_locked: bool,
    /// When it will have locked.
    locks: Time,
    calibrating: Option<Calibration>,
    /// Frequencies of the results for A and B, in kHz.
    results: [Option<u32>; 2],
    complains: Time,
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    Nothing,
    Locked,
    Calibrated,
    /// It is on, and does not lock.
    NeverLocks,
}

impl Synthesizer {
    pub fn powered(crystal: u64) -> Synthesizer {
        let never = Time::NEVER;
        Synthesizer {
            crystal,
            crystal_stable: never,
            bias_stable: never,
            settles: never,
            asked: None,
            is_locked: false,
            locks: never,
            calibrating: None,
            results: [None; 2],
            complains: never,
        }
    }

    /// A reset forgets the results of calibrations.
    pub fn reset(&mut self) {
        (self.results, self.calibrating) = ([None; 2], None);
    }

    pub fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// When the crystal is stable; [`Time::NEVER`] while it is off.
    pub fn crystal_stable(&self) -> Time {
        self.crystal_stable
    }

    /// When it does something by itself next.
    pub fn due(&self) -> Time {
        let end = self.calibrating.map_or(Time::NEVER, |calibration| calibration.end);
        end.min(self.locks).min(self.complains).min(self.settles)
    }

    fn start(&self) -> Time {
        let hz = self.crystal / 1_000;
        let row = CRYSTAL_START.iter().find(|(least, _)| hz >= *least);
        row.map_or(Time::NEVER, |(_, start)| *start)
    }

    /// The registers may have changed.
    pub fn follow(&mut self, now: Time, registers: &Registers) {
        let has_crystal =
            registers.has_core() && !registers.bypasses_crystal() && self.crystal != 0;
        let before = self.crystal_stable;
        let stable = now + self.start();
        follow(&mut self.crystal_stable, has_crystal, stable);
        if self.crystal_stable != before {
            self.settles = self.crystal_stable;
        }
        follow(
            &mut self.bias_stable,
            registers.has_core() && registers.has_bias(),
            now + BIAS_START,
        );
        if !has_crystal {
            self.calibrating = None;
        }
        let is_on = has_crystal && registers.has_bias() && registers.has_synthesizer();
        let asked = is_on.then(|| registers.asked(self.crystal));
        if asked != self.asked {
            self.retune(now, registers, asked);
        }
    }

    fn retune(&mut self, now: Time, registers: &Registers, asked: Option<Asked>) {
        let before = std::mem::replace(&mut self.asked, asked);
        (self.is_locked, self.locks, self.complains) = (false, Time::NEVER, Time::NEVER);
        let Some(asked) = asked.filter(|_| self.calibrating.is_none()) else { return };
        if self.can_lock(asked, registers) {
            let takes = if before.is_some() { LOCK } else { TURN_ON };
            self.locks = now.max(self.crystal_stable).max(self.bias_stable) + takes;
        } else {
            self.complains = now.max(self.crystal_stable) + PATIENCE;
        }
    }

    fn can_lock(&self, asked: Asked, registers: &Registers) -> bool {
        let fits = match registers.vco_override() {
            Some(array) => array == vco_array(asked.khz),
            None => {
                self.results[asked.register].is_some_and(|khz| khz.abs_diff(asked.khz) <= VALID_KHZ)
            }
        };
        fits && reaches(asked.khz, registers)
    }

    /// Why it does not lock, in words.
    pub fn obstacle(&self, registers: &Registers) -> String {
        match self.asked {
            Some(Asked { khz, .. }) if !reaches(khz, registers) => {
                format!("its synthesizer does not reach {khz} kHz")
            }
            Some(Asked { khz, register, .. }) => {
                let name = ["A", "B"][register];
                format!(
                    "its synthesizer is not calibrated for {khz} kHz in frequency register {name}"
                )
            }
            None => "its synthesizer is off".to_string(),
        }
    }

    /// CAL was written, and was `before`. Whether a calibration can begin if one should.
    pub fn calibrate(&mut self, now: Time, registers: &Registers, before: bool) -> bool {
        match (before, registers.starts_calibration()) {
            (false, true) => self.begin(now, registers),
            (true, false) if self.calibrating.take().is_some() => {
                // It goes back to the former result, if there is one.
                let asked = self.asked;
                self.retune(now, registers, asked);
                true
            }
            _ => true,
        }
    }

    fn begin(&mut self, now: Time, registers: &Registers) -> bool {
        let reference = self.crystal / 1_000 / u64::from(registers.refdiv().max(1));
        let is_on = self.crystal_stable != Time::NEVER && reference > 0;
        if is_on {
            let whole = Time::from_units(CALIBRATION.units() * 1_000_000 / reference);
            let takes = if registers.calibrates_slowly() { whole } else { whole / 2 };
            let register = registers.asked(self.crystal).register;
            let end = now.max(self.crystal_stable) + takes;
            self.calibrating =
                Some(Calibration { end, register, both: registers.calibrates_both() });
        }
        (self.is_locked, self.locks, self.complains) = (false, Time::NEVER, Time::NEVER);
        is_on && self.asked.is_some()
    }

    /// What is due now happens.
    pub fn fire(&mut self, now: Time, registers: &Registers) -> Happened {
        if let Some(calibration) = self.calibrating.take_if(|it| it.end <= now) {
            self.conclude(now, calibration, registers);
            return Happened::Calibrated;
        }
        if self.locks <= now {
            (self.is_locked, self.locks) = (true, Time::NEVER);
            return Happened::Locked;
        }
        if self.settles <= now {
            self.settles = Time::NEVER;
        } else if self.complains <= now {
            self.complains = Time::NEVER;
            return Happened::NeverLocks;
        }
        Happened::Nothing
    }

    /// A calibration is over, and has locked it.
    fn conclude(&mut self, now: Time, calibration: Calibration, registers: &Registers) {
        let Some(asked) = self.asked else { return };
        for register in 0..2 {
            if calibration.both || register == calibration.register {
                self.results[register] = Some(asked.khz);
            }
        }
        self.is_locked = self.can_lock(asked, registers);
        if !self.is_locked {
            self.complains = now + PATIENCE;
        }
    }

    /// What the registers show of the last calibration: CHP_CURRENT, CAL_DAC and VCO_ARRAY.
    pub fn shown(&self) -> Option<[u8; 3]> {
        let khz = self.asked.map(|asked| asked.khz)?;
        Some([16, 8, vco_array(khz)])
    }
}

/// Something that takes until `stable` when it is switched on.
fn follow(since: &mut Time, is_on: bool, stable: Time) {
    match (is_on, *since) {
        (false, _) => *since = Time::NEVER,
        (true, Time::NEVER) => *since = stable,
        _ => {}
    }
}

fn reaches(khz: u32, registers: &Registers) -> bool {
    REACHED_KHZ.contains(&khz) && registers.refdiv() >= 2
}

/// The setting of the oscillator's array that suits a frequency. The real ones differ from part to part.
fn vco_array(khz: u32) -> u8 {
    let (least, most) = (*REACHED_KHZ.start(), *REACHED_KHZ.end());
    ((khz.clamp(least, most) - least) * 15 / (most - least)) as u8
}
