// SPDX-License-Identifier: MIT OR Apache-2.0
//! A bench for blocks in tests: clocks to set, a memory, and the chip's duties (stalled accesses
//! are repeated, what is due is served).

use crate::clock::Clock;
use crate::samr21::peripheral::{
    Clocks, Context, Effect, Effects, PadInput, Peripheral, ResetKind, Signal,
};
use crate::{Time, WarningKind};
use lichen_isa::Width;
use lichen_isa::armv6m::Memory;
use std::collections::BTreeMap;

/// The clocks of the bench.
pub(crate) struct BenchClocks {
    /// Generic clocks that run, by channel.
    pub generic: BTreeMap<u8, Clock>,
    /// The clock of processor and buses.
    pub main: Clock,
    /// Whether the buses are clocked.
    pub awake: bool,
}

impl Clocks for BenchClocks {
    fn generic(&self, channel: u8) -> Option<Clock> {
        self.generic.get(&channel).copied()
    }
    fn bus(&self, _bridge: u8) -> Clock {
        self.main
    }
    fn bus_runs(&self, _bridge: u8) -> bool {
        self.awake
    }
    fn ahb_runs(&self) -> bool {
        self.awake
    }
    fn processor(&self) -> Clock {
        self.main
    }
}

/// A block on its bench.
pub(crate) struct Bench<P> {
    pub block: P,
    pub now: Time,
    pub clocks: BenchClocks,
    pub memory: Memory,
    /// The block's effects, with their times.
    pub effects: Vec<(Time, Effect)>,
    /// The block's warnings.
    pub warnings: Vec<WarningKind>,
}

impl<P: Peripheral> Bench<P> {
    /// The block after power-up, with buses at 8 MHz and no generic clock.
    pub fn new(block: P) -> Bench<P> {
        let main = Clock::new(Time::ZERO, 8_000_000);
        let clocks = BenchClocks { generic: BTreeMap::new(), main, awake: true };
        let memory = Memory::new(0x1000, 0x1000);
        let (effects, warnings) = (Vec::new(), Vec::new());
        let mut bench = Bench { block, now: Time::ZERO, clocks, memory, effects, warnings };
        bench.with(|block, cx| block.reset(cx, ResetKind::Power));
        bench.effects.clear();
        bench
    }

    /// Starts a generic clock of `hz` whose edge 0 is now.
    pub fn clock(&mut self, channel: u8, hz: u64) {
        self.clocks.generic.insert(channel, Clock::new(self.now, hz));
        self.with(|block, cx| block.clocks_changed(cx));
    }

    /// Stops a generic clock.
    pub fn stop_clock(&mut self, channel: u8) {
        self.clocks.generic.remove(&channel);
        self.with(|block, cx| block.clocks_changed(cx));
    }

    /// Calls the block once; the time until which it stalls, if it does.
    pub fn with<T>(&mut self, call: impl FnOnce(&mut P, &mut Context<'_>) -> T) -> T {
        self.call(call).0
    }

    fn call<T>(&mut self, call: impl FnOnce(&mut P, &mut Context<'_>) -> T) -> (T, Option<Time>) {
        let mut out = Effects::default();
        let mut cx = Context {
            now: self.now,
            clocks: &self.clocks,
            memory: &mut self.memory,
            out: &mut out,
        };
        let value = call(&mut self.block, &mut cx);
        self.warnings.extend(out.warning);
        self.effects.extend(out.queue.into_iter().map(|effect| (self.now, effect)));
        (value, out.stall_until)
    }

    /// Reads, waiting as long as the block holds the bus.
    pub fn read(&mut self, offset: u32, width: Width) -> u32 {
        loop {
            match self.call(|block, cx| block.read(cx, offset, width)) {
                (value, None) => return value,
                (_, Some(until)) => self.run_until(until),
            }
        }
    }

    /// Writes, waiting as long as the block holds the bus.
    pub fn write(&mut self, offset: u32, width: Width, value: u32) {
        while let ((), Some(until)) = self.call(|block, cx| block.write(cx, offset, width, value)) {
            self.run_until(until);
        }
    }

    /// Reads 8 bits.
    pub fn read8(&mut self, offset: u32) -> u32 {
        self.read(offset, Width::Byte)
    }

    /// Reads 16 bits.
    pub fn read16(&mut self, offset: u32) -> u32 {
        self.read(offset, Width::Half)
    }

    /// Reads 32 bits.
    pub fn read32(&mut self, offset: u32) -> u32 {
        self.read(offset, Width::Word)
    }

    /// Writes 8 bits.
    pub fn write8(&mut self, offset: u32, value: u32) {
        self.write(offset, Width::Byte, value);
    }

    /// Writes 16 bits.
    pub fn write16(&mut self, offset: u32, value: u32) {
        self.write(offset, Width::Half, value);
    }

    /// Writes 32 bits.
    pub fn write32(&mut self, offset: u32, value: u32) {
        self.write(offset, Width::Word, value);
    }

    /// Lets time pass until `until`, serving what is due.
    pub fn run_until(&mut self, until: Time) {
        assert_ne!(until, Time::NEVER, "the block hangs");
        while self.block.due() <= until {
            self.now = self.now.max(self.block.due());
            self.with(|block, cx| block.fire(cx));
        }
        self.now = self.now.max(until);
    }

    /// Lets `span` pass.
    pub fn run_for(&mut self, span: Time) {
        self.run_until(self.now + span);
    }

    /// Hands the block something on a pad.
    pub fn pad(&mut self, signal: Signal, input: PadInput) {
        self.with(|block, cx| block.pad_input(cx, signal, input));
    }

    /// The block's effects since the last call, without their times.
    pub fn take(&mut self) -> Vec<Effect> {
        self.effects.drain(..).map(|(_, effect)| effect).collect()
    }

    /// When the interrupt line rises, if it does so by `until`.
    pub fn rises_by(&mut self, until: Time) -> Option<Time> {
        while !self.block.irq() {
            let due = self.block.due();
            if due > until {
                return None;
            }
            self.run_until(due);
        }
        Some(self.now)
    }
}
