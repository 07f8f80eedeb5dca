// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controller's own work: it grants channels, fetches descriptors, moves beats.
//!
//! A step is one of these, and each takes its bus cycles. Channels are arbitrated after every beat;
//! a channel that is interrupted in a block continues later from its descriptor.

use super::channel::{DESCRIPTOR_BYTES, Descriptor, TCMPL, TERR, TriggerAction};
use super::{
    BRIDGE, CHANNELS, CRCENABLE, DMAENABLE, Dmac, EVENT_CHANNELS, FIRST_GENERATOR, LEVELS,
};
use crate::Time;
use crate::samr21::peripheral::{BeatOutcome, Context, Effect};

/// Bus cycles from a trigger to the grant of its channel.
const GRANT_CYCLES: u64 = 2;
/// Bus cycles to fetch a descriptor of four words, and to write one back.
const FETCH_CYCLES: u64 = 5;
const WRITE_BACK_CYCLES: u64 = 4;
/// Bus cycles of a beat: its read, its write, and the turn between them.
const BEAT_CYCLES: u64 = 3;

/// PRICTRL0.LVLPRI of level 0.
const LVLPRI: u32 = 0xF;

impl Dmac {
    /// Something may have become possible: the engine checks, unless it is working.
    pub(super) fn wake(&mut self, cx: &Context<'_>) {
        let can = self.due == Time::NEVER && cx.clocks.ahb_runs();
        if can && self.next_channel().is_some() {
            self.due_in(cx, GRANT_CYCLES);
        }
    }

    fn due_in(&mut self, cx: &Context<'_>, cycles: u64) {
        self.due = cx.clocks.bus(BRIDGE).nth_after(cx.now, cycles);
    }

    /// Whether a channel has something to do. A trigger whose level stays requests again.
    fn is_ready(&self, n: usize) -> bool {
        let channel = &self.channels[n];
        let level = || channel.source() != 0 && self.triggers[channel.source() as usize];
        channel.enabled && !channel.suspended && (channel.pending || channel.acting || level())
    }

    /// The channel to serve next: of the highest level that is enabled, the lowest number, or the
    /// next one in turn if the level is round robin.
    fn next_channel(&self) -> Option<usize> {
        if self.ctrl & DMAENABLE == 0 {
            return None;
        }
        let mut ready = [0_u16; LEVELS];
        for n in (0..CHANNELS).filter(|n| self.is_ready(*n)) {
            ready[self.channels[n].level() as usize] |= 1 << n;
        }
        let enabled = |level: &usize| self.ctrl >> (8 + level) & 1 != 0;
        let level = (0..LEVELS).rev().filter(enabled).find(|level: &usize| ready[*level] != 0)?;
        let last = (self.prictrl >> (8 * level)) as usize & LVLPRI as usize;
        let first = if self.is_round_robin(level) { (last + 1) % CHANNELS } else { 0 };
        let following = ready[level] >> first << first;
        let turn = if following == 0 { ready[level] } else { following };
        Some(turn.trailing_zeros() as usize)
    }

    fn is_round_robin(&self, level: usize) -> bool {
        self.prictrl >> (8 * level + 7) & 1 != 0
    }

    /// Keeps the channel that was granted last in a level that goes round robin.
    fn keep_granted(&mut self, n: usize) {
        let level = self.channels[n].level() as usize;
        if self.is_round_robin(level) {
            let shift = 8 * level;
            self.prictrl = self.prictrl & !(LVLPRI << shift) | (n as u32) << shift;
        }
    }

    /// Takes the next step.
    pub(super) fn step(&mut self, cx: &mut Context<'_>) {
        let Some(n) = self.next_channel() else {
            self.active = None;
            return;
        };
        if self.active != Some(n) {
            self.switch_to(cx, n);
            return;
        }
        let Some(descriptor) = self.channels[n].descriptor else {
            self.active = None;
            self.due = cx.now;
            return;
        };
        self.keep_granted(n);
        self.channels[n].act();
        match descriptor.width().filter(|_| descriptor.count != 0) {
            Some(width) => cx.out.push(Effect::Beat(descriptor.beat(n as u8, width))),
            None if descriptor.count == 0 => self.end_block(cx, n),
            None => self.fail(n),
        }
    }

    /// Loads the descriptor of a channel: the first one, or its own from the write-back section.
    fn switch_to(&mut self, cx: &mut Context<'_>, n: usize) {
        let mut cycles = FETCH_CYCLES;
        if self.active.is_some() {
            cycles += WRITE_BACK_CYCLES;
        }
        if self.channels[n].descriptor.is_none() {
            let first = self.base.wrapping_add(DESCRIPTOR_BYTES * n as u32);
            self.fetch(cx, n, self.channels[n].again.unwrap_or(first));
        }
        self.active = Some(n);
        self.due_in(cx, cycles);
    }

    fn fetch(&mut self, cx: &mut Context<'_>, n: usize, address: u32) {
        let fetched = Descriptor::fetch(cx, address);
        let channel = &mut self.channels[n];
        channel.descriptor = fetched.filter(Descriptor::is_valid);
        channel.again = channel.descriptor.is_none().then_some(address);
        if channel.descriptor.is_none() {
            channel.fetch_error = true;
            channel.flags |= TERR;
            self.suspend(n);
        }
    }

    /// A beat was done by the chip.
    pub fn moved(&mut self, cx: &mut Context<'_>, channel: u8, outcome: BeatOutcome) {
        let n = channel as usize;
        match outcome {
            BeatOutcome::Busy(until) => self.due = until,
            BeatOutcome::Fault => {
                self.fail(n);
                self.due_in(cx, BEAT_CYCLES);
            }
            BeatOutcome::Done(value) => self.end_beat(cx, n, value),
        }
    }

    /// A transfer error ends the channel.
    fn fail(&mut self, n: usize) {
        self.channels[n].flags |= TERR;
        self.disable(n);
    }

    fn end_beat(&mut self, cx: &mut Context<'_>, n: usize, value: u32) {
        self.due_in(cx, BEAT_CYCLES);
        let channel = &mut self.channels[n];
        let Some(descriptor) = &mut channel.descriptor else { return };
        descriptor.count -= 1;
        let bytes = descriptor.width().map_or(4, |width| width.bytes());
        let (ends, event) = (descriptor.count == 0, descriptor.beat_event());
        if channel.trigger_action() == TriggerAction::Beat {
            channel.acting = false;
        }
        if self.ctrl & CRCENABLE != 0 && self.crc.takes_channel(n) {
            self.crc.add(value, bytes);
        }
        if event {
            self.send_event(cx, n);
        }
        if ends {
            self.end_block(cx, n);
        } else {
            self.store_descriptor(cx, n);
        }
    }

    /// Keeps the write-back section as it would be if the channel were left now.
    fn store_descriptor(&mut self, cx: &mut Context<'_>, n: usize) {
        let address = self.write_back.wrapping_add(DESCRIPTOR_BYTES * n as u32);
        if let Some(descriptor) = self.channels[n].descriptor
            && !descriptor.write_back(cx, address)
        {
            self.fail(n);
        }
    }

    fn end_block(&mut self, cx: &mut Context<'_>, n: usize) {
        let Some(mut descriptor) = self.channels[n].descriptor else { return };
        descriptor.invalidate();
        self.channels[n].descriptor = Some(descriptor);
        self.store_descriptor(cx, n);
        let channel = &mut self.channels[n];
        channel.busy = false;
        // The end of the transaction is reported whatever the block action says.
        if descriptor.interrupts() || descriptor.next == 0 {
            channel.flags |= TCMPL;
        }
        if channel.trigger_action() != TriggerAction::Transaction || descriptor.next == 0 {
            channel.acting = false;
        }
        let suspends = descriptor.suspends() && !std::mem::take(&mut channel.skips_suspend);
        channel.descriptor = None;
        if descriptor.next == 0 {
            self.disable(n);
        } else {
            self.fetch(cx, n, descriptor.next);
            let going_on = self.channels[n].trigger_action() == TriggerAction::Transaction;
            self.channels[n].busy = going_on && self.channels[n].descriptor.is_some();
        }
        if suspends {
            self.suspend(n);
        }
        if descriptor.block_event() {
            self.send_event(cx, n);
        }
        self.due_in(cx, BEAT_CYCLES + WRITE_BACK_CYCLES);
    }

    fn send_event(&self, cx: &mut Context<'_>, n: usize) {
        if n < EVENT_CHANNELS && self.channels[n].sends_events() {
            cx.out.event(FIRST_GENERATOR + n as u8);
        }
    }
}
