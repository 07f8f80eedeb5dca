// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counting side of a timer: counter, matches, waveforms, captures.

use super::Counter;
use super::registers::{
    CMD, DIR, ERR, MC0, Mode, ONESHOT, OVF, STOP, Wave, prescaler, resynchronizes,
};
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, PadOutput, Signal};
use crate::{Level, Pull, Time};

const CHANNELS: usize = 2;
/// Numbers of TC3's first event generator and DMA trigger; each timer has three of each:
/// overflow, match 0, match 1.
const FIRST_GENERATOR: u8 = 51;
const FIRST_TRIGGER: u8 = 24;
const FIRST_INSTANCE: u8 = 3;

const RETRIGGER: u8 = 1;
const STOP_COMMAND: u8 = 2;

/// EVCTRL.
const OVFEO: u16 = 1 << 8;
const MCEO0: u16 = 1 << 12;
const TCEI: u16 = 1 << 5;
const ACTION_RETRIGGER: u16 = 1;
const ACTION_COUNT: u16 = 2;
const ACTION_START: u16 = 3;

/// A tick: the value before and after it.
#[derive(Clone, Copy)]
struct Step {
    before: u32,
    value: u32,
    wraps: bool,
}

impl Step {
    fn of(counter: &Counter, tick: u64) -> Step {
        Step {
            before: counter.value_at(tick - 1),
            value: counter.value_at(tick),
            wraps: counter.wraps_at(tick),
        }
    }
}

/// What happens with the generic clock of a timer.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Timer {
    instance: u8,
    ctrla: u16,
    evctrl: u16,
    /// DIR and ONESHOT.
    ctrlb: u8,
    /// CTRLC: inverted outputs and channels that capture.
    ctrlc: u8,
    pub flags: u8,
    stopped: bool,
    enabled: bool,
    counter: Counter,
    compare: [u32; CHANNELS],
    captures: [Option<u32>; CHANNELS],
    outputs: [bool; CHANNELS],
    /// The last tick whose effects are complete, and when the next effect occurs.
    served: u64,
    next: Option<u64>,
    clock: Option<Clock>,
}

impl Timer {
    /// A timer after reset.
    pub fn new(instance: u8) -> Timer {
        Timer {
            instance,
            ctrla: 0,
            evctrl: 0,
            ctrlb: 0,
            ctrlc: 0,
            flags: 0,
            stopped: true,
            enabled: false,
            counter: Counter::new(Mode::Count16.max()),
            compare: [0; CHANNELS],
            captures: [None; CHANNELS],
            outputs: [false; CHANNELS],
            served: 0,
            next: None,
            clock: None,
        }
    }

    /// STATUS without SYNCBUSY.
    pub fn status(&self) -> u8 {
        if self.stopped { STOP } else { 0 }
    }

    /// Whether it is enabled, and has taken notice.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    pub fn count(&self, now: Time) -> u32 {
        self.counter.value(now)
    }

    /// What a channel captured, if it captures.
    pub fn captured(&self, channel: usize) -> Option<u32> {
        if self.captures_on(channel) { Some(self.captures[channel].unwrap_or(0)) } else { None }
    }

    /// A channel's value has been read: it is no capture that waits any more.
    pub fn fetched(&mut self, channel: usize) {
        if self.captures_on(channel) {
            self.flags &= !(MC0 << channel);
        }
    }

    fn captures_on(&self, channel: usize) -> bool {
        self.ctrlc >> (4 + channel) & 1 != 0
    }

    fn wave(&self) -> Wave {
        Wave::of(self.ctrla)
    }

    /// The width changes with CTRLA.MODE.
    pub fn set_width(&mut self, mode: Mode) {
        self.counter = Counter::new(mode.max());
    }

    pub fn configure(&mut self, ctrla: u16, evctrl: u16) {
        (self.ctrla, self.evctrl) = (ctrla, evctrl);
    }

    /// DIR and ONESHOT as they are when the timer is enabled.
    pub fn control(&mut self, ctrlb: u8) {
        self.ctrlb = ctrlb & !CMD;
    }

    /// Period and compare values arrive.
    pub fn set_top(&mut self, now: Time, period: u8, compare: [u32; CHANNELS]) {
        self.counter.settle(now);
        self.compare = compare;
        self.counter.top = match Mode::of(self.ctrla) {
            _ if self.wave().match_is_top() => compare[0],
            Mode::Count8 => period as u32,
            _ => self.counter.max,
        };
        self.replan();
    }

    pub fn set_count(&mut self, now: Time, value: u32) {
        self.counter.set(now, value);
        self.replan();
    }

    pub fn enable(&mut self, cx: &mut Context<'_>, clock: Option<Clock>) {
        self.enabled = true;
        self.clock = clock;
        self.counter.down = self.ctrlb & DIR != 0;
        self.outputs = [false; CHANNELS];
        self.stopped = self.action() == ACTION_START;
        self.restart_clock(cx.now);
        self.follow_pwm(self.counter.value(cx.now));
        for channel in 0..CHANNELS {
            self.drive(cx, channel);
        }
    }

    pub fn disable(&mut self, cx: &mut Context<'_>) {
        self.enabled = false;
        self.stopped = true;
        self.restart_clock(cx.now);
        for output in 0..CHANNELS as u8 {
            let signal = Signal::Tc { instance: self.instance, output };
            cx.out.pad(signal, PadOutput::Level(Level::Floating(Pull::None)));
        }
    }

    /// CTRLC arrives.
    pub fn outputs(&mut self, cx: &mut Context<'_>, ctrlc: u8) {
        self.ctrlc = ctrlc;
        if self.enabled {
            (0..CHANNELS).for_each(|channel| self.drive(cx, channel));
        }
        self.replan();
    }

    /// CTRLB arrives.
    pub fn command(&mut self, cx: &mut Context<'_>, ctrlb: u8) {
        self.counter.settle(cx.now);
        self.ctrlb = ctrlb & !CMD;
        self.counter.down = self.ctrlb & DIR != 0;
        match ctrlb >> 6 {
            RETRIGGER => self.retrigger(cx.now),
            STOP_COMMAND => {
                self.stopped = true;
                self.restart_clock(cx.now);
            }
            _ => self.replan(),
        }
    }

    fn retrigger(&mut self, now: Time) {
        let start = if self.counter.down { self.counter.top } else { 0 };
        self.counter.set(now, start);
        if self.stopped || resynchronizes(self.ctrla) {
            self.stopped = false;
            self.restart_clock(now);
        }
        self.replan();
    }

    /// Starts or stops the ticks according to the timer's settings.
    fn restart_clock(&mut self, now: Time) {
        let counts_clock = self.enabled && !self.stopped && self.action() != ACTION_COUNT;
        let clock = self.clock.filter(|_| counts_clock).map(|clock| {
            clock.starting(clock.edge(clock.edges_until(now))).divided(prescaler(self.ctrla))
        });
        self.counter.run(now, clock);
        self.replan();
    }

    /// The action of an event (EVCTRL.EVACT), if events are enabled.
    fn action(&self) -> u16 {
        if self.evctrl & TCEI != 0 { self.evctrl & 7 } else { 0 }
    }

    /// The generic clock changed: continue from the present value.
    pub fn clocks_changed(&mut self, cx: &mut Context<'_>, clock: Option<Clock>) {
        if clock != self.clock {
            self.clock = clock;
            self.restart_clock(cx.now);
        }
    }

    /// An event arrives.
    pub fn event(&mut self, cx: &mut Context<'_>, clock: Option<Clock>) {
        if !self.enabled || self.evctrl & TCEI == 0 || clock.is_none() {
            return;
        }
        for channel in 0..CHANNELS {
            if self.captures_on(channel) {
                self.capture(cx, channel);
            }
        }
        match self.action() {
            ACTION_RETRIGGER => self.retrigger(cx.now),
            ACTION_START if self.stopped => {
                self.stopped = false;
                self.restart_clock(cx.now);
            }
            ACTION_COUNT if !self.stopped => self.count_event(cx),
            _ => {}
        }
    }

    /// Captures the count; an error without effect if there is a capture already.
    fn capture(&mut self, cx: &mut Context<'_>, channel: usize) {
        if self.flags & MC0 << channel != 0 {
            self.flags |= ERR;
            return;
        }
        self.captures[channel] = Some(self.counter.value(cx.now));
        self.matched(cx, channel);
    }

    /// An event replaces a tick.
    fn count_event(&mut self, cx: &mut Context<'_>) {
        let step = Step::of(&self.counter, 1);
        self.counter.set(cx.now, step.value);
        self.step(cx, step);
    }

    pub fn due(&self) -> Time {
        self.next.map_or(Time::NEVER, |tick| self.counter.time_of(tick))
    }

    pub fn fire(&mut self, cx: &mut Context<'_>) {
        while let Some(tick) = self.next.filter(|tick| self.counter.time_of(*tick) <= cx.now) {
            self.served = tick;
            self.step(cx, Step::of(&self.counter, tick));
            self.plan();
        }
    }

    /// Ticks are renumbered: everything from the present tick on is still to be done.
    fn replan(&mut self) {
        self.served = 0;
        self.plan();
    }

    /// Finds the next tick with an effect. A flag follows its condition by one tick, an
    /// output changes with it.
    fn plan(&mut self) {
        self.next = None;
        if !self.counter.is_running() {
            return;
        }
        let mut next = self.counter.next_wrap(self.served);
        for channel in (0..CHANNELS).filter(|channel| !self.captures_on(*channel)) {
            let compare = self.compare[channel];
            let flag = self.counter.next_match(self.served, compare).map(|tick| tick + 1);
            let output = self.counter.next_match(self.served + 1, compare);
            next = flag.into_iter().chain(output).fold(next, u64::min);
        }
        self.next = Some(next);
    }

    /// The effects of a tick.
    fn step(&mut self, cx: &mut Context<'_>, step: Step) {
        let outputs = self.outputs;
        for channel in 0..CHANNELS {
            if self.captures_on(channel) {
                continue;
            }
            if step.before == self.compare[channel] {
                self.matched(cx, channel);
            }
            let toggles = match self.wave() {
                Wave::NormalFrequency => step.value == self.compare[channel],
                Wave::MatchFrequency => channel == 0 && step.wraps,
                _ => false,
            };
            self.outputs[channel] ^= toggles;
        }
        self.follow_pwm(step.value);
        for channel in (0..CHANNELS).filter(|channel| self.outputs[*channel] != outputs[*channel]) {
            self.drive(cx, channel);
        }
        if step.wraps {
            self.overflow(cx);
        }
    }

    /// Outputs of pulse width modulation are high below their compare value.
    fn follow_pwm(&mut self, value: u32) {
        if self.wave().is_pwm() {
            self.outputs = self.compare.map(|compare| value < compare);
        }
    }

    fn matched(&mut self, cx: &mut Context<'_>, channel: usize) {
        self.flags |= MC0 << channel;
        self.report(cx, 1 + channel as u8, MCEO0 << channel);
    }

    fn overflow(&mut self, cx: &mut Context<'_>) {
        self.flags |= OVF;
        self.report(cx, 0, OVFEO);
        if self.ctrlb & ONESHOT != 0 {
            self.stopped = true;
            self.counter.run(cx.now, None);
        }
    }

    /// Pulses a DMA trigger, and fires an event if it is enabled.
    fn report(&self, cx: &mut Context<'_>, kind: u8, event_enable: u16) {
        let number = (self.instance - FIRST_INSTANCE) * 3 + kind;
        cx.out.trigger(FIRST_TRIGGER + number, true);
        cx.out.trigger(FIRST_TRIGGER + number, false);
        if self.evctrl & event_enable != 0 {
            cx.out.event(FIRST_GENERATOR + number);
        }
    }

    fn drive(&self, cx: &mut Context<'_>, channel: usize) {
        let inverted = self.ctrlc >> channel & 1 != 0;
        let high = self.outputs[channel] != inverted;
        let signal = Signal::Tc { instance: self.instance, output: channel as u8 };
        let level = if high { Level::High } else { Level::Low };
        cx.out.pad(signal, PadOutput::Level(level));
    }
}
