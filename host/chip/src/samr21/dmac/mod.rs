// SPDX-License-Identifier: MIT OR Apache-2.0
//! DMAC: moves data without the processor (data sheet, chapter "DMAC - Direct Memory Access
//! Controller").
//!
//! The chip makes the bus accesses of a beat; the controller says which, and when.

mod channel;
mod crc;
mod engine;
mod registers;
#[cfg(test)]
mod tests;

use super::register;
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::{OFF, Time};
use channel::{Channel, EventAction};
use crc::Crc;

/// Bridge of the peripheral bus that the DMAC is on (B); its bus clock times the transfers.
const BRIDGE: u8 = 1;
/// Offsets exempt from write protection: INTPEND, CHID and CHINTFLAG.
const EXEMPT: [std::ops::Range<u32>; 3] = [0x20..0x22, 0x3F..0x40, 0x4E..0x4F];
const CHANNELS: usize = 12;
/// Priority levels.
const LEVELS: usize = 4;
/// Triggers: numbers start at 1.
const TRIGGERS: usize = 64;
/// Channels that receive and generate events.
const EVENT_CHANNELS: usize = 4;
/// Event generator of channel 0.
const FIRST_GENERATOR: u8 = 30;

/// CTRL.
const SWRST: u16 = 1 << 0;
const DMAENABLE: u16 = 1 << 1;
const CRCENABLE: u16 = 1 << 2;

/// The DMA controller.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Dmac {
    ctrl: u16,
    crc: Crc,
    dbgctrl: u8,
    qosctrl: u8,
    prictrl: u32,
    base: u32,
    write_back: u32,
    selected: usize,
    channels: [Channel; CHANNELS],
    /// Levels of the triggers.
    triggers: [bool; TRIGGERS],
    /// The channel whose descriptor is loaded.
    active: Option<usize>,
    /// Time of the engine's next step.
    due: Time,
}

impl Dmac {
    /// The controller after reset.
    pub fn new() -> Dmac {
        Dmac {
            ctrl: 0,
            crc: Crc::new(),
            dbgctrl: 0,
            qosctrl: 0x15,
            prictrl: 0,
            base: 0,
            write_back: 0,
            selected: 0,
            channels: [Channel::default(); CHANNELS],
            triggers: [false; TRIGGERS],
            active: None,
            due: Time::NEVER,
        }
    }

    /// A trigger changes its level.
    pub fn trigger(&mut self, cx: &mut Context<'_>, source: u8, active: bool) {
        let Some(level) = self.triggers.get_mut(source as usize) else { return };
        let rises = active && !*level;
        *level = active;
        if rises {
            for channel in &mut self.channels {
                channel.pending |= channel.enabled && channel.source() == source;
            }
            self.wake(cx);
        }
    }

    /// The lowest channel whose interrupt is raised.
    fn first_interrupt(&self) -> Option<usize> {
        self.channels.iter().position(Channel::interrupts)
    }

    /// Interrupt flags are cleared; a suspended channel stays so until it is resumed.
    fn clear_flags(&mut self, channel: usize, flags: u8) {
        self.channels[channel].flags &= !flags;
    }

    /// A channel ends, or is disabled.
    fn disable(&mut self, channel: usize) {
        let ends = self.channels[channel].enabled;
        self.channels[channel].disable();
        if ends && self.ctrl & CRCENABLE != 0 && self.crc.takes_channel(channel) {
            self.crc.complete();
        }
    }

    fn suspend(&mut self, channel: usize) {
        let channel = &mut self.channels[channel];
        channel.suspended = true;
        channel.flags |= channel::SUSP;
    }

    fn resume(&mut self, cx: &mut Context<'_>, channel: usize) {
        let resumed = &mut self.channels[channel];
        (resumed.suspended, resumed.fetch_error) = (false, false);
        self.wake(cx);
    }
}

impl Default for Dmac {
    fn default() -> Dmac {
        Dmac::new()
    }
}

impl Peripheral for Dmac {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        self.due
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.due = Time::NEVER;
        if cx.clocks.ahb_runs() {
            self.step(cx);
        }
    }

    /// It stands still where the AHB does, and goes on where it was.
    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        self.wake(cx);
    }

    fn activity(&self) -> &'static str {
        match self.active {
            Some(_) => "transferring",
            None if self.ctrl & DMAENABLE != 0 => "on",
            None => OFF,
        }
    }

    fn irq(&self) -> bool {
        self.first_interrupt().is_some()
    }

    fn interrupts(&self) -> bool {
        self.channels.iter().any(|channel| channel.enabled_interrupts != 0)
    }

    fn event(&mut self, cx: &mut Context<'_>, user: u8) {
        let n = user as usize;
        if n >= EVENT_CHANNELS || !self.channels[n].enabled {
            return;
        }
        match self.channels[n].event_action() {
            EventAction::Trigger => {
                self.channels[n].pending = true;
                self.wake(cx);
            }
            EventAction::Suspend => self.suspend(n),
            EventAction::Resume => self.resume(cx, n),
            EventAction::SkipSuspend => self.channels[n].skips_suspend = true,
            EventAction::None => {}
        }
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.iter().any(|exempt| exempt.contains(&offset))
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Dmac::new();
    }
}
