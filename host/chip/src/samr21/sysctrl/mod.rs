// SPDX-License-Identifier: MIT OR Apache-2.0
//! SYSCTRL: the oscillators, brown-out detector and voltage references (data sheet, "SYSCTRL - System
//! Controller").
//!
//! The block holds its oscillators; the clock tree (`clocks`) determines which of them are
//! requested and what they feed, and calls [`Sysctrl::update`] and [`Sysctrl::set_references`].

mod access;
mod brown_out;
mod dfll;
mod dpll;
mod oscillator;
mod registers;

use super::activity::SYSCTRL;
use super::factory;
use crate::clock::Clock;
use crate::noise::Noise;
use crate::{Activity, Config, OFF, Time};
pub(crate) use brown_out::NOMINAL_SUPPLY;
use brown_out::Supply;
pub(super) use brown_out::limits_after_reset;
use dfll::Dfll;
use dpll::{Dpll, Reference};
use oscillator::{Control, Oscillator, WATCH_HZ, drifted};
use registers::*;

/// A source of a generic clock generator (GCLK GENCTRL.SRC), and its bit in a set of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Source {
    Xosc = 0,
    Osc32k = 4,
    Xosc32k = 5,
    Osc8m = 6,
    Dfll48m = 7,
    Fdpll = 8,
}

impl Source {
    /// Its bit in a set of sources.
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Time from enabling the brown-out detector, or writing its register, to its ready bits.
const BOD33_SYNC: Time = Time::from_us(100);

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Sysctrl {
    config: Config,
    noise: Noise,
    /// BOD33 as the user row sets it at power-on.
    bod33_fuses: u32,
    inten: u32,
    intflag: u32,
    pclksr: u32,
    xosc: u32,
    xosc32k: u32,
    osc32k: u32,
    osculp32k: u32,
    osc8m: u32,
    bod33: u32,
    bod33_ready: Time,
    bod33_synchronizing: bool,
    supply: Supply,
    vreg: u32,
    vref: u32,
    main_crystal: Oscillator,
    watch_crystal: Oscillator,
    watch_rc: Oscillator,
    always_on: Oscillator,
    fast_rc: Oscillator,
    dfll: Dfll,
    dpll: Dpll,
}

impl Sysctrl {
    /// The block of a chip on a board described by `config`.
    pub fn new(config: &Config) -> Sysctrl {
        Sysctrl {
            config: config.clone(),
            noise: Noise::default(),
            bod33_fuses: 0,
            inten: 0,
            intflag: 0,
            pclksr: 0,
            xosc: 0x80,
            xosc32k: 0x80,
            osc32k: 0x003F_0080,
            osculp32k: factory::OSCULP32K_CALIB,
            osc8m: 0,
            bod33: 0,
            bod33_ready: Time::ZERO,
            bod33_synchronizing: false,
            supply: Supply::default(),
            vreg: 0,
            vref: 0,
            main_crystal: Oscillator::default(),
            watch_crystal: Oscillator::lingering(),
            watch_rc: Oscillator::default(),
            always_on: Oscillator::default(),
            fast_rc: Oscillator::default(),
            dfll: Dfll::new(config.drift.open_loop_ppm),
            dpll: Dpll::new(),
        }
    }

    /// The phases in which slow oscillators start, from now on.
    pub fn set_noise(&mut self, noise: Noise) {
        self.noise = noise;
    }

    /// Takes the brown-out detector's settings from the first two words of the user row.
    pub fn set_fuses(&mut self, fuses: [u32; 2]) {
        self.bod33_fuses = brown_out::after_reset(fuses);
    }

    /// Whether the source runs by its own settings, given which sources are requested.
    fn runs(&self, source: Source, requested: u16, standby: bool) -> bool {
        let is_requested = requested & source.bit() != 0;
        match source {
            Source::Xosc => Control::of(self.xosc).runs(is_requested, standby),
            Source::Osc32k => Control::of(self.osc32k).runs(is_requested, standby),
            Source::Xosc32k => Control::of(self.xosc32k).runs(is_requested, standby),
            Source::Osc8m => Control::of(self.osc8m).runs(is_requested, standby),
            Source::Dfll48m => self.dfll.runs(is_requested, standby),
            Source::Fdpll => self.dpll.runs(is_requested, standby),
        }
    }

    /// What the loops need for the `requested` sources to run: further sources, and generic clock
    /// channels (0 for the DFLL, 1 for the FDPLL).
    pub fn loop_needs(&self, requested: u16, standby: bool) -> (u16, [bool; 2]) {
        let mut sources = 0;
        let dfll = self.dfll.wants_reference() && self.runs(Source::Dfll48m, requested, standby);
        let mut dpll = false;
        if self.runs(Source::Fdpll, requested, standby) {
            match self.dpll.reference() {
                Reference::Xosc32k => sources |= Source::Xosc32k.bit(),
                Reference::Xosc => sources |= Source::Xosc.bit(),
                Reference::Generic => dpll = true,
            }
        }
        (sources, [dfll, dpll])
    }

    /// Starts and stops oscillators. `instant` omits the start-up time of OSC8M, which is part of
    /// the wake-up time from standby.
    pub fn update(&mut self, now: Time, requested: u16, standby: bool, instant: bool) {
        let drift = self.config.drift;
        let runs = |source| self.runs(source, requested, standby);
        let (main, watch, slow, fast) =
            (runs(Source::Xosc), runs(Source::Xosc32k), runs(Source::Osc32k), runs(Source::Osc8m));
        let (dfll, dpll) = (runs(Source::Dfll48m), runs(Source::Fdpll));
        let startup = oscillator::xosc_startup(self.xosc >> 12);
        let hz = self.config.xosc_hz.map(|hz| drifted(hz, drift.main_crystal_ppm));
        self.main_crystal.update(now, main, hz, startup);
        let crystal = self.config.xosc32k_hz.filter(|_| self.xosc32k & XTALEN != 0);
        let hz = crystal.map(|hz| drifted(hz, drift.watch_crystal_ppm));
        let startup = oscillator::xosc32k_startup(self.xosc32k >> 8);
        let phase =
            |oscillator| self.noise.phase(now, oscillator, Clock::new(Time::ZERO, WATCH_HZ.into()));
        let phases = [0, 1, 2].map(phase);
        self.watch_crystal.update_in(phases[0], now, watch, hz, startup);
        let startup = oscillator::osc32k_startup(self.osc32k >> 8);
        let hz = Some(drifted(WATCH_HZ, drift.watch_rc_ppm));
        self.watch_rc.update_in(phases[1], now, slow, hz, startup);
        let hz = Some(drifted(WATCH_HZ, drift.low_power_rc_ppm));
        self.always_on.update_in(phases[2], now, true, hz, Time::ZERO);
        let hz = drifted(oscillator::osc8m_hz(self.osc8m), drift.fast_rc_ppm);
        let startup = if instant { Time::ZERO } else { oscillator::OSC8M_STARTUP };
        self.fast_rc.update(now, fast, Some(hz), startup);
        self.dfll.update(now, dfll);
        self.dpll.update(dpll);
        self.update_status(now);
    }

    /// Gives the loops the generic clocks of their channels 0 and 1. Whether that changes their outputs.
    pub fn set_references(&mut self, now: Time, dfll: Option<Clock>, dpll: Option<Clock>) -> bool {
        let before = (self.dfll.output(), self.dpll.output());
        self.dfll.set_reference(now, dfll);
        let reference = match self.dpll.reference() {
            Reference::Xosc32k => self.watch_crystal.output(),
            Reference::Xosc => {
                let divider = self.dpll.crystal_divider();
                self.main_crystal.output().map(|clock| clock.divided(divider))
            }
            Reference::Generic => dpll,
        };
        self.dpll.set_reference(now, reference);
        self.update_status(now);
        (self.dfll.output(), self.dpll.output()) != before
    }

    /// Output of a source (GENCTRL.SRC), if it is stable.
    pub fn output(&self, source: u8) -> Option<Clock> {
        match source {
            0 => self.main_crystal.output(),
            3 => self.always_on.output(),
            4 => self.watch_rc.output().filter(|_| self.osc32k & OSC32K_EN32K != 0),
            5 => self.watch_crystal.output().filter(|_| self.xosc32k & XOSC32K_EN32K != 0),
            6 => self.fast_rc.output().map(|clock| clock.divided(1 << (self.osc8m >> 8 & 3))),
            7 => self.dfll.output(),
            8 => self.dpll.output(),
            _ => None,
        }
    }

    /// Whether a source runs only on demand (ONDEMAND), so that it signals when it is ready.
    pub fn is_on_demand(&self, source: u8) -> bool {
        let register = match source {
            0 => self.xosc,
            4 => self.osc32k,
            5 => self.xosc32k,
            6 => self.osc8m,
            7 => self.dfll.control,
            8 => self.dpll.control_a,
            _ => 0,
        };
        Control::of(register).on_demand
    }

    /// Whether a source has no output yet, but is starting.
    pub fn is_starting(&self, source: u8) -> bool {
        let due = match source {
            0 => self.main_crystal.due(),
            4 if self.osc32k & OSC32K_EN32K != 0 => self.watch_rc.due(),
            5 if self.xosc32k & XOSC32K_EN32K != 0 => self.watch_crystal.due(),
            6 => self.fast_rc.due(),
            7 => self.dfll.due(),
            8 => self.dpll.due(),
            _ => Time::NEVER,
        };
        due != Time::NEVER && self.output(source).is_none()
    }

    /// What the oscillators and the brown-out detector do.
    pub fn activities(&self, standby: bool) -> [Activity; SYSCTRL.len()] {
        let on = |runs: bool| if runs { "on" } else { OFF };
        let hz = |clock: Option<Clock>| clock.map_or(0, |clock| clock.hz());
        let free = |oscillator: &Oscillator| (on(oscillator.is_on()), hz(oscillator.output()));
        let values = [
            free(&self.main_crystal),
            free(&self.watch_crystal),
            free(&self.watch_rc),
            free(&self.always_on),
            free(&self.fast_rc),
            (self.dfll.activity(), hz(self.dfll.output())),
            (on(self.dpll.is_on()), hz(self.dpll.output())),
            (self.bod33_activity(standby), 0),
        ];
        std::array::from_fn(|n| {
            let ((component, _), (state, hz)) = (SYSCTRL[n], values[n]);
            Activity { component, state, hz, bus_hz: 0 }
        })
    }

    fn bod33_activity(&self, standby: bool) -> &'static str {
        match (Control::of(self.bod33), self.bod33 & BOD33_MODE != 0) {
            (Control { enable: false, .. }, _) => OFF,
            (Control { run_standby: false, .. }, _) if standby => OFF,
            (_, true) => "sampling",
            (_, false) => "continuous",
        }
    }

    /// Updates PCLKSR; bits that rise set their interrupt flag.
    fn update_status(&mut self, now: Time) {
        let oscillators = [&self.main_crystal, &self.watch_crystal, &self.watch_rc, &self.fast_rc];
        let ready = [XOSCRDY, XOSC32KRDY, OSC32KRDY, OSC8MRDY];
        let mut status = 0;
        for (oscillator, bit) in oscillators.iter().zip(ready) {
            status |= if oscillator.is_ready() { bit } else { 0 };
        }
        let (coarse, fine) = self.dfll.locks();
        let bod33_enabled = self.bod33 & ENABLE != 0;
        let settled = self.bod33_ready <= now;
        let flags = [
            (DFLLRDY, self.dfll.is_synchronized()),
            (DFLLLCKC, coarse),
            (DFLLLCKF, fine),
            (BOD33RDY, bod33_enabled && settled),
            (BOD33DET, self.supply.is_low),
            (B33SRDY, settled),
            (DPLLLCKR, self.dpll.is_locked()),
        ];
        for (bit, set) in flags {
            status |= if set { bit } else { 0 };
        }
        if self.pclksr & DPLLLCKR != 0 && status & DPLLLCKR == 0 {
            status |= DPLLLCKF;
        }
        status |= self.pclksr & DPLLLCKF & !(status & DPLLLCKR) << 1;
        self.intflag |= status & !self.pclksr;
        self.pclksr = status;
    }
}

#[cfg(test)]
mod tests;
