// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything on the chip except core and memories, on one time line: blocks are served in the
//! order of time, then of their number, and their effects on each other are applied in between.

use super::activity::Watch;
use super::blocks::Blocks;
use super::clocks::Clocks;
use super::fuses::Meaning;
use super::map::{ALL, BLOCKS, Block, vectors};
use super::peripheral::{Context, Due, Effect, Effects, ResetCause};
use super::pins::{ALTERNATES, Signal, pin_of};
use super::port::has_pin;
use super::sleep::Mode;
use crate::dues::set_bits;
use crate::noise::Noise;
use crate::{Config, Fuses, Input, Output, Stamped, SupplyLimits, Time, Warning, WarningKind};
use lichen_isa::avr8::{DATA_BASE, Memory};
use lichen_isa::{Cycle, Origin, Width};
use std::collections::BTreeSet;

/// Linear address of the fuses.
const FUSES: u32 = 0x82_0000;

/// The system on the chip.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Soc {
    pub blocks: Blocks,
    pub clocks: Clocks,
    config: Config,
    pub(super) out: Effects,
    /// When each block is due, as a cycle and as a time, and the earliest of either.
    due_cycles: [u64; BLOCKS],
    due_times: [Time; BLOCKS],
    next_cycle: u64,
    next_time: Time,
    /// The blocks that are due at some time or cycle, one bit each.
    #[borsh(skip)]
    pending: u64,
    #[borsh(skip)]
    horizon: Cycle,
    pub(super) lines: u64,
    /// Cycle that the core has reached while the chip, not the core, is working.
    present: u64,
    /// When each request rose last: for observers.
    #[borsh(skip)]
    risen: Vec<Time>,
    /// Not part of a saved state: they are taken before saving.
    #[borsh(skip)]
    outputs: Vec<Stamped<Output>>,
    /// Present if the components' states are watched.
    #[borsh(skip)]
    pub(super) watch: Option<Box<Watch>>,
    /// Place, kind and name of the block.
    warned: BTreeSet<(u32, WarningKind, String)>,
    /// What differs from one power-up to the next.
    noise: Noise,
    /// Where erased flash was executed last.
    erased: Option<u32>,
    /// While a part of flash cannot be read, the cycle before which the core executes another instruction.
    #[borsh(skip)]
    pub(super) single: Option<u64>,
    /// The last instruction could not be read.
    #[borsh(skip)]
    pub(super) fetches_blocked: bool,
    /// A requested reset.
    reset: Option<ResetCause>,
    /// The brown-out detector holds the chip in reset.
    pub(super) is_low: bool,
    /// The vectors are in the boot section now, or not any more; the core does not know yet.
    vectors: Option<bool>,
    /// SRAM at the addresses of extended I/O, in compatibility with the ATmega103.
    pub(super) low_ram: Vec<u8>,
}

impl Soc {
    /// The system on a board described by `config`, not powered.
    pub fn new(config: &Config) -> Soc {
        let fuses = config.fuses.unwrap_or(super::fuses::FACTORY);
        Soc {
            blocks: Blocks::new(fuses),
            clocks: Clocks::new(config, fuses),
            config: config.clone(),
            out: Effects::default(),
            due_cycles: [u64::MAX; BLOCKS],
            due_times: [Time::NEVER; BLOCKS],
            next_cycle: u64::MAX,
            next_time: Time::NEVER,
            pending: 0,
            horizon: Cycle(0),
            lines: 0,
            present: 0,
            risen: Vec::new(),
            outputs: Vec::new(),
            watch: None,
            warned: BTreeSet::new(),
            noise: Noise::new(config.noise),
            erased: None,
            single: None,
            fetches_blocked: false,
            reset: None,
            is_low: false,
            vectors: None,
            low_ram: vec![0; 0xA0],
        }
    }

    /// Fuses and lock bits.
    pub fn fuses(&self) -> Fuses {
        self.blocks.boot.fuses()
    }

    /// Takes other ones, which the next reset uses.
    pub fn set_fuses(&mut self, fuses: Fuses) {
        self.blocks.set_fuses(fuses);
        self.clocks.set_fuses(&self.config, fuses);
    }

    /// The core makes an access at `cycle`.
    pub(super) fn set_present(&mut self, cycle: u64) {
        self.present = cycle;
    }

    /// Cycle of the latest access of the core.
    pub(super) fn present(&self) -> u64 {
        self.present
    }

    /// Calls blocks at an edge of the I/O clock, whose time is `now`.
    pub(super) fn with<T>(
        &mut self,
        now: Time,
        cycle: u64,
        call: impl FnOnce(&mut Blocks, &mut Context<'_>) -> T,
    ) -> T {
        let mut cx = Context { now, cycle, clocks: &self.clocks, out: &mut self.out };
        call(&mut self.blocks, &mut cx)
    }

    /// When a block is next due.
    pub fn next_due(&self) -> Time {
        self.clocks.time(self.next_cycle).min(self.next_time)
    }

    /// The cycle at which the core must let the chip work; it lies in the past if the chip has
    /// something to do or to report at once.
    pub fn horizon(&self) -> Cycle {
        self.horizon
    }

    /// Updates a block's requests and due time after it was served at `now`.
    pub(super) fn refresh(&mut self, now: Time, block: Block) {
        let index = block as usize;
        let served = self.blocks.get(block);
        let (cycle, time) = match served.due(&self.clocks) {
            Due::Never => (u64::MAX, Time::NEVER),
            Due::Cycle(cycle) => (cycle, Time::NEVER),
            Due::Time(time) => (u64::MAX, time),
        };
        let lines = self.lines & !vectors(block) | served.lines();
        if lines & !self.lines != 0 {
            self.note_risen(now, lines & !self.lines);
        }
        self.lines = lines;
        if self.due_cycles[index] != cycle || self.due_times[index] != time {
            self.due_cycles[index] = cycle;
            self.due_times[index] = time;
            let is_pending = (cycle, time) != (u64::MAX, Time::NEVER);
            self.pending = self.pending & !(1 << index) | u64::from(is_pending) << index;
            self.schedule();
        }
        if self.watch.is_some() {
            self.note(now, block);
        }
    }

    fn note_risen(&mut self, now: Time, lines: u64) {
        self.risen.resize(64, Time::ZERO);
        for (line, risen) in self.risen.iter_mut().enumerate() {
            if lines >> line & 1 != 0 {
                *risen = now;
            }
        }
    }

    fn schedule(&mut self) {
        (self.next_cycle, self.next_time) = (u64::MAX, Time::NEVER);
        for index in set_bits(self.pending) {
            self.next_cycle = self.next_cycle.min(self.due_cycles[index]);
            self.next_time = self.next_time.min(self.due_times[index]);
        }
        debug_assert_eq!(Some(self.next_cycle), self.due_cycles.iter().copied().min());
        debug_assert_eq!(Some(self.next_time), self.due_times.iter().copied().min());
        self.update_horizon();
    }

    /// Finds what is not part of a saved state.
    pub(super) fn restored(&mut self) {
        self.pending = 0;
        for (index, due) in self.due_cycles.iter().zip(&self.due_times).enumerate() {
            self.pending |= u64::from(due != (&u64::MAX, &Time::NEVER)) << index;
        }
        self.update_horizon();
    }

    pub(super) fn update_horizon(&mut self) {
        let attention = self.reset.is_some() || !self.outputs.is_empty() || self.vectors.is_some();
        let cycle = match self.next_time {
            _ if attention => 0,
            Time::NEVER => self.next_cycle,
            time => self.next_cycle.min(self.clocks.cycle_at_or_after(time)),
        };
        let single = if self.blocks.boot.blocks() { self.single.unwrap_or(0) } else { u64::MAX };
        let cycle = cycle.min(single);
        self.horizon = Cycle(cycle);
    }

    /// The interrupt requests that the core sees: none while the vectors move.
    pub fn requests(&self) -> u64 {
        if self.blocks.mcu.moves_vectors() { 0 } else { self.lines }
    }

    /// Serves every block that is due by `until`. The core has reached `present` and waits.
    pub fn serve(&mut self, until: Time, present: u64) {
        self.present = present;
        while self.reset.is_none() {
            let by_cycle = self.clocks.time(self.next_cycle);
            let now = by_cycle.min(self.next_time);
            if now > until || now == Time::NEVER {
                break;
            }
            let is_due = |index: &usize| {
                by_cycle == now && self.due_cycles[*index] == self.next_cycle
                    || self.due_times[*index] == now
            };
            let Some(index) = set_bits(self.pending).find(is_due) else { break };
            let cycle = if by_cycle == now && self.due_cycles[index] == self.next_cycle {
                self.next_cycle
            } else {
                self.clocks.cycle_until(now)
            };
            self.with(now, cycle, |blocks, cx| blocks.get(ALL[index]).fire(cx));
            self.refresh(now, ALL[index]);
            self.settle(now, cycle);
        }
        self.update_horizon();
    }

    /// Applies the effects of blocks, until nothing is left.
    pub(super) fn settle(&mut self, now: Time, cycle: u64) {
        while let Some(effect) = self.out.queue.pop_front() {
            self.hand_on(now, cycle, effect);
        }
    }

    fn hand_on(&mut self, now: Time, cycle: u64, effect: Effect) {
        match effect {
            Effect::Override(signal, drive) => {
                self.with(now, cycle, |blocks, cx| blocks.port.override_pin(cx, signal, drive));
                self.refresh(now, Block::Port);
            }
            Effect::Frame(signal, frame) => {
                self.output(now, Output::Frame { pin: pin_of(signal), frame });
            }
            Effect::Transfer(signal, _) if !self.blocks.port.carries(signal) => {}
            Effect::Transfer(signal, transfer) => {
                self.output(now, Output::Transfer { pin: pin_of(signal), transfer });
            }
            Effect::TakesWords(signal, takes) => {
                self.output(now, Output::TakesWords { pin: pin_of(signal), takes });
            }
            Effect::SampleSupply => self.output(now, Output::SampleSupply),
            Effect::Sample(signal) => self.output(now, Output::Sample { pin: pin_of(signal) }),
            Effect::Pin(pin, level) => self.output(now, Output::Pin { pin, level }),
            Effect::Input(signal, input) => {
                if let Some(block) = receiver(signal) {
                    self.with(now, cycle, |blocks, cx| blocks.get(block).input(cx, signal, input));
                    self.refresh(now, block);
                }
            }
            Effect::Capture(level) => {
                self.with(now, cycle, |blocks, cx| blocks.timer1.connect_comparator(cx, level));
                self.refresh(now, Block::Timer1);
            }
            Effect::Clocks => self.change_frequency(now, cycle),
            Effect::Vectors(boot) => {
                self.vectors = Some(boot);
                self.update_horizon();
            }
            Effect::Reset(cause) => self.request_reset(cause),
        }
    }

    /// XDIV or OSCCAL is another one.
    fn change_frequency(&mut self, now: Time, cycle: u64) {
        if self.clocks.io_runs() {
            let (osccal, divisor) = (self.blocks.mcu.osccal(), self.blocks.mcu.divisor());
            self.clocks.change(now, cycle, osccal, divisor);
            self.tell_clocks(now, cycle);
        }
    }

    /// Tells all blocks of the clocks as they are now.
    fn tell_clocks(&mut self, now: Time, cycle: u64) {
        for block in ALL {
            self.with(now, cycle, |blocks, cx| blocks.get(block).clocks_changed(cx));
            self.refresh(now, block);
        }
        self.schedule();
        self.note_processor(now);
    }

    /// The processor falls asleep, wakes up, or begins after a reset.
    pub fn set_mode(&mut self, now: Time, cycle: u64, mode: Mode) {
        self.present = cycle;
        self.clocks.mode = mode;
        if !mode.io_runs() {
            self.clocks.stop(cycle);
        } else if !self.clocks.io_runs() {
            let (osccal, divisor) = (self.blocks.mcu.osccal(), self.blocks.mcu.divisor());
            self.clocks.start(now, cycle, osccal, divisor);
        }
        self.tell_clocks(now, cycle);
        self.settle(now, cycle);
        self.update_horizon();
    }

    /// What the supply must be (data sheet, "Reset Characteristics", typical values).
    pub fn supply_limits(&self) -> SupplyLimits {
        let fuses = self.fuses();
        let level = if fuses.brown_out_high() { 4_000_000 } else { 2_600_000 };
        let brown_out = fuses.brown_out().then_some((level - 50_000, level + 50_000));
        SupplyLimits { off_below: 1_300_000, on_from: 1_400_000, brown_out }
    }

    /// The supply, from now on. A brown-out requests a reset.
    fn set_supply(&mut self, now: Time, microvolts: u32) {
        self.blocks.adc.set_supply(microvolts);
        self.refresh(now, Block::Adc);
        let is_low = self
            .supply_limits()
            .brown_out
            .is_some_and(|(below, from)| microvolts < if self.is_low { from } else { below });
        if is_low && !std::mem::replace(&mut self.is_low, is_low) {
            self.request_reset(ResetCause::BrownOut);
        }
        self.is_low = is_low;
    }

    /// Applies an input from outside.
    pub fn outside(&mut self, now: Time, input: Input, present: u64) {
        if input.pin().is_some_and(|pin| !has_pin(pin)) {
            return;
        }
        self.present = present;
        if let Input::Supply { microvolts } = input {
            return self.set_supply(now, microvolts);
        }
        let cycle = self.clocks.cycle_until(now);
        self.with(now, cycle, |blocks, cx| blocks.port.outside(cx, input));
        self.refresh(now, Block::Port);
        self.settle(now, cycle);
        self.update_horizon();
    }

    /// The supply returns at `now`: memory holds what it happens to hold, and slow oscillators have other phases.
    pub fn power_up(&mut self, memory: &mut Memory, now: Time) {
        self.noise.power_up();
        if let Some(contents) = self.noise.memory(memory.sram().len()) {
            memory.fill_sram(&contents);
        }
        self.blocks.adc.set_noise(self.noise);
        self.clocks.power_up(self.noise, now);
    }

    /// Resets every block, and lets none of them do anything until the next reset.
    pub fn power_off(&mut self, now: Time, present: u64) {
        self.reset_blocks(now, present, true);
        self.due_cycles = [u64::MAX; BLOCKS];
        self.due_times = [Time::NEVER; BLOCKS];
        self.pending = 0;
        self.schedule();
    }

    /// Resets every block, for this reason.
    pub fn reset(&mut self, now: Time, cause: ResetCause, present: u64) {
        self.reset_blocks(now, present, cause == ResetCause::PowerOn);
        self.blocks.mcu.set_cause(cause);
        self.output(now, Output::Reset { cause: cause.name() });
    }

    fn reset_blocks(&mut self, now: Time, present: u64, power: bool) {
        self.present = present;
        self.reset = None;
        self.vectors = None;
        self.out.queue.clear();
        self.clocks.stop(present);
        self.clocks.mode = Mode::Active;
        for block in ALL {
            self.with(now, present, |blocks, cx| blocks.get(block).reset(cx, power));
            self.refresh(now, block);
        }
        self.settle(now, present);
    }

    /// Requests a reset after the present access.
    pub fn request_reset(&mut self, cause: ResetCause) {
        self.reset.get_or_insert(cause);
        self.update_horizon();
    }

    /// The requested reset.
    pub fn take_reset(&mut self) -> Option<ResetCause> {
        self.reset.take()
    }

    /// Where the vectors have moved: to the boot section, or back.
    pub fn take_vectors(&mut self) -> Option<bool> {
        let vectors = self.vectors.take();
        if vectors.is_some() {
            self.update_horizon();
        }
        vectors
    }

    /// Reports something to the world.
    pub fn output(&mut self, now: Time, what: Output) {
        // A block may act in the middle of an instruction: the core's cycle is a later one.
        let cycle = Cycle(self.clocks.cycle_until(now));
        self.outputs.push(Stamped { time: now, cycle, what });
        self.update_horizon();
    }

    /// When the request of a vector rose last.
    pub fn risen(&self, vector: u32) -> Option<Time> {
        self.risen.get(vector as usize).copied()
    }

    /// Whether there are reports that have not been taken.
    pub fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// Returns the reports.
    pub fn take_outputs(&mut self, into: &mut Vec<Stamped<Output>>) {
        if self.has_outputs() {
            into.append(&mut self.outputs);
            self.update_horizon();
        }
    }

    /// Reports something wrong, once for each place, kind and block.
    pub(super) fn warn(&mut self, now: Time, warning: Warning) {
        let Warning { pc, kind, block, .. } = warning;
        if self.warned.insert((pc, kind, block.to_string())) {
            self.output(now, Output::Warning(warning));
        }
    }

    /// Reports execution of erased flash, once for a stretch of it: it goes on from word to word, or skips one.
    pub(super) fn warn_of_erased(&mut self, now: Time, pc: u32) {
        let last = self.erased.replace(pc);
        if last.is_some_and(|last| pc == last + 2 || pc == last + 4) {
            return;
        }
        let (kind, block) = (WarningKind::Erased, "");
        self.warn(now, Warning { pc, address: pc, width: Width::Half, written: None, block, kind });
    }

    /// Reports the first time that the stack is where no RAM is: from then on nothing is as it was.
    pub(super) fn warn_of_stack(&mut self, now: Time, access: &Access) {
        let kind = WarningKind::Stack;
        if self.warned.insert((0, kind, String::new())) {
            let Access { pc, address, written } = *access;
            let (width, written, block) = (Width::Byte, written.map(u32::from), "");
            self.output(now, Output::Warning(Warning { pc, address, width, written, block, kind }));
        }
    }

    /// Reports an access through a pointer to nothing, once for the instructions that access what is wider than a
    /// byte: each follows the one before.
    pub(super) fn warn_of_null(
        &mut self,
        origin: Origin,
        address: u16,
        written: Option<u32>,
        kind: WarningKind,
    ) {
        let pc = origin.pc;
        let is_reported = |pc: u32| self.warned.contains(&(pc, kind, String::new()));
        if [2, 4].into_iter().any(|bytes| pc.checked_sub(bytes).is_some_and(is_reported)) {
            self.warned.insert((pc, kind, String::new()));
            return;
        }
        let now = self.clocks.time(origin.cycle.0);
        let (address, width, block) = (DATA_BASE + u32::from(address), Width::Byte, "");
        self.warn(now, Warning { pc, address, width, written, block, kind });
    }

    /// Reports that the fuses select a clock that the board does not have.
    pub(super) fn warn_of_no_clock(&mut self, now: Time) {
        let (kind, block) = (WarningKind::CoreUnclocked, "CKSEL");
        let (pc, width, written) = (0, Width::Byte, None);
        self.warn(now, Warning { pc, address: FUSES, width, written, block, kind });
    }

    /// Reports a wrong access of a byte of the data space.
    pub(super) fn warn_of(
        &mut self,
        now: Time,
        access: &Access,
        block: &'static str,
        kind: WarningKind,
    ) {
        let Access { pc, address, written } = *access;
        let written = written.map(u32::from);
        self.warn(now, Warning { pc, address, width: Width::Byte, written, block, kind });
    }
}

/// One access of the core to the data space.
pub(super) struct Access {
    pub pc: u32,
    /// Linear address.
    pub address: u32,
    /// Value written, or `None` for a read.
    pub written: Option<u8>,
}

/// The block that takes what arrives on a signal's pin.
fn receiver(signal: Signal) -> Option<Block> {
    ALTERNATES.iter().find(|alternate| alternate.signal == signal)?.receiver
}
