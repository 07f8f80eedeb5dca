// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counting side: counter, buffered values, waveforms.

use super::registers::{
    CCBV0, DIR, ERR, LUPD, MC0, ONESHOT, OVF, PATTBV, PERBV, STOP, TRG, Variant, WAVEBV,
};
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, PadOutput, Signal};
use crate::samr21::tc::Counter;
use crate::{Level, Pull, Time};

pub(super) const CHANNELS: usize = 4;
const OUTPUTS: usize = 8;

/// EVCTRL.
const OVFEO: u32 = 1 << 8;
const TRGEO: u32 = 1 << 9;
const TCEI0: u32 = 1 << 14;
const TCEI1: u32 = 1 << 15;
const MCEI0: u32 = 1 << 16;
const MCEO0: u32 = 1 << 24;

/// Values that take effect together: directly, or from their buffers at an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Values {
    pub period: u32,
    pub compare: [u32; CHANNELS],
    pub pattern: u16,
    pub wave: u32,
}

impl Values {
    const RESET: Values = Values { period: u32::MAX, compare: [0; CHANNELS], pattern: 0, wave: 0 };
}

/// Waveform generation (WAVE.WAVEGEN).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generation {
    NormalFrequency,
    MatchFrequency,
    /// Single-slope pulse width modulation; the dual-slope kinds are treated as this one.
    Pwm,
}

/// A timer beyond its synchronizers.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Timer {
    #[borsh(
        serialize_with = "crate::row::serialize",
        deserialize_with = "crate::row::deserialize"
    )]
    variant: &'static Variant,
    pub ctrla: u32,
    pub evctrl: u32,
    pub drvctrl: u32,
    pub control: u8,
    pub values: Values,
    pub buffers: Values,
    pub flags: u32,
    /// STATUS without CMP: what is stopped and which buffers are valid.
    pub status: u32,
    enabled: bool,
    counter: Counter,
    outputs: [bool; CHANNELS],
    clock: Option<Clock>,
    served: u64,
    next: Option<u64>,
}

impl Timer {
    /// A timer after reset.
    pub fn new(variant: &'static Variant) -> Timer {
        Timer {
            variant,
            ctrla: 0,
            evctrl: 0,
            drvctrl: 0,
            control: 0,
            values: Values::RESET,
            buffers: Values::RESET,
            flags: 0,
            status: STOP,
            enabled: false,
            counter: Counter::new(variant.max),
            outputs: [false; CHANNELS],
            clock: None,
            served: 0,
            next: None,
        }
    }

    /// Whether it is enabled, and has taken notice.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    pub fn count(&self, now: Time) -> u32 {
        self.counter.value(now)
    }

    /// STATUS.
    pub fn status(&self) -> u32 {
        const CMP0: u32 = 1 << 24;
        let high = |channel: &usize| self.outputs[*channel];
        (0..CHANNELS).filter(high).fold(self.status, |status, channel| status | CMP0 << channel)
    }

    fn generation(&self) -> Generation {
        match self.values.wave & 7 {
            0 => Generation::NormalFrequency,
            1 => Generation::MatchFrequency,
            _ => Generation::Pwm,
        }
    }

    /// CTRLA.CPTENx.
    fn captures(&self, channel: usize) -> bool {
        self.ctrla >> (24 + channel) & 1 != 0
    }

    /// A channel's value has been read: it is no capture that waits any more.
    pub fn fetched(&mut self, channel: usize) {
        if self.captures(channel) {
            self.flags &= !(MC0 << channel);
        }
    }

    pub fn enable(&mut self, cx: &mut Context<'_>, clock: Option<Clock>) {
        self.enabled = true;
        self.clock = clock;
        self.status &= !STOP;
        self.outputs = [false; CHANNELS];
        self.counter.down = self.control & DIR != 0;
        self.values_changed(cx);
        self.restart(cx.now);
        self.follow(cx, self.counter.value(cx.now));
    }

    pub fn disable(&mut self, cx: &mut Context<'_>) {
        self.enabled = false;
        self.status |= STOP;
        self.restart(cx.now);
        for output in 0..self.variant.outputs as u8 {
            self.pad(cx, output, Level::Floating(Pull::None));
        }
    }

    /// Values arrived: the top may have changed.
    pub fn values_changed(&mut self, cx: &mut Context<'_>) {
        self.counter.settle(cx.now);
        let top = match self.generation() {
            Generation::MatchFrequency => self.values.compare[0],
            _ => self.values.period,
        };
        self.counter.top = top & self.variant.max;
        self.replan();
        if self.enabled {
            self.follow(cx, self.counter.value(cx.now));
        }
    }

    pub fn set_count(&mut self, now: Time, value: u32) {
        self.counter.set(now, value);
        self.replan();
    }

    /// CTRLB arrives with a command: none, retrigger, stop, update.
    pub fn command(&mut self, cx: &mut Context<'_>, command: u8) {
        const RETRIGGER: u8 = 1;
        const STOP_COMMAND: u8 = 2;
        const UPDATE: u8 = 3;
        self.counter.settle(cx.now);
        self.counter.down = self.control & DIR != 0;
        self.replan();
        match command {
            RETRIGGER => self.retrigger(cx),
            STOP_COMMAND => self.stop(cx.now),
            UPDATE => self.update(cx),
            _ => {}
        }
    }

    fn stop(&mut self, now: Time) {
        self.counter.settle(now);
        self.status |= STOP;
        self.restart(now);
    }

    fn retrigger(&mut self, cx: &mut Context<'_>) {
        const RESYNC: u32 = 2;
        let start = if self.counter.down { self.counter.top } else { 0 };
        self.counter.set(cx.now, start);
        self.flags |= TRG;
        if self.evctrl & TRGEO != 0 {
            cx.out.event(self.variant.overflow_event + 1);
        }
        let starts = self.status & STOP != 0 && self.enabled;
        if starts {
            self.status &= !STOP;
        }
        if starts || self.ctrla >> 12 & 3 == RESYNC {
            self.restart(cx.now);
        }
        self.replan();
        self.follow(cx, start);
    }

    /// Valid buffers take effect.
    fn update(&mut self, cx: &mut Context<'_>) {
        let (values, buffers) = (&mut self.values, &self.buffers);
        if self.status & PERBV != 0 {
            values.period = buffers.period;
        }
        if self.status & PATTBV != 0 {
            values.pattern = buffers.pattern;
        }
        if self.status & WAVEBV != 0 {
            values.wave = buffers.wave;
        }
        for channel in 0..CHANNELS {
            if self.status & CCBV0 << channel != 0 {
                values.compare[channel] = buffers.compare[channel];
            }
        }
        let valid = PERBV | PATTBV | WAVEBV | (CCBV0 * 0xF);
        if self.status & valid != 0 {
            self.status &= !valid;
            self.values_changed(cx);
        }
    }

    fn restart(&mut self, now: Time) {
        const PRESCALERS: [u64; 8] = [1, 2, 4, 8, 16, 64, 256, 1024];
        let prescaler = PRESCALERS[(self.ctrla >> 8 & 7) as usize];
        let counts = self.enabled && self.status & STOP == 0 && !self.counts_events();
        let clock = self
            .clock
            .filter(|_| counts)
            .map(|clock| clock.starting(clock.edge(clock.edges_until(now))).divided(prescaler));
        self.counter.run(now, clock);
        self.replan();
    }

    pub fn clocks_changed(&mut self, now: Time, clock: Option<Clock>) {
        if clock != self.clock {
            self.clock = clock;
            self.restart(now);
        }
    }

    /// EVCTRL.EVACT0, if event input 0 is enabled.
    fn action(&self) -> u32 {
        if self.evctrl & TCEI0 != 0 { self.evctrl & 7 } else { 0 }
    }

    /// EVCTRL.EVACT1, if event input 1 is enabled.
    fn second_action(&self) -> u32 {
        if self.evctrl & TCEI1 != 0 { self.evctrl >> 3 & 7 } else { 0 }
    }

    fn counts_events(&self) -> bool {
        const COUNT_EVENTS: u32 = 2;
        self.action() == COUNT_EVENTS
    }

    /// An event arrives at input `input`: 0 and 1, then the channels'.
    pub fn event(&mut self, cx: &mut Context<'_>, input: usize) {
        const RETRIGGER: u32 = 1;
        const START: u32 = 3;
        const STOP_ACTION: u32 = 3;
        match input {
            _ if !self.enabled => {}
            0 => match self.action() {
                RETRIGGER => self.retrigger(cx),
                START if self.status & STOP != 0 => self.retrigger(cx),
                _ if self.counts_events() => self.count_event(cx),
                _ => {}
            },
            1 => match self.second_action() {
                RETRIGGER => self.retrigger(cx),
                STOP_ACTION => self.stop(cx.now),
                _ => {}
            },
            _ => self.capture(cx, input - 2),
        }
    }

    fn count_event(&mut self, cx: &mut Context<'_>) {
        let (before, value) = (self.counter.value_at(0), self.counter.value_at(1));
        let wraps = self.counter.wraps_at(1);
        self.counter.set(cx.now, value);
        self.step(cx, before, value, wraps);
    }

    /// Takes the count into a channel's value; an error without effect if there is a capture already.
    fn capture(&mut self, cx: &mut Context<'_>, channel: usize) {
        if !self.captures(channel) || self.evctrl & MCEI0 << channel == 0 {
            return;
        }
        if self.flags & MC0 << channel != 0 {
            self.flags |= ERR;
            return;
        }
        self.values.compare[channel] = self.counter.value(cx.now);
        self.matched(cx, channel);
    }

    pub fn due(&self) -> Time {
        self.next.map_or(Time::NEVER, |tick| self.counter.time_of(tick))
    }

    pub fn fire(&mut self, cx: &mut Context<'_>) {
        while let Some(tick) = self.next.filter(|tick| self.counter.time_of(*tick) <= cx.now) {
            self.served = tick;
            self.next = None;
            let value = self.counter.value_at(tick);
            self.step(cx, self.counter.value_at(tick - 1), value, self.counter.wraps_at(tick));
            self.plan();
        }
    }

    fn replan(&mut self) {
        self.served = 0;
        self.plan();
    }

    /// Finds the next tick with an effect: a wrap, a match, or the tick after it, which sets
    /// the match's flag.
    fn plan(&mut self) {
        self.next = None;
        if !self.counter.is_running() {
            return;
        }
        let mut next = self.counter.next_wrap(self.served);
        for channel in 0..self.variant.channels {
            let compare = self.values.compare[channel];
            let flag = self.counter.next_match(self.served, compare).map(|tick| tick + 1);
            let output = self.counter.next_match(self.served + 1, compare);
            next = flag.into_iter().chain(output).fold(next, u64::min);
        }
        self.next = Some(next);
    }

    fn step(&mut self, cx: &mut Context<'_>, before: u32, value: u32, wraps: bool) {
        for channel in 0..self.variant.channels {
            let compare = self.values.compare[channel];
            if before == compare && !self.captures(channel) {
                self.matched(cx, channel);
            }
            self.outputs[channel] ^= match self.generation() {
                Generation::NormalFrequency => value == compare,
                Generation::MatchFrequency => channel == 0 && wraps,
                Generation::Pwm => false,
            };
        }
        if wraps {
            self.overflow(cx);
        }
        self.follow(cx, value);
    }

    fn matched(&mut self, cx: &mut Context<'_>, channel: usize) {
        self.flags |= MC0 << channel;
        let trigger = self.variant.trigger + 1 + channel as u8;
        cx.out.trigger(trigger, true);
        cx.out.trigger(trigger, false);
        if self.evctrl & MCEO0 << channel != 0 {
            cx.out.event(self.variant.match_event + channel as u8);
        }
    }

    fn overflow(&mut self, cx: &mut Context<'_>) {
        self.flags |= OVF;
        cx.out.trigger(self.variant.trigger, true);
        cx.out.trigger(self.variant.trigger, false);
        if self.evctrl & OVFEO != 0 {
            cx.out.event(self.variant.overflow_event);
        }
        if self.control & ONESHOT != 0 {
            self.status |= STOP;
            self.counter.run(cx.now, None);
        }
        if self.control & LUPD == 0 {
            self.update(cx);
        }
    }

    /// Drives the outputs for a count: the channels in turn, overridden by patterns.
    fn follow(&mut self, cx: &mut Context<'_>, value: u32) {
        if self.generation() == Generation::Pwm {
            for channel in 0..CHANNELS {
                let inverted = self.values.wave >> (16 + channel) & 1 != 0;
                self.outputs[channel] = (value < self.values.compare[channel]) != inverted;
            }
        }
        let enabled = self.enabled;
        for output in (0..self.variant.outputs.min(OUTPUTS)).filter(|_| enabled) {
            let pattern = self.values.pattern;
            let high = if pattern >> output & 1 != 0 {
                pattern >> (8 + output) & 1 != 0
            } else {
                self.outputs[output % self.variant.channels]
            };
            let inverted = self.drvctrl >> (16 + output) & 1 != 0;
            let level = if high != inverted { Level::High } else { Level::Low };
            self.pad(cx, output as u8, level);
        }
    }

    fn pad(&self, cx: &mut Context<'_>, output: u8, level: Level) {
        let signal = Signal::Tcc { instance: self.variant.instance, output };
        cx.out.pad(signal, PadOutput::Level(level));
    }
}
