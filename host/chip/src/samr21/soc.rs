// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything on the chip except core and memories, on one time line: blocks are served in the
//! order of time, then of their index, and their effects on each other are applied in between.

use super::activity::Watch;
use super::blocks::{Blocks, owner};
use super::clocks::{Makers, Power, Tree};
use super::map::{self, BLOCKS, Block, ENTRIES};
use super::part::Part;
use crate::clock::Clock;
use crate::dues::Dues;
use crate::noise::Noise;
use crate::samr21::peripheral::{Clocks, Context, Effect, Effects, ResetCause, ResetKind};
use crate::timeline::Timeline;
use crate::{Config, Input, Output, PinId, Stamped, Time, Warning, WarningKind};
use lichen_isa::armv6m::Memory;
use lichen_isa::{Cycle, Width};
use std::collections::BTreeSet;

/// Frequency that replaces the processor's clock before there is one.
const NO_CLOCK_HZ: u64 = 1_000_000;

/// The system on the chip.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Soc {
    pub blocks: Blocks,
    pub tree: Tree,
    pub timeline: Timeline,
    pub(super) out: Effects,
    /// When each block is due.
    dues: Dues<BLOCKS>,
    #[borsh(skip)]
    horizon: Cycle,
    pub(super) lines: u32,
    pub(super) nmi: bool,
    /// Time of the latest call of a block, and when each request line last rose: for observers.
    #[borsh(skip)]
    pub(super) called: Time,
    #[borsh(skip)]
    risen: [Time; 32],
    /// Cycle that the core has reached while the chip, not the core, is working.
    present: Cycle,
    pub(super) power: Power,
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
    /// A requested reset.
    reset: Option<ResetCause>,
    /// An access never ends: a register waits for a clock that does not run.
    pub(super) hung: bool,
    /// Until when flash is busy.
    flash_busy_until: Time,
    /// Bridges whose clock is the processor's, undivided.
    pub(super) undivided: [bool; 3],
    /// Pins of the package, by port.
    pins: [u32; 3],
    /// Blocks that receive changes of clocks, one bit each: the others are as the reset has left them.
    in_use: u64,
}

/// Blocks to which clocks matter after a reset.
const ALWAYS_IN_USE: u64 = 1 << Block::Pm as u64
    | 1 << Block::Sysctrl as u64
    | 1 << Block::Gclk as u64
    | 1 << Block::Wdt as u64
    | 1 << Block::Rtc as u64
    | 1 << Block::Eic as u64;

impl Soc {
    /// The system of a part on a board described by `config`, not powered.
    pub fn new(part: &Part, config: &Config) -> Soc {
        let clock = Clock::new(Time::ZERO, NO_CLOCK_HZ);
        Soc {
            blocks: Blocks::new(part, config),
            tree: Tree::new(),
            timeline: Timeline::starting(clock, Cycle(0), Time::ZERO),
            out: Effects::default(),
            dues: Dues::new(),
            horizon: Cycle(0),
            lines: 0,
            nmi: false,
            called: Time::ZERO,
            risen: [Time::ZERO; 32],
            present: Cycle(0),
            power: Power::Active,
            outputs: Vec::new(),
            watch: None,
            warned: BTreeSet::new(),
            noise: Noise::new(config.noise),
            reset: None,
            hung: false,
            flash_busy_until: Time::ZERO,
            undivided: [true; 3],
            pins: part.pins,
            in_use: ALWAYS_IN_USE,
        }
    }

    /// The core makes an access at `cycle`.
    pub(super) fn set_present(&mut self, cycle: Cycle) {
        self.present = cycle;
    }

    /// Cycle of the latest access of the core.
    pub(super) fn present(&self) -> Cycle {
        self.present
    }

    /// Calls blocks with a context of `now`.
    pub(super) fn with<T>(
        &mut self,
        memory: &mut Memory,
        now: Time,
        call: impl FnOnce(&mut Blocks, &mut Context<'_>) -> T,
    ) -> T {
        self.called = now;
        let mut cx = Context { now, clocks: &self.tree, memory, out: &mut self.out };
        call(&mut self.blocks, &mut cx)
    }

    /// A block is about to be used. It now receives the changes of clocks since the reset.
    pub(super) fn use_block(&mut self, memory: &mut Memory, now: Time, index: usize) {
        if self.in_use >> index & 1 == 0 {
            self.in_use |= 1 << index;
            self.with(memory, now, |blocks, cx| blocks.get(index).clocks_changed(cx));
        }
    }

    /// When a block is next due.
    pub fn next_due(&self) -> Time {
        self.dues.first()
    }

    /// The cycle at which the core must let the chip work; it lies in the past if the chip has
    /// something to do or to report at once.
    pub fn horizon(&self) -> Cycle {
        debug_assert_eq!(self.horizon, self.found_horizon(), "the horizon is another one");
        self.horizon
    }

    /// Updates a block's interrupt line and due time after it was served.
    pub(super) fn refresh(&mut self, index: usize) {
        let (due, requests) = self.blocks.due_and_irq(index);
        if let Some(irq) = ENTRIES[index].irq {
            let bit = 1 << irq;
            let lines = if requests { self.lines | bit } else { self.lines & !bit };
            if lines & !self.lines != 0 {
                self.risen[usize::from(irq)] = self.called;
            }
            self.lines = lines;
        }
        if index == Block::Eic as usize {
            self.nmi = self.blocks.get(index).nmi();
        }
        if self.dues.set(index, due) {
            self.update_horizon();
        }
        if self.watch.is_some() {
            self.note(self.called, index);
        }
    }

    pub(super) fn update_horizon(&mut self) {
        self.horizon = self.found_horizon();
    }

    fn found_horizon(&self) -> Cycle {
        let attention =
            self.hung || self.reset.is_some() || !self.outputs.is_empty() || !self.tree.main_runs();
        if attention { Cycle(0) } else { self.timeline.cycle_at_or_after(self.next_due()) }
    }

    /// Serves every block that is due by `until`. The core has reached `present` and waits.
    pub fn serve(&mut self, memory: &mut Memory, until: Time, present: Cycle) {
        self.present = present;
        while self.next_due() <= until && self.reset.is_none() {
            let now = self.next_due();
            if now == Time::NEVER {
                break;
            }
            let index = self.dues.first_index();
            self.with(memory, now, |blocks, cx| blocks.get(index).fire(cx));
            self.refresh(index);
            self.settle(memory, now);
        }
    }

    /// Applies the effects of blocks, until nothing is left.
    pub(super) fn settle(&mut self, memory: &mut Memory, now: Time) {
        while let Some(effect) = self.out.queue.pop_front() {
            self.hand_on(memory, now, effect);
        }
    }

    fn hand_on(&mut self, memory: &mut Memory, now: Time, effect: Effect) {
        match effect {
            Effect::Pad(signal, output) => {
                self.with(memory, now, |blocks, cx| blocks.port.drive(cx, signal, output));
                self.refresh(Block::Port as usize);
            }
            Effect::Pin(pin, level) => self.pin_output(now, pin, Output::Pin { pin, level }),
            Effect::PinFrame(pin, frame) => {
                self.pin_output(now, pin, Output::Frame { pin, frame });
            }
            Effect::PinTransfer(pin, transfer) => {
                self.pin_output(now, pin, Output::Transfer { pin, transfer });
            }
            Effect::PinSample(pin) => self.pin_output(now, pin, Output::Sample { pin }),
            Effect::SampleSupply => self.output(now, Output::SampleSupply),
            Effect::Input(signal, input) => {
                if let Some(block) = owner(signal) {
                    let index = block as usize;
                    self.use_block(memory, now, index);
                    self.with(memory, now, |blocks, cx| {
                        blocks.get(index).pad_input(cx, signal, input)
                    });
                    self.refresh(index);
                }
            }
            Effect::Event(generator) => {
                self.with(memory, now, |blocks, cx| blocks.evsys.generate(cx, generator));
                self.refresh(Block::Evsys as usize);
            }
            Effect::User(user) => {
                if let Some(block) = map::event_user(user) {
                    let index = block as usize;
                    self.use_block(memory, now, index);
                    self.with(memory, now, |blocks, cx| blocks.get(index).event(cx, user));
                    self.refresh(index);
                }
            }
            Effect::Trigger { source, active } => {
                self.with(memory, now, |blocks, cx| blocks.dmac.trigger(cx, source, active));
                self.refresh(Block::Dmac as usize);
            }
            Effect::Beat(beat) => self.beat(memory, now, beat),
            Effect::Clocks => {
                if !self.out.queue.contains(&Effect::Clocks) {
                    self.update_clocks(memory, now, false);
                }
            }
            Effect::FlashBusy(until) => {
                self.flash_busy_until = until;
                memory.set_flash_busy_until(self.timeline.cycle_at_or_after(until));
            }
            Effect::Reset(cause) => self.request_reset(cause),
        }
    }

    /// Recomputes the clock tree and reports changes to all blocks.
    fn update_clocks(&mut self, memory: &mut Memory, now: Time, waking: bool) {
        let before = self.tree.clone();
        let standby = self.power == Power::Standby;
        let wanted = if standby { self.blocks.wanted_channels() } else { 0 };
        let Blocks { pm, gclk, sysctrl, .. } = &mut self.blocks;
        let mut makers = Makers { pm, gclk, sysctrl, wanted };
        self.tree.update(now, self.power, waking, &mut makers);
        self.called = now;
        self.refresh(Block::Sysctrl as usize);
        if self.tree != before {
            let restarted = self.tree.main_runs() && !before.main_runs();
            if restarted || self.tree.processor() != before.processor() {
                self.change_processor_clock(memory, now, restarted);
            }
            let processor = self.tree.processor();
            self.undivided = [0, 1, 2].map(|bridge| self.tree.bus(bridge) == processor);
            let mut reported = self.in_use;
            while reported != 0 {
                let index = reported.trailing_zeros() as usize;
                reported &= reported - 1;
                self.with(memory, now, |blocks, cx| blocks.get(index).clocks_changed(cx));
                self.refresh(index);
            }
            self.note_processor(now);
        }
        self.update_horizon();
    }

    /// The processor's clock has changed: its next edge is the first edge of the new clock after
    /// the present edge. After a standstill the present edge itself is one of the new clock.
    fn change_processor_clock(&mut self, memory: &mut Memory, now: Time, restarted: bool) {
        let clock = self.tree.processor();
        self.timeline = if restarted {
            Timeline::starting(clock, self.present, now)
        } else {
            let present = self.present.max(self.timeline.cycle_until(now));
            let after = self.timeline.time(present).max(now) + Time::UNIT;
            Timeline::starting(clock, present + 1, after)
        };
        memory.set_flash_busy_until(self.timeline.cycle_at_or_after(self.flash_busy_until));
    }

    /// Switches the chip's clocks to another mode. `waking` as in [`Tree::update`].
    pub fn set_power(
        &mut self,
        memory: &mut Memory,
        now: Time,
        power: Power,
        waking: bool,
        present: Cycle,
    ) {
        self.present = present;
        self.power = power;
        self.update_clocks(memory, now, waking);
        let standby = power == Power::Standby;
        self.with(memory, now, |blocks, cx| blocks.sysctrl.set_standby(cx, standby));
        self.settle(memory, now);
    }

    /// Makes `present` an edge at `now`, after the processor's clock was stopped.
    pub fn resume(&mut self, memory: &mut Memory, now: Time, present: Cycle) {
        self.present = present;
        if self.tree.main_runs() {
            self.change_processor_clock(memory, now, true);
        }
        self.update_horizon();
    }

    /// Applies an input from outside. A pin that the package lacks cannot be reached.
    pub fn outside(&mut self, memory: &mut Memory, now: Time, input: Input, present: Cycle) {
        if input.pin().is_some_and(|pin| !self.has_pin(pin)) {
            return;
        }
        self.present = present;
        if let Input::Supply { microvolts } = input {
            self.blocks.adc.set_supply(microvolts);
            self.with(memory, now, |blocks, cx| blocks.sysctrl.set_supply(cx, microvolts));
            self.refresh(Block::Sysctrl as usize);
        } else {
            self.with(memory, now, |blocks, cx| blocks.port.outside(cx, input));
            self.refresh(Block::Port as usize);
        }
        self.settle(memory, now);
        self.update_horizon();
    }

    /// The supply returns: memory holds what it happens to hold, and oscillators start in other phases.
    pub fn power_up(&mut self, memory: &mut Memory) {
        self.noise.power_up();
        if let Some(contents) = self.noise.memory(memory.ram().len()) {
            memory.fill_ram(&contents);
        }
        self.blocks.adc.set_noise(self.noise);
        self.blocks.sysctrl.set_noise(self.noise);
    }

    /// Resets every block, and lets none of them do anything until the next reset.
    pub fn power_off(&mut self, memory: &mut Memory, now: Time, present: Cycle) {
        self.reset_blocks(memory, now, ResetKind::Power, present);
        self.settle(memory, now);
        self.dues = Dues::new();
        self.update_horizon();
    }

    /// Resets every block, for this reason.
    pub fn reset(&mut self, memory: &mut Memory, now: Time, cause: ResetCause, present: Cycle) {
        let power = matches!(cause, ResetCause::PowerOn | ResetCause::BrownOut);
        let kind = if power { ResetKind::Power } else { ResetKind::User };
        self.reset_blocks(memory, now, kind, present);
        self.blocks.pm.set_cause(cause);
        self.settle(memory, now);
        let cause = match cause {
            ResetCause::PowerOn => "power-on",
            ResetCause::BrownOut => "brown-out",
            ResetCause::External => "external",
            ResetCause::Watchdog => "watchdog",
            ResetCause::System => "system",
        };
        self.output(now, Output::Reset { cause });
    }

    fn reset_blocks(&mut self, memory: &mut Memory, now: Time, kind: ResetKind, present: Cycle) {
        self.present = present;
        self.power = Power::Active;
        self.hung = false;
        self.reset = None;
        self.out.queue.clear();
        self.in_use = ALWAYS_IN_USE;
        self.blocks.load_fuses();
        for index in 0..BLOCKS {
            self.with(memory, now, |blocks, cx| blocks.get(index).reset(cx, kind));
            self.refresh(index);
        }
    }

    /// Requests a reset after the present access.
    pub fn request_reset(&mut self, cause: ResetCause) {
        self.reset.get_or_insert(cause);
        self.update_horizon();
    }

    /// Whether a reset is requested.
    pub(super) fn has_reset(&self) -> bool {
        self.reset.is_some()
    }

    /// The requested reset.
    #[inline]
    pub fn take_reset(&mut self) -> Option<ResetCause> {
        let taken = self.reset?;
        self.reset = None;
        self.update_horizon();
        Some(taken)
    }

    /// Reports something to the world.
    pub fn output(&mut self, now: Time, what: Output) {
        self.outputs.push(Stamped { time: now, cycle: self.present, what });
        self.update_horizon();
    }

    /// Reports the state of a pin, if the package has it.
    fn pin_output(&mut self, now: Time, pin: PinId, what: Output) {
        if self.has_pin(pin) {
            self.output(now, what);
        }
    }

    fn has_pin(&self, pin: PinId) -> bool {
        self.pins.get(usize::from(pin.port)).is_some_and(|pins| pins >> pin.bit & 1 != 0)
    }

    /// When the request line `line` (0 to 31) rose last.
    pub fn risen(&self, line: usize) -> Option<Time> {
        self.risen.get(line).copied()
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

    /// Reports a wrong access, once for each place, kind and block; a block without bus clock is
    /// reported once.
    pub(super) fn warn(&mut self, access: &Access, block: &'static str, kind: WarningKind) {
        let place = if kind == WarningKind::BusUnclocked { 0 } else { access.pc };
        if self.warned.insert((place, kind, block.to_string())) {
            let warning = Warning {
                pc: access.pc,
                address: access.address,
                width: access.width,
                written: access.written,
                block,
                kind,
            };
            self.present = self.present.max(access.cycle);
            self.output(access.time, Output::Warning(warning));
        }
    }
}

/// One access of the core to something on the bus.
pub(super) struct Access {
    pub pc: u32,
    pub cycle: Cycle,
    pub time: Time,
    pub address: u32,
    pub width: Width,
    /// Value written, or `None` for a read.
    pub written: Option<u32>,
    /// Whether the bus was stalled, so that `time` is later than that of `cycle`.
    pub held: bool,
}
