// SPDX-License-Identifier: MIT OR Apache-2.0
//! WDT: the watchdog (data sheet, "WDT - Watchdog Timer").

use super::register::{self, Access, At, Bank, Choice, Register, choice, ones, ro, rw, up_to};
use super::ticks::Ticks;
use crate::samr21::peripheral::{Context, Effect, Peripheral, ResetCause, ResetKind};
use crate::samr21::sync::Crossing;
use crate::{OFF, Time, WarningKind};
use lichen_isa::Width;

const BRIDGE: u8 = 0;
const CHANNEL: u8 = 3;

const ENABLE: u32 = 1 << 1;
const WEN: u32 = 1 << 2;
const ALWAYSON: u32 = 1 << 7;
const EW: u32 = 1;
const SYNCBUSY: u32 = 1 << 7;
/// The value of CLEAR that clears; any other resets.
const KEY: u32 = 0xA5;

const INTFLAG: u32 = 6;
const CLEAR: u32 = 8;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    Config,
    EwCtrl,
    IntenClr,
    IntenSet,
    Intflag,
    Status,
    Clear,
}

/// A field of CONFIG or EWCTRL.
const fn time(low: u32) -> Choice {
    choice(low, 4, up_to(LONGEST))
}

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Ctrl, 0, Width::Byte, 0x86),
    rw(Id::Config, 1, Width::Byte, 0xFF).choosing(&[time(0), time(4)]),
    rw(Id::EwCtrl, 2, Width::Byte, 0x0F).choosing(&[time(0)]),
    ones(Id::IntenClr, 4, Width::Byte),
    ones(Id::IntenSet, 5, Width::Byte),
    ones(Id::Intflag, INTFLAG, Width::Byte),
    ro(Id::Status, 7, Width::Byte),
    Register {
        id: Id::Clear,
        offset: CLEAR,
        width: Width::Byte,
        count: 1,
        mask: 0xFF,
        access: Access::ReadWrite,
        choices: &[],
    },
];

/// The effect of a crossing into the watchdog's clock domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Command {
    Control(u32),
    Clear,
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Wdt {
    control: u32,
    config: u32,
    early: u32,
    inten: u32,
    intflag: u32,
    crossing: Crossing<Command>,
    /// Clock cycles since it was started or cleared, while it runs.
    elapsed: Option<Ticks>,
    /// Whether the early warning of this period has come.
    warned: bool,
    /// CTRL, CONFIG and EWCTRL as the user row has them.
    fuses: (u32, u32, u32),
}

/// The largest value of a field of CONFIG or EWCTRL; larger ones are reserved.
const LONGEST: u32 = 0xB;

/// Cycles that a field of CONFIG or EWCTRL stands for.
fn cycles(field: u32) -> u64 {
    8 << (field & 0xF).min(LONGEST)
}

/// Without its clock, no write arrives.
fn warn_unclocked(cx: &mut Context<'_>) {
    if cx.clocks.generic(CHANNEL).is_none() {
        cx.out.warn(WarningKind::CoreUnclocked);
    }
}

impl Wdt {
    pub fn new() -> Wdt {
        Wdt {
            control: 0,
            config: 0xBB,
            early: 0x0B,
            inten: 0,
            intflag: 0,
            crossing: Crossing::default(),
            elapsed: None,
            warned: false,
            fuses: (0, 0xBB, 0x0B),
        }
    }

    /// Takes the settings of the first two words of the user row.
    pub fn set_fuses(&mut self, fuses: [u32; 2]) {
        let [low, high] = fuses;
        let enable = low >> 25 & 1;
        let always_on = low >> 26 & 1;
        let window_enable = high >> 7 & 1;
        let period = low >> 27 & 0xF;
        let window = low >> 31 | (high & 7) << 1;
        let control = enable << 1 | window_enable << 2 | always_on << 7;
        self.fuses = (control, period | window << 4, high >> 3 & 0xF);
    }

    fn is_locked(&self) -> bool {
        self.control & (ENABLE | ALWAYSON) != 0
    }

    /// Cycles before which a clear resets the chip: the closed window.
    fn closed(&self) -> u64 {
        if self.control & WEN != 0 { cycles(self.config >> 4) } else { 0 }
    }

    fn period(&self) -> u64 {
        self.closed() + cycles(self.config)
    }

    /// Cycles until the early warning: in window mode the window opens with it.
    fn early(&self) -> u64 {
        if self.control & WEN != 0 { self.closed() } else { cycles(self.early) }
    }

    fn restart(&mut self, cx: &Context<'_>) {
        self.warned = false;
        self.elapsed = Some(Ticks::starting(cx.now, cx.clocks.generic(CHANNEL), 0));
    }

    fn cross(&mut self, cx: &mut Context<'_>, command: Command) {
        let generic = cx.clocks.generic(CHANNEL);
        self.crossing.start(cx.now, generic, cx.clocks.bus(BRIDGE), command);
    }

    fn apply(&mut self, cx: &mut Context<'_>, command: Command) {
        match command {
            Command::Control(control) => {
                let runs = control & (ENABLE | ALWAYSON) != 0;
                if runs && self.elapsed.is_none() {
                    self.restart(cx);
                } else if !runs {
                    self.elapsed = None;
                }
            }
            Command::Clear => {
                let Some(elapsed) = self.elapsed else { return };
                if elapsed.at(cx.now) < self.closed() {
                    cx.out.push(Effect::Reset(ResetCause::Watchdog));
                } else {
                    self.restart(cx);
                }
            }
        }
    }

    fn write_clear(&mut self, cx: &mut Context<'_>, value: u32) {
        if self.crossing.stall(cx.now, cx.out) {
            return;
        }
        if value == KEY {
            if self.is_locked() {
                warn_unclocked(cx);
                self.cross(cx, Command::Clear);
            }
        } else if self.is_locked() {
            cx.out.push(Effect::Reset(ResetCause::Watchdog));
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u32) {
        if self.crossing.stall(cx.now, cx.out) {
            return;
        }
        if self.control & ALWAYSON != 0 {
            return cx.out.warn(WarningKind::Protected);
        }
        if value == self.control {
            // Nothing has to cross: firmware switches the watchdog off without giving it a clock.
            return;
        }
        warn_unclocked(cx);
        let window = if self.control & ENABLE != 0 { self.control } else { value } & WEN;
        self.control = value & (ENABLE | ALWAYSON) | window;
        self.cross(cx, Command::Control(self.control));
    }
}

impl Bank for Wdt {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => self.control,
            Id::Config => self.config,
            Id::EwCtrl => self.early,
            Id::IntenClr | Id::IntenSet => self.inten,
            Id::Intflag => self.intflag,
            Id::Status => u32::from(self.crossing.is_busy(cx.now)) * SYNCBUSY,
            Id::Clear => 0,
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Status => self.crossing.holds_until(now),
            Id::Intflag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::Ctrl => self.write_control(cx, value),
            Id::Config | Id::EwCtrl if self.is_locked() => cx.out.warn(WarningKind::Protected),
            Id::Config => self.config = value,
            Id::EwCtrl => self.early = value,
            Id::IntenClr => self.inten &= !value,
            Id::IntenSet => self.inten |= value & EW,
            Id::Intflag => self.intflag &= !value,
            Id::Clear => self.write_clear(cx, value),
            Id::Status => {}
        }
    }
}

impl Peripheral for Wdt {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        let crossing = self.crossing.arrives();
        let Some(elapsed) = self.elapsed else { return crossing };
        let early = if self.warned { Time::NEVER } else { elapsed.when(self.early()) };
        crossing.min(early).min(elapsed.when(self.period()))
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        if let Some(command) = self.crossing.arrive(cx.now) {
            self.apply(cx, command);
        }
        let Some(elapsed) = self.elapsed.map(|elapsed| elapsed.at(cx.now)) else { return };
        if !self.warned && elapsed >= self.early() {
            self.warned = true;
            self.intflag |= EW;
        }
        if elapsed >= self.period() {
            self.elapsed = None;
            cx.out.push(Effect::Reset(ResetCause::Watchdog));
        }
    }

    fn activity(&self) -> &'static str {
        if self.elapsed.is_some() { "counting" } else { OFF }
    }

    fn irq(&self) -> bool {
        self.intflag & self.inten != 0
    }

    fn interrupts(&self) -> bool {
        self.inten != 0
    }

    fn write_protected(&self, offset: u32) -> bool {
        offset != INTFLAG && offset != CLEAR
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = cx.clocks.generic(CHANNEL);
        if let Some(elapsed) = &mut self.elapsed {
            elapsed.change_clock(cx.now, clock);
        }
        self.crossing.clocks_changed(cx.now, clock, cx.clocks.bus(BRIDGE));
    }

    fn wants_clock(&self, _channel: u8) -> bool {
        self.is_locked() || self.crossing.is_pending()
    }

    fn reset(&mut self, cx: &mut Context<'_>, kind: ResetKind) {
        self.inten = 0;
        self.intflag = 0;
        if kind == ResetKind::User && self.control & ALWAYSON != 0 {
            return self.restart(cx);
        }
        (self.control, self.config, self.early) = self.fuses;
        self.crossing = Crossing::default();
        self.elapsed = None;
        if self.is_locked() {
            self.restart(cx);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::Bench;
    use super::*;
    use crate::clock::Clock;

    /// A watchdog on a clock of 1,024 Hz.
    fn bench() -> Bench<Wdt> {
        let mut bench = Bench::new(Wdt::new());
        bench.clock(CHANNEL, 1_024);
        bench
    }

    fn reset_by(bench: &mut Bench<Wdt>, until: Time) -> Option<Time> {
        while bench.block.due() <= until {
            let due = bench.block.due();
            bench.run_until(due);
            if bench.take().contains(&Effect::Reset(ResetCause::Watchdog)) {
                return Some(bench.now);
            }
        }
        bench.run_until(until);
        None
    }

    #[test]
    fn it_resets_after_its_period_and_warns_before() {
        let mut bench = bench();
        bench.write8(1, 0x03); // 64 cycles
        bench.write8(2, 0x02); // 32 cycles
        bench.write8(5, 1);
        bench.write8(0, ENABLE);
        assert_eq!(bench.read8(7), SYNCBUSY);
        let warned = bench.rises_by(Time::from_s(1)).expect("early warning");
        // Six edges for the crossing, then 32 of the count.
        assert_eq!(warned, Clock::new(Time::ZERO, 1_024).edge(6 + 32));
        let reset = reset_by(&mut bench, Time::from_s(1)).expect("reset");
        assert_eq!(reset, Clock::new(Time::ZERO, 1_024).edge(6 + 64));
    }

    #[test]
    fn clearing_holds_the_reset_off_and_clearing_twice_waits() {
        let mut bench = bench();
        bench.write8(1, 0x03);
        bench.write8(0, ENABLE);
        for _ in 0..10 {
            bench.run_for(Time::from_ms(30));
            bench.write8(8, KEY);
        }
        assert_eq!(reset_by(&mut bench, Time::from_ms(320)), None);
        bench.write8(8, KEY);
        let before = bench.now;
        bench.write8(8, KEY);
        assert!(bench.now - before > Time::from_ms(4), "the bus waits for the first clear");
        let soon = bench.now + Time::from_ms(70);
        assert!(reset_by(&mut bench, soon).is_some());
    }

    #[test]
    fn a_wrong_key_resets_at_once() {
        let mut bench = bench();
        bench.write8(0, ENABLE);
        bench.run_for(Time::from_ms(20));
        bench.write8(8, 0x5A);
        assert_eq!(bench.take(), [Effect::Reset(ResetCause::Watchdog)]);
    }

    #[test]
    fn a_clear_that_cannot_arrive_warns() {
        let mut bench = bench();
        bench.write8(1, 0xBB);
        bench.write8(2, 0x0B);
        bench.write8(0, ENABLE);
        bench.run_for(Time::from_ms(20));
        assert_eq!(bench.warnings, []);
        bench.stop_clock(CHANNEL);
        bench.write8(8, KEY);
        assert_eq!(bench.warnings, [WarningKind::CoreUnclocked]);
    }

    #[test]
    fn reserved_times_warn() {
        let mut bench = bench();
        bench.write8(1, 0x0C);
        bench.write8(1, 0xC0);
        bench.write8(2, 0x0F);
        assert_eq!(bench.warnings, [WarningKind::Reserved; 3]);
    }

    #[test]
    fn in_window_mode_a_clear_in_the_closed_window_resets() {
        let mut bench = bench();
        bench.write8(1, 0x22); // window and period 32 cycles each
        bench.write8(0, ENABLE | WEN);
        bench.run_for(Time::from_ms(50));
        bench.write8(8, KEY);
        assert_eq!(reset_by(&mut bench, Time::from_ms(60)), None);
        bench.write8(8, KEY);
        assert!(reset_by(&mut bench, Time::from_ms(75)).is_some());
    }

    /// The edge of the clock at which a count begins that was started before all edges.
    const BEGIN: u64 = 6;

    fn edge(n: u64) -> Time {
        Clock::new(Time::ZERO, 1_024).edge(n)
    }

    /// Whether a clear that arrives after this many cycles resets the chip.
    fn clear_resets(config: u32, after: u64) -> bool {
        let mut bench = bench();
        bench.write8(1, config);
        bench.write8(0, ENABLE | WEN);
        // It takes as many edges to arrive as the start did.
        bench.run_until(edge(after) + Time::UNIT);
        bench.write8(8, KEY);
        reset_by(&mut bench, edge(BEGIN + after)).is_some()
    }

    #[test]
    fn the_window_opens_after_as_many_cycles_as_it_says() {
        for window in 0..=LONGEST {
            // A period that differs from the window.
            let config = window << 4 | (LONGEST - window);
            let closed = 8 << window;
            assert!(clear_resets(config, closed - 1), "{config:#x}");
            assert!(!clear_resets(config, closed), "{config:#x}");
        }
    }

    #[test]
    fn a_period_has_as_many_cycles_as_it_says_after_the_window() {
        for (control, closed) in [(ENABLE, 0), (ENABLE | WEN, 16)] {
            for period in 0..=LONGEST {
                let mut bench = bench();
                bench.write8(1, 1 << 4 | period);
                bench.write8(0, control);
                let end = edge(BEGIN + closed + (8 << period));
                assert_eq!(reset_by(&mut bench, Time::from_s(20)), Some(end), "{period}");
            }
        }
    }

    #[test]
    fn the_early_warning_comes_after_its_offset_and_with_a_window_when_that_opens() {
        for (control, offset) in [(ENABLE, 3), (ENABLE | WEN, 1)] {
            let mut bench = bench();
            bench.write8(1, 1 << 4 | 4);
            bench.write8(2, 3);
            bench.write8(5, EW);
            bench.write8(0, control);
            let expected = edge(BEGIN + (8 << offset));
            assert_eq!(bench.rises_by(Time::from_s(1)), Some(expected));
            bench.write8(4, EW);
            assert!(!bench.block.irq());
            bench.write8(5, EW);
            bench.write8(6, EW);
            assert!(!bench.block.irq());
        }
    }

    #[test]
    fn the_user_row_can_switch_it_on_for_good() {
        let mut wdt = Wdt::new();
        wdt.set_fuses([0xD8E0_C7FF | 1 << 26, 0xFFFF_FC5D]);
        let mut bench = Bench::new(wdt);
        assert_eq!(bench.read8(0), ALWAYSON);
        assert_eq!((bench.read8(1), bench.read8(2)), (0xBB, 0x0B));
        bench.clock(CHANNEL, 1_024);
        bench.write8(0, 0);
        assert_eq!(bench.read8(0), ALWAYSON);
        assert_eq!(reset_by(&mut bench, Time::from_s(20)), Some(Time::from_s(16)));
    }
}
