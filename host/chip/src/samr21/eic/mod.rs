// SPDX-License-Identifier: MIT OR Apache-2.0
//! EIC: external interrupts (data sheet, chapter "EIC - External Interrupt Controller").

mod line;
#[cfg(test)]
mod tests;

use super::register::{self, At, Bank, Choice, Register, array, choice, ones, ro, rw, up_to};
use crate::samr21::peripheral::{Context, PadInput, Peripheral, ResetKind, Signal};
use crate::samr21::sync::Crossing;
use crate::{OFF, Time, WarningKind};
use lichen_isa::Width;
use line::{Clocking, Line, Sense};

/// Bridge of the peripheral bus that the EIC is on (A).
const BRIDGE: u8 = 0;
/// Offsets exempt from write protection: INTFLAG and NMIFLAG.
const EXEMPT: [std::ops::Range<u32>; 2] = [0x03..0x04, 0x10..0x14];
/// Generic clock channel.
const CHANNEL: u8 = 5;
/// External interrupts; the NMI's line follows them.
const LINES: usize = 16;
const NMI: usize = LINES;
/// Event generator of line 0.
const FIRST_GENERATOR: u8 = 12;

const SWRST: u8 = 1 << 0;
const ENABLE: u8 = 1 << 1;
const SYNCBUSY: u32 = 1 << 7;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    Status,
    NmiCtrl,
    NmiFlag,
    EvCtrl,
    IntEnClr,
    IntEnSet,
    IntFlag,
    WakeUp,
    Config,
}

/// NMISENSE, or the SENSE of one of eight lines.
const fn sense(line: u32) -> Choice {
    choice(line * 4, 3, up_to(5))
}

const SENSES: &[Choice] =
    &[sense(0), sense(1), sense(2), sense(3), sense(4), sense(5), sense(6), sense(7)];

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Ctrl, 0x00, Width::Byte, 0x03),
    ro(Id::Status, 0x01, Width::Byte),
    rw(Id::NmiCtrl, 0x02, Width::Byte, 0x0F).choosing(&[sense(0)]),
    ones(Id::NmiFlag, 0x03, Width::Byte),
    rw(Id::EvCtrl, 0x04, Width::Word, 0xFFFF),
    ones(Id::IntEnClr, 0x08, Width::Word),
    ones(Id::IntEnSet, 0x0C, Width::Word),
    ones(Id::IntFlag, 0x10, Width::Word),
    rw(Id::WakeUp, 0x14, Width::Word, 0xFFFF),
    array(Id::Config, 0x18, Width::Word, 2, u32::MAX).choosing(SENSES),
];

/// The flag of a line, of which the NMI has its own.
fn flag(flags: u16, nmi: bool, line: usize) -> bool {
    if line == NMI { nmi } else { flags >> line & 1 != 0 }
}

/// The external interrupt controller.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Eic {
    ctrl: u8,
    nmictrl: u8,
    evctrl: u16,
    wakeup: u16,
    config: [u32; 2],
    enabled_interrupts: u16,
    flags: u16,
    nmi_flag: bool,
    /// A write to ENABLE or SWRST on its way, and the value of ENABLE that has arrived.
    crossing: Crossing<()>,
    running: bool,
    lines: [Line; LINES + 1],
    clocks: Clocking,
}

impl Eic {
    /// The controller after reset.
    pub fn new() -> Eic {
        Eic {
            ctrl: 0,
            nmictrl: 0,
            evctrl: 0,
            wakeup: 0,
            config: [0; 2],
            enabled_interrupts: 0,
            flags: 0,
            nmi_flag: false,
            crossing: Crossing::default(),
            running: false,
            lines: [Line::new(); LINES + 1],
            clocks: Clocking { generic: None, bus: None },
        }
    }

    fn take_clocks(&mut self, cx: &Context<'_>) {
        let bus = cx.clocks.bus_runs(BRIDGE).then(|| cx.clocks.bus(BRIDGE));
        self.clocks = Clocking { generic: cx.clocks.generic(CHANNEL), bus };
    }

    fn write_ctrl(&mut self, cx: &mut Context<'_>, value: u8) {
        if self.crossing.stall(cx.now, cx.out) {
            return;
        }
        let changed = self.ctrl ^ value;
        if value & SWRST != 0 {
            self.forget();
            self.ctrl = SWRST;
        } else if changed & ENABLE != 0 {
            self.ctrl = value;
        } else {
            return;
        }
        if self.clocks.generic.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        self.crossing.start(cx.now, self.clocks.generic, cx.clocks.bus(BRIDGE), ());
    }

    /// Takes reset values, but keeps the state of the pads and the crossing.
    fn forget(&mut self) {
        let (clocks, crossing, mut lines) = (self.clocks, self.crossing, self.lines);
        lines.iter_mut().for_each(Line::reset);
        *self = Eic { clocks, crossing, lines, ..Eic::new() };
    }

    /// Applies CONFIG, NMICTRL and WAKEUP to the lines.
    fn configure(&mut self, cx: &mut Context<'_>) {
        for n in 0..=LINES {
            let field = match n {
                NMI => self.nmictrl as u32,
                _ => self.config[n / 8] >> (n % 8 * 4) & 0xF,
            };
            let Some(sense) = Sense::of(field) else { continue };
            let active = n == NMI || self.running;
            let sense = if active { sense } else { Sense::None };
            self.lines[n].wakes = n == NMI || self.wakeup >> n & 1 != 0;
            self.lines[n].configure(cx.now, sense, field & 8 != 0, &self.clocks);
        }
    }

    fn detected(&mut self, cx: &mut Context<'_>, n: usize) {
        if n == NMI {
            self.nmi_flag = true;
            return;
        }
        self.flags |= 1 << n;
        if self.evctrl >> n & 1 != 0 {
            cx.out.event(FIRST_GENERATOR + n as u8);
        }
    }

    /// Checks lines whose flag was cleared again: the level may still be present.
    fn watch(&mut self, now: Time) {
        for (n, line) in self.lines.iter_mut().enumerate() {
            if !flag(self.flags, self.nmi_flag, n) {
                line.watch(now, &self.clocks);
            }
        }
    }
}

impl Default for Eic {
    fn default() -> Eic {
        Eic::new()
    }
}

impl Bank for Eic {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => self.ctrl as u32,
            Id::Status if self.crossing.is_busy(cx.now) => SYNCBUSY,
            Id::Status => 0,
            Id::NmiCtrl => self.nmictrl as u32,
            Id::NmiFlag => self.nmi_flag as u32,
            Id::EvCtrl => self.evctrl as u32,
            Id::IntEnClr | Id::IntEnSet => self.enabled_interrupts as u32,
            Id::IntFlag => self.flags as u32,
            Id::WakeUp => self.wakeup as u32,
            Id::Config => self.config[at.index],
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Status => self.crossing.holds_until(now),
            Id::Ctrl | Id::NmiFlag | Id::IntFlag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::Ctrl => self.write_ctrl(cx, value as u8),
            Id::Status => {}
            Id::NmiCtrl => self.nmictrl = value as u8,
            Id::NmiFlag => self.nmi_flag &= value & 1 == 0,
            Id::EvCtrl => self.evctrl = at.merge(self.evctrl as u32, value) as u16,
            Id::IntEnClr => self.enabled_interrupts &= !(value as u16),
            Id::IntEnSet => self.enabled_interrupts |= value as u16,
            Id::IntFlag => self.flags &= !(value as u16),
            Id::WakeUp => self.wakeup = at.merge(self.wakeup as u32, value) as u16,
            Id::Config => self.config[at.index] = at.merge(self.config[at.index], value),
        }
        match at.id {
            Id::NmiCtrl | Id::Config | Id::WakeUp => self.configure(cx),
            Id::NmiFlag | Id::IntFlag => self.watch(cx.now),
            _ => {}
        }
    }
}

impl Peripheral for Eic {
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
        register::read(self, cx, offset, width)
    }

    fn holds_until(&self, now: Time, offset: u32, width: Width) -> Time {
        register::holds_until(self, now, offset, width)
    }

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        self.take_clocks(cx);
        register::write(self, cx, offset, width, value);
    }

    fn due(&self) -> Time {
        let lines = self.lines.iter().map(Line::due).fold(Time::NEVER, Time::min);
        lines.min(self.crossing.arrives())
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        if self.crossing.arrive(cx.now).is_some() {
            self.ctrl &= !SWRST;
            self.running = self.ctrl & ENABLE != 0;
            self.configure(cx);
        }
        for n in 0..=LINES {
            let set = flag(self.flags, self.nmi_flag, n);
            if self.lines[n].due() <= cx.now && self.lines[n].fire(cx.now, set, &self.clocks) {
                self.detected(cx, n);
            }
        }
    }

    fn activity(&self) -> &'static str {
        if self.running { "on" } else { OFF }
    }

    fn irq(&self) -> bool {
        self.flags & self.enabled_interrupts != 0
    }

    fn interrupts(&self) -> bool {
        self.enabled_interrupts != 0
    }

    fn nmi(&self) -> bool {
        self.nmi_flag
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let before = self.clocks;
        self.take_clocks(cx);
        self.crossing.clocks_changed(cx.now, self.clocks.generic, cx.clocks.bus(BRIDGE));
        if self.clocks != before {
            for (n, line) in self.lines.iter_mut().enumerate() {
                let set = flag(self.flags, self.nmi_flag, n);
                line.clocks_changed(cx.now, set, &self.clocks);
            }
        }
    }

    fn wants_clock(&self, channel: u8) -> bool {
        let needs = |line: &Line| line.wakes && (line.sense.is_edge() || line.filter);
        channel == CHANNEL && self.lines.iter().any(needs)
    }

    fn pad_input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        if let (Signal::External(n), PadInput::Level(high)) = (signal, input)
            && let Some(line) = self.lines.get_mut(n as usize)
        {
            line.input(cx.now, high, &self.clocks);
        }
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.iter().any(|exempt| exempt.contains(&offset))
    }

    fn reset(&mut self, cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Eic::new();
        self.take_clocks(cx);
    }
}
