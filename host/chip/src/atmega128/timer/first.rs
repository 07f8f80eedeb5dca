// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timer 0, which a watch crystal can clock (data sheet, "Asynchronous Operation of the Timer/Counter").
//!
//! While it does, a write takes two rising edges of TOSC1 to arrive, flags take three cycles of the
//! processor to be seen, and the timer goes on in the sleep modes in which its oscillator runs.

use super::eight::{Eight, PSR0, TSM, write_prescaler};
use super::flags;
use super::source::Clocking;
use crate::atmega128::activity::ASYNCHRONOUS;
use crate::atmega128::clocks::Clocks;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{Context, Due, Holds, Peripheral, flag};
use crate::atmega128::pins::Signal;
use crate::clock::Clock;
use crate::{OFF, Time, WarningKind};

/// ASSR.
const AS0: u8 = 1 << 3;
/// ASSR's busy bits, for the registers in [`LATCHED`].
const BUSY: [u8; 3] = [1 << 2, 1 << 1, 1 << 0];
/// Registers whose writes cross to the timer oscillator's domain.
const LATCHED: [u8; 3] = [TCNT0, OCR0, TCCR0];
const COUNT: usize = 0;
const COMPARE: usize = 1;

/// Rising edges of TOSC1 until a write has arrived.
const LATCHING: u64 = 2;
/// Cycles of the processor until a flag is seen.
const SYNCHRONIZING: u64 = 3;

/// A write on its way: the value, and the edge with which it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Write {
    value: u8,
    edge: u64,
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Timer0 {
    eight: Eight,
    asynchronous: bool,
    /// TSM and PSR0, while they hold the prescaler.
    held: u8,
    /// OCR0 and TCCR0 as the processor reads them: what it has written last.
    temporary: [u8; 3],
    writes: [Option<Write>; 3],
    /// Flags as the processor sees them, and the cycle at which it sees new ones.
    seen: u8,
    seen_at: Option<u64>,
    /// The timer oscillator stands, at this edge; it has missed so many of the crystal's.
    standing: Option<u64>,
    missed: u64,
    /// What TCNT0 reads since the processor was woken, until the next edge of TOSC1.
    stale: Option<(u8, Time)>,
    /// Asleep, without the I/O clock, and what TCNT0 was then.
    asleep: Option<u8>,
    /// When the timer last woke the processor.
    woke_at: Option<Time>,
    /// It sleeps, and the interrupt logic has missed the moment to be reset.
    deaf: bool,
}

impl Timer0 {
    pub fn new() -> Timer0 {
        Timer0 {
            eight: Eight::new(0, Signal::Oc0),
            asynchronous: false,
            held: 0,
            temporary: [0; 3],
            writes: [None; 3],
            seen: 0,
            seen_at: None,
            standing: None,
            missed: 0,
            stale: None,
            asleep: None,
            woke_at: None,
            deaf: false,
        }
    }

    /// TCNT0 as it is, without the delay of a synchronizer.
    pub fn true_count(&self, clocks: &Clocks, now: Time) -> u8 {
        let edge = self.edge(clocks, now, clocks.cycle_until(now));
        self.eight.unit.value(edge) as u8
    }

    /// The timer oscillator, if the timer uses it and it has its crystal.
    fn oscillator(&self, clocks: &Clocks) -> Option<Clock> {
        clocks.watch.filter(|_| self.asynchronous)
    }

    /// Number of the latest edge of the clock in front of the prescaler.
    fn edge(&self, clocks: &Clocks, now: Time, cycle: u64) -> u64 {
        if !self.asynchronous {
            return cycle;
        }
        match (self.standing, clocks.watch) {
            (Some(edge), _) => edge,
            (None, Some(watch)) => watch.edges_until(now) - self.missed,
            (None, None) => 0,
        }
    }

    fn present(&self, cx: &Context<'_>) -> u64 {
        self.edge(cx.clocks, cx.now, cx.cycle)
    }

    /// Does what is due up to now; flags that this sets are seen a little later.
    fn settle(&mut self, cx: &mut Context<'_>) {
        let edge = self.present(cx);
        let before = self.eight.unit.flags;
        while let Some((which, write)) = self.next_write().filter(|(_, next)| next.edge <= edge) {
            self.eight.unit.settle(cx, write.edge);
            self.writes[which] = None;
            self.arrive(cx, which, write.edge, write.value);
            self.block_matches(write.edge);
        }
        self.eight.unit.settle(cx, edge);
        if self.seen_at.is_some_and(|at| at <= cx.cycle) {
            self.seen_at = None;
            self.seen = self.eight.unit.flags;
        }
        let new = self.eight.unit.flags & !before;
        if !self.asynchronous {
            self.seen = self.eight.unit.flags;
        } else if self.deaf {
            self.clear_flags(edge, new);
        } else if new != 0 {
            if cx.clocks.io_runs() {
                self.seen_at = Some(cx.cycle + SYNCHRONIZING);
            } else {
                self.seen |= new;
            }
        }
    }

    /// The write that arrives first. While the processor sleeps none does.
    fn next_write(&self) -> Option<(usize, Write)> {
        let writes = self.writes.iter().enumerate();
        let writes = writes.filter_map(|(which, write)| Some((which, (*write)?)));
        writes.filter(|_| self.asleep.is_none()).min_by_key(|(_, write)| write.edge)
    }

    fn clear_flags(&mut self, edge: u64, flags: u8) {
        self.eight.unit.change(edge, |unit| unit.flags &= !flags);
        self.seen &= !flags;
    }

    /// Whether the processor would not be woken if it fell asleep now: a write is under way, or the
    /// interrupt logic has not been reset since the timer woke it.
    pub fn would_miss(&self, clocks: &Clocks, now: Time) -> bool {
        let Some(oscillator) = self.oscillator(clocks) else { return false };
        let writes = self.writes[COUNT].is_some() || self.writes[COMPARE].is_some();
        self.eight.mask != 0 && (writes || self.is_too_soon(&oscillator, now))
    }

    fn is_too_soon(&self, oscillator: &Clock, now: Time) -> bool {
        self.woke_at.is_some_and(|woke| now < woke + oscillator.span(1))
    }

    fn write_latched(&mut self, cx: &mut Context<'_>, which: usize, value: u8) {
        self.temporary[which] = value;
        if self.oscillator(cx.clocks).is_none() {
            if self.asynchronous {
                cx.out.warn(WarningKind::CoreUnclocked);
            }
            let edge = self.present(cx);
            return self.arrive(cx, which, edge, value);
        }
        if self.writes[which].is_some() {
            cx.out.warn(WarningKind::NotArrived);
        }
        let edge = self.present(cx) + LATCHING;
        self.writes[which] = Some(Write { value, edge });
        self.block_matches(edge - LATCHING);
    }

    /// There is no match while TCNT0 or OCR0 is on its way.
    fn block_matches(&mut self, edge: u64) {
        let blocked = self.writes[COUNT].is_some() || self.writes[COMPARE].is_some();
        if blocked != self.eight.unit.disabled {
            self.eight.unit.change(edge, |unit| unit.disabled = blocked);
        }
    }

    /// A write takes effect.
    fn arrive(&mut self, cx: &mut Context<'_>, which: usize, edge: u64, value: u8) {
        let unit = &mut self.eight.unit;
        match LATCHED[which] {
            TCNT0 => unit.change(edge, |unit| unit.set_value(value.into())),
            OCR0 => unit.change(edge, |unit| unit.set_compare(0, value.into())),
            _ => self.eight.set_control(cx, edge, value),
        }
    }

    fn write_assr(&mut self, cx: &mut Context<'_>, value: u8) {
        let asynchronous = value & AS0 != 0;
        if asynchronous == self.asynchronous {
            return;
        }
        let before = self.present(cx);
        self.eight.unit.change(before, |_| {});
        self.asynchronous = asynchronous;
        if asynchronous && cx.clocks.watch.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        self.writes = [None; 3];
        self.missed = 0;
        self.standing = None;
        let edge = self.present(cx);
        self.eight.unit.change_axis(edge);
        self.block_matches(edge);
    }

    fn fall_asleep(&mut self, cx: &mut Context<'_>) {
        let Some(oscillator) = self.oscillator(cx.clocks) else { return };
        let edge = self.present(cx);
        self.asleep = Some(self.eight.unit.value(edge) as u8);
        self.seen |= self.eight.unit.flags;
        self.seen_at = None;
        if cx.clocks.mode.timer_oscillates() {
            self.deaf = self.is_too_soon(&oscillator, cx.now);
        } else {
            self.standing = Some(edge);
        }
    }

    fn wake_up(&mut self, cx: &mut Context<'_>) {
        let Some(value) = self.asleep.take() else { return };
        let Some(oscillator) = self.oscillator(cx.clocks) else { return };
        if let Some(edge) = self.standing.take() {
            self.missed = oscillator.edges_until(cx.now) - edge;
        }
        if self.lines() != 0 {
            self.woke_at = Some(cx.now);
        }
        self.deaf = false;
        self.stale = Some((value, oscillator.nth_after(cx.now, 1)));
        // Writes that sleep has interrupted go on.
        let edge = self.present(cx) + LATCHING;
        self.writes.iter_mut().flatten().for_each(|write| write.edge = edge);
    }

    fn count(&mut self, cx: &Context<'_>) -> u8 {
        match self.stale {
            Some((value, until)) if cx.now < until => value,
            _ => {
                self.stale = None;
                self.eight.unit.value(self.present(cx)) as u8
            }
        }
    }
}

impl Peripheral for Timer0 {
    fn read(&mut self, cx: &mut Context<'_>, register: u8) -> u8 {
        self.settle(cx);
        match register {
            TCCR0 if self.asynchronous => self.temporary[2] & 0x7F,
            TCCR0 => self.eight.control(),
            TCNT0 => self.count(cx),
            OCR0 if self.asynchronous => self.temporary[COMPARE],
            OCR0 => self.eight.unit.compare(0) as u8,
            ASSR => {
                let busy = BUSY.into_iter().zip(self.writes).filter(|(_, write)| write.is_some());
                busy.fold(flag(self.asynchronous, AS0), |all, (bit, _)| all | bit)
            }
            TIMSK => self.eight.read_flags(register, self.eight.mask),
            TIFR => self.eight.read_flags(register, self.seen),
            _ => self.held,
        }
    }

    fn holds(&self, cx: &Context<'_>, register: u8) -> Holds {
        match (register, self.oscillator(cx.clocks)) {
            (TCNT0, Some(oscillator)) => Holds::Time(oscillator.nth_after(cx.now, 1)),
            (TCNT0, None) => Holds::Unknown,
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        self.settle(cx);
        match register {
            TCNT0 => self.write_latched(cx, COUNT, value),
            OCR0 => self.write_latched(cx, COMPARE, value),
            TCCR0 => self.write_latched(cx, 2, value),
            ASSR => self.write_assr(cx, value),
            TIMSK => self.eight.set_mask(register, value),
            TIFR => {
                let (cleared, _) = flags::from_register(0, register, value);
                let edge = self.present(cx);
                // A flag that is not seen yet is not cleared either.
                self.clear_flags(edge, cleared & self.seen);
            }
            _ => {
                self.held = if value & TSM != 0 { value & (TSM | PSR0) } else { 0 };
                let edge = self.present(cx);
                write_prescaler(&mut self.eight.unit, edge, value, PSR0);
            }
        }
    }

    fn due(&self, clocks: &Clocks) -> Due {
        let unit = self.eight.unit.due();
        if !self.asynchronous {
            return unit.map_or(Due::Never, Due::Cycle);
        }
        let write = self.next_write().map(|(_, write)| write.edge);
        let edge = unit.into_iter().chain(write).min();
        let edge = edge.filter(|_| self.standing.is_none()).zip(self.oscillator(clocks));
        let edge = edge.map_or(Time::NEVER, |(edge, watch)| watch.edge(edge + self.missed));
        let seen = self.seen_at.map_or(Time::NEVER, |cycle| clocks.time(cycle));
        let next = edge.min(seen);
        if next == Time::NEVER { Due::Never } else { Due::Time(next) }
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.settle(cx);
    }

    fn lines(&self) -> u64 {
        flags::lines(0, self.seen & self.eight.mask)
    }

    fn interrupts(&self) -> u64 {
        flags::lines(0, self.eight.mask)
    }

    fn acknowledge(&mut self, cx: &mut Context<'_>, vector: u32) {
        self.settle(cx);
        let edge = self.present(cx);
        self.clear_flags(edge, flags::of_vector(0, vector));
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        self.settle(cx);
        if cx.clocks.io_runs() {
            self.wake_up(cx);
        } else if self.asleep.is_none() {
            self.fall_asleep(cx);
        }
    }

    fn activity(&self) -> &'static str {
        match (self.eight.unit.source.clocking, self.asynchronous) {
            (_, true) => ASYNCHRONOUS,
            (Clocking::Stopped, false) => OFF,
            _ => "counting",
        }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        *self = Timer0::new();
    }
}
