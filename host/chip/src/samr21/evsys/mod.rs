// SPDX-License-Identifier: MIT OR Apache-2.0
//! EVSYS: events from block to block without the processor (data sheet, chapter "EVSYS - Event
//! System").

#[cfg(test)]
mod tests;

use super::register::{self, At, Bank, Register, choice, ones, ro, rw, up_to};
use crate::samr21::peripheral::{Context, Effect, Peripheral, ResetKind};
use crate::{Time, WarningKind};
use lichen_isa::Width;

/// Offsets exempt from write protection: INTFLAG.
const EXEMPT: std::ops::Range<u32> = 0x18..0x1C;
const CHANNELS: usize = 12;
const USERS: usize = 28;
/// Generic clock channel of event channel 0.
const FIRST_CLOCK: u8 = 7;

/// Edges of the channel's clock from generator to user.
const SYNCHRONOUS_EDGES: u64 = 2;
const RESYNCHRONIZED_EDGES: u64 = 3;

/// CTRL.
const SWRST: u32 = 1 << 0;
const GCLKREQ: u8 = 1 << 4;
/// CHANNEL.
const SWEVT: u32 = 1 << 8;

/// The value of CHANNEL.EDGSEL, as a bit, that makes two events of a pulse.
const BOTH_EDGES: u32 = 1 << 3;

/// How a channel forwards events (CHANNEL.PATH).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Synchronous,
    Resynchronized,
    Asynchronous,
}

/// A channel.
#[derive(Clone, Copy, Debug, Default, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Channel {
    /// EVGEN, PATH and EDGSEL where CHANNEL has them.
    image: u32,
    /// When the event under way reaches the users.
    arrives: Option<Time>,
}

impl Channel {
    fn generator(&self) -> u8 {
        (self.image >> 16 & 0x7F) as u8
    }

    fn path(&self) -> Path {
        match self.image >> 24 & 3 {
            0 => Path::Synchronous,
            1 => Path::Resynchronized,
            _ => Path::Asynchronous,
        }
    }

    /// CHANNEL.EDGSEL: an event is a pulse, and one of its edges counts.
    fn detects_edges(&self) -> bool {
        self.image >> 26 & 3 != 0
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    Channel,
    User,
    ChStatus,
    IntEnClr,
    IntEnSet,
    IntFlag,
}

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Ctrl, 0x00, Width::Byte, 0x11),
    rw(Id::Channel, 0x04, Width::Word, 0x0F7F_010F)
        .choosing(&[choice(24, 2, up_to(2)), choice(26, 2, up_to(3)).lacking(BOTH_EDGES)]),
    rw(Id::User, 0x08, Width::Half, 0x1F1F),
    ro(Id::ChStatus, 0x0C, Width::Word),
    ones(Id::IntEnClr, 0x10, Width::Word),
    ones(Id::IntEnSet, 0x14, Width::Word),
    ones(Id::IntFlag, 0x18, Width::Word),
];

/// Bits of INTFLAG and CHSTATUS: overrun or ready in one half of each pair of bytes, detected or
/// busy in the other.
const fn lower(channel: usize) -> u32 {
    1 << if channel < 8 { channel } else { channel + 8 }
}

const fn upper(channel: usize) -> u32 {
    lower(channel) << 8
}

/// The event system.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Evsys {
    ctrl: u8,
    channels: [Channel; CHANNELS],
    /// Channel number plus one of each user, 0 for none.
    users: [u8; USERS],
    selected_channel: usize,
    selected_user: usize,
    enabled_interrupts: u32,
    flags: u32,
}

impl Evsys {
    /// The event system after reset.
    pub fn new() -> Evsys {
        Evsys {
            ctrl: 0,
            channels: [Channel::default(); CHANNELS],
            users: [0; USERS],
            selected_channel: 0,
            selected_user: 0,
            enabled_interrupts: 0,
            flags: 0,
        }
    }

    /// A generator fires.
    pub fn generate(&mut self, cx: &mut Context<'_>, generator: u8) {
        for n in 0..CHANNELS {
            if generator != 0 && self.channels[n].generator() == generator {
                self.enter(cx, n);
            }
        }
    }

    /// An event enters a channel.
    fn enter(&mut self, cx: &mut Context<'_>, n: usize) {
        let channel = self.channels[n];
        let edges = match channel.path() {
            Path::Asynchronous => return self.deliver(cx, n),
            _ if !channel.detects_edges() => return,
            Path::Synchronous => SYNCHRONOUS_EDGES,
            Path::Resynchronized => RESYNCHRONIZED_EDGES,
        };
        if channel.arrives.is_some() {
            self.flags |= lower(n);
            return;
        }
        match cx.clocks.generic(FIRST_CLOCK + n as u8) {
            Some(clock) => {
                self.flags |= upper(n);
                self.channels[n].arrives = Some(clock.nth_after(cx.now, edges));
            }
            None => cx.out.warn(WarningKind::CoreUnclocked),
        }
    }

    /// The users of a channel get their event.
    fn deliver(&mut self, cx: &mut Context<'_>, n: usize) {
        for (user, channel) in self.users.iter().enumerate() {
            if *channel as usize == n + 1 {
                cx.out.push(Effect::User(user as u8));
            }
        }
    }

    fn write_channel(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if at.lanes & 0xFF != 0 {
            self.selected_channel = value as usize & 0xF;
        }
        let n = self.selected_channel;
        if n >= CHANNELS {
            cx.out.warn(WarningKind::Reserved);
            return;
        }
        const KEPT: u32 = 0x0F7F_0000;
        // A byte write to only the number selects what is read.
        let channel = &mut self.channels[n];
        channel.image = at.merge(channel.image, value & KEPT);
        if value & SWEVT != 0 {
            self.enter(cx, n);
        }
    }

    fn write_user(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if at.lanes & 0xFF != 0 {
            self.selected_user = value as usize & 0x1F;
        }
        let channel = value >> 8 & 0x1F;
        match self.users.get_mut(self.selected_user) {
            Some(user) if channel as usize <= CHANNELS => {
                if at.lanes & 0xFF00 != 0 {
                    *user = channel as u8;
                }
            }
            _ => cx.out.warn(WarningKind::Reserved),
        }
    }

    fn status(&self) -> u32 {
        (0..CHANNELS)
            .map(|n| lower(n) | if self.channels[n].arrives.is_some() { upper(n) } else { 0 })
            .fold(0, |all, bits| all | bits)
    }
}

impl Default for Evsys {
    fn default() -> Evsys {
        Evsys::new()
    }
}

impl Bank for Evsys {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => self.ctrl as u32,
            Id::Channel => {
                let channel = self.channels.get(self.selected_channel);
                channel.map_or(0, |channel| channel.image) | self.selected_channel as u32
            }
            Id::User => {
                let channel = self.users.get(self.selected_user).copied().unwrap_or(0) as u32;
                channel << 8 | self.selected_user as u32
            }
            Id::ChStatus => self.status(),
            Id::IntEnClr | Id::IntEnSet => self.enabled_interrupts,
            Id::IntFlag => self.flags,
        }
    }

    fn holds_until(&self, _now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::ChStatus | Id::IntFlag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        const INTERRUPTS: u32 = 0x0F0F_FFFF;
        match at.id {
            Id::Ctrl if value & SWRST != 0 => *self = Evsys::new(),
            Id::Ctrl => self.ctrl = value as u8 & GCLKREQ,
            Id::Channel => self.write_channel(cx, at, value),
            Id::User => self.write_user(cx, at, value),
            Id::ChStatus => {}
            Id::IntEnClr => self.enabled_interrupts &= !value,
            Id::IntEnSet => self.enabled_interrupts |= value & INTERRUPTS,
            Id::IntFlag => self.flags &= !value,
        }
    }
}

impl Peripheral for Evsys {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        self.channels.iter().filter_map(|channel| channel.arrives).min().unwrap_or(Time::NEVER)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        for n in 0..CHANNELS {
            if self.channels[n].arrives.take_if(|at| *at <= cx.now).is_some() {
                self.deliver(cx, n);
            }
        }
    }

    fn irq(&self) -> bool {
        self.flags & self.enabled_interrupts != 0
    }

    fn interrupts(&self) -> bool {
        self.enabled_interrupts != 0
    }

    fn wants_clock(&self, channel: u8) -> bool {
        let clocked = |n: usize| self.channels[n].arrives.is_some() || self.ctrl & GCLKREQ != 0;
        channel
            .checked_sub(FIRST_CLOCK)
            .map(usize::from)
            .is_some_and(|n| n < CHANNELS && clocked(n))
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.contains(&offset)
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Evsys::new();
    }
}
