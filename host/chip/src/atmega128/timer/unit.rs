// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counter with its compare channels (data sheet, "Output Compare Unit", "Compare Match Output Unit",
//! "Modes of Operation").
//!
//! Flags and outputs change with the clock that leaves a value, as in the data sheet's timing diagrams:
//! OCFn is set when TCNTn goes on from OCRn. Only what would change something is due: a flag that is
//! set already is not set again.

use super::counter::{Counter, Range, Slope};
use super::source::{Clocking, Source};
use crate::atmega128::peripheral::{Context, Drive};
use crate::atmega128::pins::Signal;

/// Flags, by number: bits 1 to 3 are of the channels A to C.
pub(super) const OVERFLOW: u8 = 1 << 0;
pub(super) const COMPARE: [u8; 3] = [1 << 1, 1 << 2, 1 << 3];
pub(super) const CAPTURE: u8 = 1 << 4;

/// Where the counter turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum Top {
    Fixed(u32),
    /// OCRnA.
    Compare,
    /// ICRn.
    Capture,
}

/// What the waveform outputs are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum Wave {
    /// Normal and CTC: outputs change at a match; OCRn is not buffered.
    Compare,
    /// Fast PWM: OCRn is updated at the bottom, TOVn is set at the top.
    Fast,
    /// Phase correct PWM: OCRn is updated at the top, TOVn is set at the bottom.
    Phase,
    /// Phase and frequency correct PWM: both at the bottom.
    PhaseFrequency,
}

/// A waveform generation mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Mode {
    pub wave: Wave,
    pub top: Top,
}

/// What happens to the output of a channel (COMnx1:0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum Action {
    None,
    Toggle,
    Clear,
    Set,
}

#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Channel {
    signal: Signal,
    /// The value that is compared, and the one that the processor has written.
    compare: u32,
    buffer: u32,
    action: Action,
    output: bool,
}

/// The counter and its channels.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Unit {
    pub source: Source,
    mode: Mode,
    max: u32,
    /// ICRn.
    pub capture: u32,
    /// The counter after `clocks` clocks.
    counter: Counter,
    clocks: u64,
    /// TCNTn was written: there is no match at the next clock.
    blocked: bool,
    /// There are no matches at all.
    pub disabled: bool,
    channels: Vec<Channel>,
    pub flags: u8,
    /// Number of the clock at which something happens.
    next: Option<u64>,
}

impl Unit {
    /// A counter up to `max` with channels for these signals, as after a reset.
    pub fn new(max: u32, signals: &[Signal]) -> Unit {
        let channel = |signal: &Signal| Channel {
            signal: *signal,
            compare: 0,
            buffer: 0,
            action: Action::None,
            output: false,
        };
        Unit {
            source: Source::new(),
            mode: Mode { wave: Wave::Compare, top: Top::Fixed(max) },
            max,
            capture: 0,
            counter: Counter::at(0),
            clocks: 0,
            blocked: false,
            disabled: false,
            channels: signals.iter().map(channel).collect(),
            flags: 0,
            next: None,
        }
    }

    fn range(&self) -> Range {
        let top = match self.mode.top {
            Top::Fixed(top) => top,
            // It is the match that lets the counter begin again.
            Top::Compare if self.disabled => self.max,
            Top::Compare => self.channels[0].compare,
            Top::Capture => self.capture,
        };
        let dual = matches!(self.mode.wave, Wave::Phase | Wave::PhaseFrequency);
        Range { slope: if dual { Slope::Dual } else { Slope::Single }, top, max: self.max }
    }

    /// The value with which TOVn is set.
    fn overflow_at(&self, range: Range) -> u32 {
        match self.mode.wave {
            Wave::Compare => self.max,
            Wave::Fast => range.top,
            Wave::Phase | Wave::PhaseFrequency => 0,
        }
    }

    /// The value with which OCRn takes what was written.
    fn update_at(&self, range: Range) -> u32 {
        match self.mode.wave {
            Wave::PhaseFrequency => 0,
            _ => range.top,
        }
    }

    /// Brings the counter to an edge of the clock in front of its prescaler.
    fn bring_to(&mut self, edge: u64) {
        if self.source.clocking == Clocking::Stopped {
            return;
        }
        let clocks = self.source.clocks(edge);
        if clocks > self.clocks {
            self.counter = self.counter.after(self.range(), clocks - self.clocks);
            self.clocks = clocks;
            self.blocked = false;
        }
    }

    /// Does everything that is due up to an edge.
    pub fn settle(&mut self, cx: &mut Context<'_>, edge: u64) {
        while let Some(next) = self.next.filter(|next| *next <= self.source.clocks(edge)) {
            self.pass(cx, next);
            self.plan();
        }
        self.bring_to(edge);
    }

    /// The clock `next`: what the counter leaves has its effects.
    fn pass(&mut self, cx: &mut Context<'_>, next: u64) {
        let range = self.range();
        let before = next - 1 - self.clocks;
        let blocked = self.blocked && before == 0 || self.disabled;
        let left = self.counter.after(range, before);
        let down = left.counts_down(range);
        self.counter = left.after(range, 1);
        self.clocks = next;
        self.blocked = false;
        for (channel, flag) in (0..self.channels.len()).zip(COMPARE) {
            let matches = !blocked && self.channels[channel].compare == left.value;
            let begins = self.mode.wave == Wave::Fast && left.value == range.top;
            if matches {
                self.flags |= flag;
            }
            // Where a match and a new period coincide, the period wins.
            let level = if begins { self.level_at_bottom(channel) } else { None };
            let level = level.or_else(|| self.level_at_match(channel, down).filter(|_| matches));
            if let Some(high) = level {
                self.output(cx, channel, high);
            }
        }
        if left.value == self.overflow_at(range) {
            self.flags |= OVERFLOW;
        }
        if left.value == range.top && self.mode.top == Top::Capture {
            self.flags |= CAPTURE;
        }
        if left.value == self.update_at(range) {
            self.channels.iter_mut().for_each(|channel| channel.compare = channel.buffer);
        }
    }

    /// When something happens next.
    fn plan(&mut self) {
        let range = self.range();
        let leaves = |value, blocked: bool| {
            let skipped = u64::from(blocked);
            let until = self.counter.after(range, skipped).until(range, value)?;
            Some(self.clocks + skipped + until + 1)
        };
        let mut next: Option<u64> = None;
        let mut consider = |clock: Option<u64>| {
            next = [next, clock].into_iter().flatten().min();
        };
        for (channel, flag) in self.channels.iter().zip(COMPARE) {
            if !self.disabled && (self.flags & flag == 0 || channel.action != Action::None) {
                consider(leaves(channel.compare, self.blocked));
            }
            if channel.compare != channel.buffer {
                consider(leaves(self.update_at(range), false));
            }
            if channel.action != Action::None && self.mode.wave == Wave::Fast {
                consider(leaves(range.top, false));
            }
        }
        if self.flags & OVERFLOW == 0 {
            consider(leaves(self.overflow_at(range), false));
        }
        if self.mode.top == Top::Capture && self.flags & CAPTURE == 0 {
            consider(leaves(range.top, false));
        }
        self.next = if self.source.clocking == Clocking::Stopped { None } else { next };
    }

    /// The edge of the clock in front of the prescaler at which something happens.
    pub fn due(&self) -> Option<u64> {
        self.source.edge(self.next?)
    }

    /// Changes something at an edge at which the counter is settled.
    pub fn change(&mut self, edge: u64, change: impl FnOnce(&mut Unit)) {
        self.bring_to(edge);
        change(self);
        self.plan();
    }

    /// Changes what clocks the counter, which keeps its value.
    pub fn change_source(&mut self, edge: u64, change: impl FnOnce(&mut Source)) {
        self.bring_to(edge);
        change(&mut self.source);
        self.clocks = self.source.clocks(edge);
        self.plan();
    }

    /// The clock in front of the prescaler is another one, whose latest edge this is.
    pub fn change_axis(&mut self, edge: u64) {
        self.source.change_clock(edge);
        self.clocks = self.source.clocks(edge);
        self.plan();
    }

    /// TCNTn, at an edge at which the counter is settled.
    pub fn value(&self, edge: u64) -> u32 {
        let clocks = self.source.clocks(edge).max(self.clocks);
        match self.source.clocking {
            Clocking::Stopped => self.counter.value,
            _ => self.counter.after(self.range(), clocks - self.clocks).value,
        }
    }

    /// A write of TCNTn.
    pub fn set_value(&mut self, value: u32) {
        self.counter = self.counter.written(value, self.range());
        self.blocked = true;
    }

    /// OCRnx as the processor reads it.
    pub fn compare(&self, channel: usize) -> u32 {
        self.channels[channel].buffer
    }

    /// A write of OCRnx.
    pub fn set_compare(&mut self, channel: usize, value: u32) {
        self.channels[channel].buffer = value;
        if self.mode.wave == Wave::Compare {
            self.channels[channel].compare = value;
        }
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        if mode.wave == Wave::Compare {
            self.channels.iter_mut().for_each(|channel| channel.compare = channel.buffer);
        }
    }

    /// What the output of a channel does. The pin is the port's if it does nothing.
    pub fn set_action(&mut self, cx: &mut Context<'_>, channel: usize, action: Action) {
        let Channel { signal, output, action: before, .. } = &mut self.channels[channel];
        if std::mem::replace(before, action) != action {
            let active = action != Action::None;
            let drive = if active { Drive::value(*output) } else { Drive::NONE };
            cx.out.override_pin(*signal, drive);
        }
    }

    /// FOCnx: the output does what it would do at a match.
    pub fn force(&mut self, cx: &mut Context<'_>, channel: usize) {
        if self.mode.wave == Wave::Compare {
            if let Some(high) = self.level_at_match(channel, false) {
                self.output(cx, channel, high);
            }
        }
    }

    /// What an output becomes at a match, if the channel has one.
    fn level_at_match(&self, channel: usize, down: bool) -> Option<bool> {
        let dual = matches!(self.mode.wave, Wave::Phase | Wave::PhaseFrequency);
        let Channel { action, output, .. } = self.channels[channel];
        match action {
            Action::None => None,
            Action::Toggle => Some(!output),
            Action::Clear => Some(dual && down),
            Action::Set => Some(!(dual && down)),
        }
    }

    /// What an output becomes where a period of fast PWM begins.
    fn level_at_bottom(&self, channel: usize) -> Option<bool> {
        match self.channels[channel].action {
            Action::Clear => Some(true),
            Action::Set => Some(false),
            Action::None | Action::Toggle => None,
        }
    }

    fn output(&mut self, cx: &mut Context<'_>, channel: usize, high: bool) {
        let Channel { signal, output, .. } = &mut self.channels[channel];
        if std::mem::replace(output, high) != high {
            cx.out.override_pin(*signal, Drive::value(high));
        }
    }
}
