// SPDX-License-Identifier: MIT OR Apache-2.0
//! A bench for blocks in tests: a clock of 1 MHz, and the chip's duties.

use super::clocks::{Clocks, FACTORY_OSCCAL};
use super::fuses::FACTORY;
use super::peripheral::{Context, Due, Effect, Effects, Holds, PadInput, Peripheral};
use super::pins::Signal;
use super::sleep::Mode;
use crate::{Config, Time, WarningKind};

/// A block on its bench, with a watch crystal.
pub(crate) struct Bench<P> {
    pub block: P,
    pub now: Time,
    pub clocks: Clocks,
    /// The block's effects, with their times.
    pub effects: Vec<(Time, Effect)>,
    warnings: Vec<WarningKind>,
    /// Cycles for which the latest access halts the processor.
    pub stall: u32,
}

/// Length of a cycle.
pub(crate) const CYCLE: Time = Time::from_us(1);

impl<P: Peripheral> Bench<P> {
    /// The block after power-up.
    pub fn new(block: P) -> Bench<P> {
        Bench::with_config(block, &Config { xosc32k_hz: Some(32_768), ..Config::default() })
    }

    /// The same on another board.
    pub fn with_config(block: P, config: &Config) -> Bench<P> {
        let mut clocks = Clocks::new(config, FACTORY);
        clocks.start(Time::ZERO, 0, FACTORY_OSCCAL, 1);
        let (effects, warnings) = (Vec::new(), Vec::new());
        let mut bench = Bench { block, now: Time::ZERO, clocks, effects, warnings, stall: 0 };
        bench.with(|block, cx| block.reset(cx, true));
        bench.effects.clear();
        bench
    }

    /// Cycles so far.
    pub fn cycle(&self) -> u64 {
        self.clocks.cycle_until(self.now)
    }

    /// Calls the block once.
    pub fn with<T>(&mut self, call: impl FnOnce(&mut P, &mut Context<'_>) -> T) -> T {
        let mut out = Effects::default();
        let cycle = self.cycle();
        let mut cx = Context { now: self.now, cycle, clocks: &self.clocks, out: &mut out };
        let value = call(&mut self.block, &mut cx);
        self.stall = out.stall;
        self.warnings.extend(out.warning);
        self.effects.extend(out.queue.into_iter().map(|effect| (self.now, effect)));
        value
    }

    /// Reads a register. Takes no time.
    pub fn read(&mut self, register: u8) -> u8 {
        self.with(|block, cx| block.read(cx, register))
    }

    /// Writes a register. Takes no time.
    pub fn write(&mut self, register: u8, value: u8) {
        self.with(|block, cx| block.write(cx, register, value));
    }

    /// Until when the block says that a register stays the same.
    pub fn holds(&mut self, register: u8) -> Holds {
        self.with(|block, cx| block.holds(cx, register))
    }

    /// Hands the block something on a pin.
    pub fn input(&mut self, signal: Signal, input: PadInput) {
        self.with(|block, cx| block.input(cx, signal, input));
    }

    /// When the block is due.
    pub fn due(&self) -> Time {
        match self.block.due(&self.clocks) {
            Due::Never => Time::NEVER,
            Due::Cycle(cycle) => self.clocks.time(cycle),
            Due::Time(time) => time,
        }
    }

    /// Lets time pass until `until`, serving what is due.
    pub fn run_until(&mut self, until: Time) {
        while self.due() <= until {
            self.now = self.now.max(self.due());
            self.with(|block, cx| block.fire(cx));
        }
        self.now = self.now.max(until);
    }

    /// Lets `span` pass.
    pub fn run_for(&mut self, span: Time) {
        self.run_until(self.now + span);
    }

    /// Lets cycles pass.
    pub fn run_cycles(&mut self, cycles: u64) {
        self.run_for(CYCLE * cycles);
    }

    /// The processor falls asleep.
    pub fn sleep(&mut self, mode: Mode) {
        let cycle = self.cycle();
        self.clocks.mode = mode;
        if !mode.io_runs() {
            self.clocks.stop(cycle);
        }
        self.with(|block, cx| block.clocks_changed(cx));
    }

    /// It wakes up.
    pub fn wake(&mut self) {
        let cycle = self.cycle();
        self.clocks.mode = Mode::Active;
        if !self.clocks.io_runs() {
            self.clocks.start(self.now, cycle, FACTORY_OSCCAL, 1);
        }
        self.with(|block, cx| block.clocks_changed(cx));
    }

    /// When an interrupt request rises, if it does so by `until`.
    pub fn rises_by(&mut self, until: Time) -> Option<Time> {
        while self.block.lines() == 0 {
            let due = self.due();
            if due > until {
                return None;
            }
            self.run_until(due);
        }
        Some(self.now)
    }

    /// The block's effects since the last call, without their times.
    pub fn take(&mut self) -> Vec<Effect> {
        self.effects.drain(..).map(|(_, effect)| effect).collect()
    }

    /// The block's warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<WarningKind> {
        std::mem::take(&mut self.warnings)
    }
}
