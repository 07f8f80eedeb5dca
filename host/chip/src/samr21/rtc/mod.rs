// SPDX-License-Identifier: MIT OR Apache-2.0
//! RTC: the real-time counter (data sheet, "RTC - Real-Time Counter"), which counts in standby and
//! lives in the 32 kHz domain: nearly every access crosses clock domains.

mod access;
mod calendar;
mod counter;
mod table;

use super::register::At;
use crate::clock::Clock;
use crate::samr21::peripheral::Context;
use crate::samr21::sync::Crossing;
use crate::{Time, WarningKind};
use counter::{Counter, MATCH_0, MATCH_1, Mode, OVERFLOW, Settings};
use table::Id;

const BRIDGE: u8 = 0;
const CHANNEL: u8 = 4;

const SWRST: u32 = 1 << 0;
const ENABLE: u32 = 1 << 1;
const CLKREP: u32 = 1 << 6;
const MATCHCLR: u32 = 1 << 7;

const SYNCRDY: u32 = 1 << 6;
const SYNCBUSY: u32 = 1 << 7;

const RCONT: u32 = 1 << 14;
const RREQ: u32 = 1 << 15;

/// Events (EVSYS generators): CMP0 or ALARM0, CMP1, OVF, PER0 to PER7.
const EVENT_MATCH_0: u8 = 1;
const EVENT_OVERFLOW: u8 = 3;
const EVENT_PERIODIC: u8 = 4;
/// Counts of the prescaler between events PER0; each further one takes twice as long.
const PERIODIC_COUNTS: u64 = 8;
/// The prescaler's counts, after which it starts over.
const PRESCALER_SPAN: u64 = 1_024;
/// The lowest CTRL.PRESCALER with which FREQCORR works (data sheet, section "Frequency
/// Correction").
const LEAST_CORRECTED: u32 = 2;
/// Steps of FREQCORR in a full unit: one step changes the frequency by 1 / (4096 * 240).
const CORRECTION_STEPS: u64 = 4_096 * 240;

/// The effect of a crossing into the counter's clock domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Command {
    Control,
    Reset,
    Count(u32),
    Compare,
    Correction,
    Read,
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Rtc {
    control: u32,
    read_request: u32,
    event_control: u32,
    inten: u32,
    intflag: u32,
    debug: u32,
    /// FREQCORR as written, and as it has arrived in the prescaler.
    correction: u32,
    corrected: u32,
    /// COMP0 and COMP1 or ALARM0, PER, MASK0 as last written.
    written: Settings,
    crossing: Crossing<Command>,
    /// The count that the last completed read request returned.
    sampled: Option<u32>,
    counter: Counter,
    running: bool,
    /// The generic clock, and when the prescaler's count was 0.
    generic: Option<Clock>,
    prescaler_start: Time,
    /// When the next periodic event comes.
    periodic: Time,
}

impl Rtc {
    pub fn new() -> Rtc {
        Rtc {
            control: 0,
            read_request: 0x10,
            event_control: 0,
            inten: 0,
            intflag: 0,
            debug: 0,
            correction: 0,
            corrected: 0,
            written: Settings::RESET,
            crossing: Crossing::default(),
            sampled: None,
            counter: Counter::new(),
            running: false,
            generic: None,
            prescaler_start: Time::ZERO,
            periodic: Time::NEVER,
        }
    }

    /// Its count at `now`.
    pub fn count(&self, now: Time) -> u32 {
        self.counter.value(now)
    }

    fn mode(&self) -> Mode {
        match self.control >> 2 & 3 {
            0 => Mode::Count32,
            1 => Mode::Count16,
            _ => Mode::Calendar,
        }
    }

    /// The interrupts that exist: one match, or two with 16 bits.
    fn interrupts(&self) -> u32 {
        let matches = if self.mode() == Mode::Count16 { MATCH_0 | MATCH_1 } else { MATCH_0 };
        matches | SYNCRDY | OVERFLOW
    }

    fn cross(&mut self, cx: &mut Context<'_>, command: Command) {
        let generic = cx.clocks.generic(CHANNEL);
        if generic.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        self.crossing.start(cx.now, generic, cx.clocks.bus(BRIDGE), command);
        self.sampled = None;
    }

    /// CTRL.PRESCALER: binary logarithm of the division.
    fn prescaler(&self) -> u32 {
        self.control >> 8 & 0xF
    }

    /// The clock that the prescaler counts: the generic one, to which FREQCORR adds cycles or from
    /// which it takes some. A positive correction makes it slower.
    fn prescaler_clock(&self) -> Option<Clock> {
        let clock = self.generic.filter(|_| self.running)?.starting(self.prescaler_start);
        let steps = u64::from(self.corrected & 0x7F);
        let positive = self.corrected & 0x80 == 0;
        Some(match steps {
            0 => clock,
            _ if self.prescaler() < LEAST_CORRECTED => clock,
            _ if positive => clock.multiplied(CORRECTION_STEPS - steps, CORRECTION_STEPS),
            _ => clock.multiplied(CORRECTION_STEPS + steps, CORRECTION_STEPS),
        })
    }

    /// The clock that the counter counts.
    fn counted(&self) -> Option<Clock> {
        match self.prescaler() {
            0 => self.generic.filter(|_| self.running),
            prescaler => Some(self.prescaler_clock()?.divided(1 << prescaler.min(10))),
        }
    }

    /// A correction arrives: the prescaler continues from its count.
    fn correct(&mut self, now: Time) {
        let count = self.prescaler_clock().map_or(0, |clock| clock.edges_until(now));
        self.corrected = self.correction;
        if let Some(clock) = self.prescaler_clock() {
            self.prescaler_start = now - clock.span(count % PRESCALER_SPAN);
        }
        self.counter.set_clock(now, self.counted());
        self.schedule_periodic(now);
    }

    /// Reports a correction that has no effect.
    fn warn_uncorrected(&self, cx: &mut Context<'_>) {
        let corrects = self.control & ENABLE != 0 && self.correction & 0x7F != 0;
        if corrects && self.prescaler() < LEAST_CORRECTED {
            cx.out.warn(WarningKind::Reserved);
        }
    }

    fn apply(&mut self, cx: &Context<'_>, command: Command) {
        match command {
            Command::Control => {
                let enable = self.control & ENABLE != 0;
                if enable && !self.running {
                    self.prescaler_start = cx.now;
                }
                self.running = enable;
                self.generic = cx.clocks.generic(CHANNEL);
                self.apply_settings(cx.now);
                self.counter.set_clock(cx.now, self.counted());
                self.schedule_periodic(cx.now);
            }
            Command::Reset => self.control &= !SWRST,
            Command::Count(value) => self.counter.set_value(cx.now, value),
            Command::Compare => self.apply_settings(cx.now),
            Command::Correction => self.correct(cx.now),
            Command::Read => self.sampled = Some(self.counter.value(cx.now)),
        }
    }

    fn apply_settings(&mut self, now: Time) {
        self.counter.settings = Settings {
            mode: self.mode(),
            match_clear: self.control & MATCHCLR != 0,
            twelve_hours: self.control & CLKREP != 0,
            ..self.written
        };
        self.counter.schedule(now);
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u32) {
        if value & SWRST != 0 {
            self.restore();
            self.control = SWRST;
            return self.cross(cx, Command::Reset);
        }
        let protected = !ENABLE;
        let mut value = value;
        if self.control & ENABLE != 0 && (self.control ^ value) & protected != 0 {
            cx.out.warn(WarningKind::Protected);
            value = self.control & protected | value & ENABLE;
        }
        self.control = value;
        self.warn_uncorrected(cx);
        self.cross(cx, Command::Control);
    }

    fn write_synchronized(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if self.crossing.stall(cx.now, cx.out) {
            return;
        }
        match at.id {
            Id::Ctrl => self.write_control(cx, at.merge(self.control, value)),
            Id::Count => {
                let count = at.merge(self.counter.value(cx.now), value);
                self.cross(cx, Command::Count(count));
            }
            Id::FreqCorr => {
                self.correction = value;
                self.warn_uncorrected(cx);
                self.cross(cx, Command::Correction);
            }
            _ => {
                let register = match at.id {
                    Id::Period => &mut self.written.period,
                    Id::Mask => &mut self.written.mask,
                    _ => &mut self.written.compare[at.index],
                };
                *register = at.merge(*register, value);
                self.cross(cx, Command::Compare);
            }
        }
    }

    /// Reads COUNT or CLOCK, which takes a crossing unless a read request has already made one.
    fn read_count(&mut self, cx: &mut Context<'_>) -> u32 {
        if self.crossing.stall(cx.now, cx.out) {
            return 0;
        }
        if self.read_request & RCONT != 0 && self.crossing.done() != Time::ZERO {
            return self.counter.value(self.last_continuous_sample(cx));
        }
        if let Some(value) = self.sampled.take() {
            return value;
        }
        self.cross(cx, Command::Read);
        self.crossing.stall(cx.now, cx.out);
        0
    }

    /// When continuous reading took the sample that is visible now: it crosses without a pause.
    fn last_continuous_sample(&self, cx: &Context<'_>) -> Time {
        let (Some(generic), first) = (self.generic, self.crossing.applied()) else { return cx.now };
        let back = self.crossing.done() - first;
        let edges = generic.edges_until(cx.now - back).saturating_sub(generic.edges_until(first));
        generic.edge(generic.edges_until(first) + edges / 6 * 6)
    }

    fn write_read_request(&mut self, cx: &mut Context<'_>, value: u32) {
        self.read_request = value & !RREQ;
        if value & (RREQ | RCONT) != 0 {
            if self.crossing.stall(cx.now, cx.out) {
                return;
            }
            self.cross(cx, Command::Read);
        }
    }

    /// The enabled periodic events, with the counts of the prescaler between two of them. Each comes
    /// when its bit of the prescaler rises, which is half-way; undivided, the prescaler stands.
    fn periodic_events(&self) -> impl Iterator<Item = (u8, u64)> + use<> {
        let enabled = if self.prescaler() == 0 { 0 } else { self.event_control };
        (0..8).filter(move |n| enabled >> n & 1 != 0).map(|n| (n, PERIODIC_COUNTS << n))
    }

    fn schedule_periodic(&mut self, now: Time) {
        self.periodic = Time::NEVER;
        let Some(clock) = self.prescaler_clock() else { return };
        let count = clock.edges_until(now);
        let next = |(_, span)| (count + span / 2) / span * span + span / 2;
        if let Some(soonest) = self.periodic_events().map(next).min() {
            self.periodic = clock.edge(soonest);
        }
    }

    fn fire_periodic(&mut self, cx: &mut Context<'_>) {
        let due = self.periodic <= cx.now;
        let Some(clock) = self.prescaler_clock().filter(|_| due) else { return };
        let count = clock.edges_until(cx.now);
        for (n, span) in self.periodic_events() {
            if count % span == span / 2 {
                cx.out.event(EVENT_PERIODIC + n);
            }
        }
        self.schedule_periodic(cx.now);
    }

    fn raise(&mut self, cx: &mut Context<'_>, flags: u32) {
        self.intflag |= flags;
        for (flag, enable, event) in [
            (MATCH_0, 8, EVENT_MATCH_0),
            (MATCH_1, 9, EVENT_MATCH_0 + 1),
            (OVERFLOW, 15, EVENT_OVERFLOW),
        ] {
            if flags & flag != 0 && self.event_control >> enable & 1 != 0 {
                cx.out.event(event);
            }
        }
    }

    /// Takes the reset values; the crossing under way, if any, is forgotten.
    fn restore(&mut self) {
        let generic = self.generic;
        *self = Rtc { generic, ..Rtc::new() };
    }
}

#[cfg(test)]
mod tests;
