// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the processor itself: sleep, vectors, causes of reset, clock division and calibration,
//! JTAG, external memory.

use super::clocks::{Clocks, FACTORY_OSCCAL};
use super::fuses::Meaning;
use super::map::{MCUCR, MCUCSR, OCDR, OSCCAL, XDIV, XMCRA, XMCRB};
use super::peripheral::{Context, Drive, Due, Effect, Holds, Peripheral, ResetCause, flag};
use super::pins::Signal;
use super::sleep::Mode;
use crate::{Fuses, WarningKind};

/// MCUCR.
const SRE: u8 = 1 << 7;
const SE: u8 = 1 << 5;
const IVSEL: u8 = 1 << 1;
const IVCE: u8 = 1;

/// MCUCSR.
const JTD: u8 = 1 << 7;
const WDRF: u8 = 1 << 3;
const BORF: u8 = 1 << 2;
const EXTRF: u8 = 1 << 1;
const PORF: u8 = 1;

const XDIVEN: u8 = 1 << 7;

/// Cycles for which a timed sequence stays open.
const WINDOW: u64 = 4;

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Mcu {
    control: u8,
    /// IVCE is set until this cycle.
    change_until: Option<u64>,
    causes: u8,
    jtag_disabled: bool,
    /// The first of two writes of JTD: its value, and the last cycle for the second.
    jtag_request: Option<(bool, u64)>,
    has_jtag: bool,
    xdiv: u8,
    osccal: u8,
    external: [u8; 2],
}

impl Mcu {
    pub fn new(fuses: Fuses) -> Mcu {
        Mcu::with_jtag(fuses.jtag())
    }

    fn with_jtag(has_jtag: bool) -> Mcu {
        Mcu {
            control: 0,
            change_until: None,
            causes: 0,
            jtag_disabled: false,
            jtag_request: None,
            has_jtag,
            xdiv: 0,
            osccal: FACTORY_OSCCAL,
            external: [0; 2],
        }
    }

    /// Takes the fuses; the next reset uses them.
    pub fn set_fuses(&mut self, fuses: Fuses) {
        self.has_jtag = fuses.jtag();
    }

    /// Whether SLEEP lets the processor sleep (MCUCR.SE).
    pub fn may_sleep(&self) -> bool {
        self.control & SE != 0
    }

    /// The selected sleep mode, `None` for a reserved value.
    pub fn sleep_mode(&self) -> Option<Mode> {
        Mode::selected(self.control & 4 | self.control >> 3 & 3)
    }

    /// Whether interrupts wait because the vectors are about to move (MCUCR.IVCE).
    pub fn moves_vectors(&self) -> bool {
        self.change_until.is_some()
    }

    /// Whether the vectors are in the boot section (MCUCR.IVSEL).
    pub fn vectors_in_boot(&self) -> bool {
        self.control & IVSEL != 0
    }

    /// The divisor of the processor's clock (XDIV).
    pub fn divisor(&self) -> u64 {
        if self.xdiv & XDIVEN == 0 { 1 } else { 129 - u64::from(self.xdiv & !XDIVEN) }
    }

    /// OSCCAL.
    pub fn osccal(&self) -> u8 {
        self.osccal
    }

    /// Shows why the chip was reset.
    pub fn set_cause(&mut self, cause: ResetCause) {
        match cause {
            ResetCause::PowerOn => self.causes = PORF,
            ResetCause::External => self.causes |= EXTRF,
            ResetCause::Watchdog => self.causes |= WDRF,
            ResetCause::BrownOut => self.causes |= BORF,
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        if value & SRE != 0 {
            cx.out.warn(WarningKind::NotModelled);
        }
        let before = self.control & IVSEL;
        let open = self.change_until.is_some_and(|until| cx.cycle <= until);
        let mut selected = before;
        if value & IVCE != 0 {
            self.change_until = Some(cx.cycle + WINDOW);
        } else if open {
            self.change_until = None;
            selected = value & IVSEL;
        } else if value & IVSEL != before {
            cx.out.warn(WarningKind::Protected);
        }
        self.control = value & !(IVSEL | IVCE) | selected;
        if selected != before {
            cx.out.push(Effect::Vectors(selected != 0));
        }
    }

    fn write_status(&mut self, cx: &mut Context<'_>, value: u8) {
        self.causes &= value;
        let wanted = value & JTD != 0;
        if wanted == self.jtag_disabled {
            self.jtag_request = None;
            return;
        }
        match self.jtag_request.take() {
            Some((requested, until)) if requested == wanted && cx.cycle <= until => {
                self.jtag_disabled = wanted;
                self.take_pins(cx);
            }
            _ => self.jtag_request = Some((wanted, cx.cycle + WINDOW)),
        }
    }

    /// JTAG has its pins, or leaves them to the port.
    fn take_pins(&self, cx: &mut Context<'_>) {
        let active = self.has_jtag && !self.jtag_disabled;
        for (line, pull_up) in [(0, true), (1, true), (2, false), (3, true)] {
            let drive = Drive { pull_up: Some(pull_up), ..Drive::INPUT };
            cx.out.override_pin(Signal::Jtag(line), if active { drive } else { Drive::NONE });
        }
    }
}

impl Peripheral for Mcu {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        match register {
            MCUCR => self.control | flag(self.change_until.is_some(), IVCE),
            MCUCSR => self.causes | flag(self.jtag_disabled, JTD),
            XDIV => self.xdiv,
            OSCCAL => self.osccal,
            XMCRA => self.external[0],
            XMCRB => self.external[1],
            _ => 0,
        }
    }

    fn holds(&self, _cx: &Context<'_>, _register: u8) -> Holds {
        Holds::UntilDue
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match register {
            MCUCR => self.write_control(cx, value),
            MCUCSR => self.write_status(cx, value),
            XDIV => {
                if self.xdiv & XDIVEN != 0 && value & XDIVEN != 0 && value != self.xdiv {
                    // The divisor must not change while it is in use.
                    cx.out.warn(WarningKind::Protected);
                }
                self.xdiv = value;
                cx.out.push(Effect::Clocks);
            }
            OSCCAL => {
                self.osccal = value;
                cx.out.push(Effect::Clocks);
            }
            XMCRA => self.external[0] = value,
            XMCRB => self.external[1] = value,
            OCDR => cx.out.warn(WarningKind::NotModelled),
            _ => {}
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        self.change_until.map_or(Due::Never, |until| Due::Cycle(until + 1))
    }

    fn fire(&mut self, _cx: &mut Context<'_>) {
        self.change_until = None;
    }

    fn reset(&mut self, cx: &mut Context<'_>, _power: bool) {
        *self = Mcu { causes: self.causes, ..Mcu::with_jtag(self.has_jtag) };
        self.take_pins(cx);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmega128::bench::Bench;
    use crate::atmega128::fuses::FACTORY;

    fn bench() -> Bench<Mcu> {
        Bench::new(Mcu::new(FACTORY))
    }

    #[test]
    fn the_vectors_move_only_within_four_cycles_and_interrupts_wait_meanwhile() {
        let mut bench = bench();
        bench.write(MCUCR, IVSEL);
        assert_eq!((bench.read(MCUCR), bench.take_warnings()), (0, vec![WarningKind::Protected]));
        bench.write(MCUCR, IVCE);
        assert!(bench.block.moves_vectors());
        bench.run_cycles(3);
        bench.write(MCUCR, IVSEL);
        assert!(!bench.block.moves_vectors());
        assert_eq!(bench.take(), [Effect::Vectors(true)]);
        bench.write(MCUCR, IVCE | IVSEL);
        bench.run_cycles(5);
        bench.write(MCUCR, 0);
        assert_eq!(bench.read(MCUCR), IVSEL);
    }

    #[test]
    fn jtag_leaves_its_pins_after_two_writes_within_four_cycles() {
        let mut bench = bench();
        bench.write(MCUCSR, JTD);
        bench.run_cycles(10);
        bench.write(MCUCSR, JTD);
        assert_eq!(bench.read(MCUCSR) & JTD, 0);
        bench.run_cycles(1);
        bench.write(MCUCSR, JTD);
        assert_eq!(bench.read(MCUCSR) & JTD, JTD);
        let released = Effect::Override(Signal::Jtag(0), Drive::NONE);
        assert!(bench.take().contains(&released));
    }

    #[test]
    fn causes_of_reset_add_up_and_zeros_clear_them() {
        let mut bench = bench();
        bench.block.set_cause(ResetCause::PowerOn);
        bench.block.set_cause(ResetCause::Watchdog);
        bench.block.set_cause(ResetCause::External);
        assert_eq!(bench.read(MCUCSR), PORF | WDRF | EXTRF);
        bench.write(MCUCSR, !WDRF & 0x1F);
        assert_eq!(bench.read(MCUCSR), PORF | EXTRF);
    }

    #[test]
    fn the_clock_is_divided_by_up_to_129() {
        let mut bench = bench();
        for (value, divisor) in [(0, 1), (0x80, 129), (0xFF, 2), (0x7F, 1)] {
            bench.write(XDIV, value & 0x7F);
            bench.write(XDIV, value);
            assert_eq!(bench.block.divisor(), divisor, "{value:#x}");
        }
        assert_eq!(bench.take_warnings(), []);
        bench.write(XDIV, 0x81);
        bench.write(XDIV, 0x82);
        assert_eq!(bench.take_warnings(), [WarningKind::Protected]);
    }

    #[test]
    fn the_sleep_modes_are_those_of_the_data_sheet() {
        let mut bench = bench();
        let modes = [0, 0x08, 0x10, 0x18, 0x04, 0x0C, 0x14, 0x1C].map(|bits| {
            bench.write(MCUCR, SE | bits);
            bench.block.sleep_mode().map(Mode::name)
        });
        let names = ["idle", "adc noise reduction", "power-down", "power-save"].map(Some);
        assert_eq!(modes[..4], names);
        assert_eq!(modes[4..6], [None, None]);
        assert_eq!(modes[6..], [Some("standby"), Some("extended standby")]);
        assert!(bench.block.may_sleep());
        bench.write(MCUCR, 0);
        assert!(!bench.block.may_sleep());
    }

    #[test]
    fn external_memory_and_the_debug_register_are_reported() {
        let mut bench = bench();
        bench.write(MCUCR, SRE);
        bench.write(OCDR, 1);
        assert_eq!(bench.take_warnings(), [WarningKind::NotModelled; 2]);
    }
}
