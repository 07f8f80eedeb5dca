// SPDX-License-Identifier: MIT OR Apache-2.0
//! TC: timer/counters (data sheet, chapter "TC - Timer/Counter").
//!
//! The bus side ([`Tc`]) holds the written values and the synchronizer; the counting side
//! ([`Timer`]) holds what has reached the generic clock's domain.

mod counter;
mod registers;
#[cfg(test)]
mod tests;
mod timer;

use super::register::{self, At, Bank, Register};
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::samr21::sync::Crossing;
use crate::{OFF, Time, WarningKind};
pub(crate) use counter::Counter;
use registers::{CMD, ENABLE, INTERRUPTS, Id, Mode, RUNSTDBY, SWRST, SYNCBUSY, SYNCRDY};
use timer::Timer;

/// Bridge of the peripheral bus that timers are on (C).
const BRIDGE: u8 = 2;
/// Offsets exempt from write protection: READREQ, INTFLAG, STATUS, COUNT, PER and CC.
const EXEMPT: [std::ops::Range<u32>; 2] = [0x02..0x04, 0x0E..0x20];
/// Age of the value of a continuous read, in bus edges.
const BUS_EDGES: u64 = 3;

/// The crossing into the generic clock's domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Command {
    Enable(bool),
    Reset,
    Control,
    Outputs,
    Count(u32),
    Period,
    Compare(usize),
    /// A read of this register, by READREQ or by the access that waits for it.
    Read(Id, usize),
}

/// How far a write has come that found a crossing under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Delayed {
    /// It waits for that crossing.
    Waits,
    /// It was made, and waits for its own.
    Crosses,
}

/// A timer.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Tc {
    instance: u8,
    ctrla: u16,
    readreq: u16,
    ctrlb: u8,
    ctrlc: u8,
    dbgctrl: u8,
    evctrl: u16,
    enabled_interrupts: u8,
    period: u8,
    compare: [u32; 2],
    timer: Timer,
    crossing: Crossing<Command>,
    delayed: Option<Delayed>,
    /// A value that was read but not yet fetched.
    sampled: Option<(Id, usize, u32)>,
}

impl Tc {
    /// TC`instance` (3 to 7) after reset.
    pub fn new(instance: u8) -> Tc {
        Tc {
            instance,
            ctrla: 0,
            readreq: 0,
            ctrlb: 0,
            ctrlc: 0,
            dbgctrl: 0,
            evctrl: 0,
            enabled_interrupts: 0,
            period: 0xFF,
            compare: [0; 2],
            timer: Timer::new(instance),
            crossing: Crossing::default(),
            delayed: None,
            sampled: None,
        }
    }

    /// Generic clock channel: TC3 has one with TCC2, TC4 and TC5 share one, and TC6 and TC7.
    fn channel(&self) -> u8 {
        match self.instance {
            3 => 27,
            4 | 5 => 28,
            _ => 29,
        }
    }

    fn clock(&self, cx: &Context<'_>) -> Option<Clock> {
        cx.clocks.generic(self.channel())
    }

    fn cross(&mut self, cx: &mut Context<'_>, command: Command) {
        let clock = self.clock(cx);
        if clock.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        self.crossing.start(cx.now, clock, cx.clocks.bus(BRIDGE), command);
    }

    /// Whether the access must wait for a crossing.
    fn waits(&self, cx: &mut Context<'_>) -> bool {
        self.crossing.stall(cx.now, cx.out)
    }

    /// A command reaches the counting side.
    fn apply(&mut self, cx: &mut Context<'_>, command: Command) {
        match command {
            Command::Enable(true) => {
                let clock = self.clock(cx);
                self.timer.configure(self.ctrla, self.evctrl);
                self.timer.set_top(cx.now, self.period, self.compare);
                self.timer.control(self.ctrlb);
                self.timer.enable(cx, clock);
            }
            Command::Enable(false) => self.timer.disable(cx),
            Command::Reset => self.timer = Timer::new(self.instance),
            Command::Control => {
                self.timer.command(cx, self.ctrlb);
                self.ctrlb &= !CMD;
            }
            Command::Outputs => self.timer.outputs(cx, self.ctrlc),
            Command::Count(value) => self.timer.set_count(cx.now, value),
            Command::Period | Command::Compare(_) => {
                self.timer.set_top(cx.now, self.period, self.compare);
            }
            Command::Read(id, index) => {
                self.sampled = Some((id, index, self.value(cx.now, id, index)));
            }
        }
    }

    fn value(&self, now: Time, id: Id, index: usize) -> u32 {
        match id {
            Id::CtrlBClr | Id::CtrlBSet => self.ctrlb as u32,
            Id::CtrlC => self.ctrlc as u32,
            Id::Count => self.timer.count(now),
            Id::Per => self.period as u32,
            Id::Cc => self.timer.captured(index).unwrap_or(self.compare[index]),
            _ => 0,
        }
    }

    /// A read of a register on the other side: the value of a continuous READREQ, the sample that a
    /// READREQ fetched, or a stall.
    fn synchronized_read(&mut self, cx: &mut Context<'_>, id: Id, index: usize) -> u32 {
        if self.waits(cx) {
            return 0;
        }
        let sampled = self.sampled.take_if(|sample| (sample.0, sample.1) == (id, index));
        let continuous = self.reads_continuously(id, index).then(|| {
            let behind = cx.clocks.bus(BRIDGE).span(BUS_EDGES);
            self.value(cx.now - behind, id, index)
        });
        if let Some(value) = continuous.or(sampled.map(|(_, _, value)| value)) {
            if id == Id::Cc {
                self.timer.fetched(index);
            }
            return value;
        }
        self.cross(cx, Command::Read(id, index));
        self.waits(cx);
        0
    }

    /// The register that READREQ.ADDR names.
    fn requested(&self) -> Option<(Id, usize)> {
        let offset = (self.readreq & 0x1F) as u32;
        let registers = Mode::of(self.ctrla).registers();
        let found = registers.iter().find(|register| {
            (register.offset..register.offset + register.count * register.width.bytes())
                .contains(&offset)
        })?;
        Some((found.id, ((offset - found.offset) / found.width.bytes()) as usize))
    }

    fn reads_continuously(&self, id: Id, index: usize) -> bool {
        const RCONT: u16 = 1 << 14;
        self.readreq & RCONT != 0 && self.requested() == Some((id, index))
    }

    fn write_readreq(&mut self, cx: &mut Context<'_>, value: u16) {
        const RREQ: u16 = 1 << 15;
        self.readreq = value & !RREQ;
        if let Some((id, index)) = self.requested().filter(|_| value & RREQ != 0) {
            self.cross(cx, Command::Read(id, index));
        }
    }

    fn write_ctrla(&mut self, cx: &mut Context<'_>, value: u16) {
        let old = self.ctrla;
        if value & SWRST != 0 {
            let timer = std::mem::replace(&mut self.timer, Timer::new(self.instance));
            *self = Tc { timer, ..Tc::new(self.instance) };
            self.timer.disable(cx);
            self.ctrla = SWRST;
            self.cross(cx, Command::Reset);
            return;
        }
        self.ctrla = value;
        if old & ENABLE != 0 {
            // Everything except the enable bit is locked, also in the write that clears it.
            if value & ENABLE != 0 && value != old {
                cx.out.warn(WarningKind::Protected);
            }
            self.ctrla = (old & !ENABLE) | (value & ENABLE);
        }
        if Mode::of(value) == Mode::Count32 && !self.has_slave() {
            cx.out.warn(WarningKind::Reserved);
        }
        if Mode::of(self.ctrla) != Mode::of(old) {
            self.timer.set_width(Mode::of(self.ctrla));
        }
        if (old ^ value) & ENABLE != 0 {
            self.cross(cx, Command::Enable(value & ENABLE != 0));
        }
    }

    /// Even-numbered timers take the next one as their upper half.
    fn has_slave(&self) -> bool {
        self.instance % 2 == 0
    }

    fn write_control(&mut self, cx: &mut Context<'_>, set: bool, value: u8) {
        const COMMAND_STOP: u8 = 2 << 6;
        let bits = value & !CMD;
        self.ctrlb = if set { self.ctrlb | bits } else { self.ctrlb & !value };
        match (set, value & CMD) {
            (true, CMD) => cx.out.warn(WarningKind::Reserved),
            (true, command @ 1..=COMMAND_STOP) => self.ctrlb = self.ctrlb & !CMD | command,
            _ => {}
        }
        self.cross(cx, Command::Control);
    }

    fn write_evctrl(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if self.ctrla & ENABLE != 0 {
            cx.out.warn(WarningKind::Protected);
            return;
        }
        self.evctrl = at.merge(self.evctrl as u32, value) as u16;
    }

    /// A write to a register that crosses clock domains. It holds the bus if it finds a crossing
    /// under way, and then until SYNCBUSY is clear, which it is only behind the write's own crossing.
    fn write_in_turn(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if self.waits(cx) {
            self.delayed.get_or_insert(Delayed::Waits);
            return;
        }
        match self.delayed.take() {
            None => self.synchronized_write(cx, at, value),
            Some(Delayed::Waits) => {
                self.synchronized_write(cx, at, value);
                if self.waits(cx) {
                    self.delayed = Some(Delayed::Crosses);
                }
            }
            Some(Delayed::Crosses) => {}
        }
    }

    /// Makes a write to a register that crosses clock domains.
    fn synchronized_write(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::CtrlA => self.write_ctrla(cx, at.merge(self.ctrla as u32, value) as u16),
            Id::ReadReq => {
                self.write_readreq(cx, at.merge(self.readreq as u32, value) as u16);
            }
            Id::CtrlBClr | Id::CtrlBSet => {
                self.write_control(cx, at.id == Id::CtrlBSet, value as u8);
            }
            Id::CtrlC => {
                self.ctrlc = value as u8;
                self.cross(cx, Command::Outputs);
            }
            Id::Count => {
                let count = at.merge(self.timer.count(cx.now), value);
                self.cross(cx, Command::Count(count));
            }
            Id::Per => {
                self.period = value as u8;
                self.cross(cx, Command::Period);
            }
            _ => {
                self.compare[at.index] = at.merge(self.compare[at.index], value);
                self.cross(cx, Command::Compare(at.index));
            }
        }
    }

    fn status(&self, now: Time) -> u8 {
        let busy = if self.crossing.is_busy(now) { SYNCBUSY } else { 0 };
        self.timer.status() | busy
    }
}

impl Bank for Tc {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        Mode::of(self.ctrla).registers()
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::CtrlA => {
                let resetting = self.crossing.value() == Some(Command::Reset);
                (self.ctrla & !SWRST) as u32 | (resetting && self.crossing.is_busy(cx.now)) as u32
            }
            Id::ReadReq => self.readreq as u32,
            Id::DbgCtrl => self.dbgctrl as u32,
            Id::EvCtrl => self.evctrl as u32,
            Id::IntEnClr | Id::IntEnSet => self.enabled_interrupts as u32,
            Id::IntFlag => self.timer.flags as u32,
            Id::Status => self.status(cx.now) as u32,
            Id::CtrlBClr | Id::CtrlBSet | Id::CtrlC | Id::Count | Id::Per | Id::Cc => {
                self.synchronized_read(cx, at.id, at.index)
            }
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::CtrlA | Id::Status => self.crossing.holds_until(now),
            Id::IntFlag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::DbgCtrl => self.dbgctrl = value as u8,
            Id::EvCtrl => self.write_evctrl(cx, at, value),
            Id::IntEnClr => self.enabled_interrupts &= !(value as u8),
            Id::IntEnSet => self.enabled_interrupts |= value as u8 & INTERRUPTS,
            Id::IntFlag => self.timer.flags &= !(value as u8),
            Id::Status => {}
            _ => self.write_in_turn(cx, at, value),
        }
    }
}

impl Peripheral for Tc {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        self.crossing.due().min(self.timer.due())
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.timer.fire(cx);
        if let Some(command) = self.crossing.arrive(cx.now) {
            self.apply(cx, command);
        }
        if let Some(command) = self.crossing.finish(cx.now) {
            if !matches!(command, Command::Enable(_) | Command::Reset) {
                self.timer.flags |= SYNCRDY;
            }
            self.ctrla &= !SWRST;
        }
    }

    fn activity(&self) -> &'static str {
        if self.timer.is_enabled() { "counting" } else { OFF }
    }

    fn irq(&self) -> bool {
        self.timer.flags & self.enabled_interrupts != 0
    }

    fn interrupts(&self) -> bool {
        self.enabled_interrupts != 0 && self.timer.is_enabled()
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = self.clock(cx);
        self.crossing.clocks_changed(cx.now, clock, cx.clocks.bus(BRIDGE));
        self.timer.clocks_changed(cx, clock);
    }

    fn wants_clock(&self, channel: u8) -> bool {
        channel == self.channel() && self.ctrla & (ENABLE | RUNSTDBY) == ENABLE | RUNSTDBY
    }

    fn event(&mut self, cx: &mut Context<'_>, _user: u8) {
        let clock = self.clock(cx);
        self.timer.event(cx, clock);
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.iter().any(|exempt| exempt.contains(&offset))
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Tc::new(self.instance);
    }
}
