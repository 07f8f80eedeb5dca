// SPDX-License-Identifier: MIT OR Apache-2.0
//! A DMA channel and its transfer descriptor.

use crate::samr21::peripheral::{Beat, Context};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_isa::Width;

/// CHINTFLAG.
pub(super) const TERR: u8 = 1 << 0;
pub(super) const TCMPL: u8 = 1 << 1;
pub(super) const SUSP: u8 = 1 << 2;

/// CHCTRLB.
const EVIE: u32 = 1 << 3;
const EVOE: u32 = 1 << 4;

/// How much one trigger moves (CHCTRLB.TRIGACT).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriggerAction {
    Block,
    Beat,
    Transaction,
}

/// What an event does to a channel (CHCTRLB.EVACT).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventAction {
    None,
    Trigger,
    Suspend,
    Resume,
    SkipSuspend,
}

/// A transfer descriptor in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Descriptor {
    control: u16,
    pub count: u16,
    source: u32,
    destination: u32,
    pub next: u32,
}

/// Bytes of a descriptor in memory.
pub(super) const DESCRIPTOR_BYTES: u32 = 16;

impl Descriptor {
    /// The descriptor at `address`; `None` if that is not memory.
    pub fn fetch(cx: &Context<'_>, address: u32) -> Option<Descriptor> {
        let word = |n: u32| cx.memory.read(address.wrapping_add(4 * n), Width::Word);
        let first = word(0)?;
        Some(Descriptor {
            control: first as u16,
            count: (first >> 16) as u16,
            source: word(1)?,
            destination: word(2)?,
            next: word(3)?,
        })
    }

    /// Writes the descriptor to the write-back section; false if that is not memory.
    pub fn write_back(&self, cx: &mut Context<'_>, address: u32) -> bool {
        let first = self.control as u32 | (self.count as u32) << 16;
        [first, self.source, self.destination, self.next]
            .into_iter()
            .zip((address..).step_by(4))
            .all(|(word, at)| cx.memory.store(at, Width::Word, word).is_some())
    }

    pub fn is_valid(&self) -> bool {
        self.control & 1 != 0
    }

    /// Marks the descriptor as used up.
    pub fn invalidate(&mut self) {
        self.control &= !1;
    }

    /// Whether the end of the block raises an interrupt (BLOCKACT INT and BOTH).
    pub fn interrupts(&self) -> bool {
        self.control >> 3 & 1 != 0
    }

    /// Whether the end of the block suspends the channel (BLOCKACT SUSPEND and BOTH).
    pub fn suspends(&self) -> bool {
        self.control >> 4 & 1 != 0
    }

    /// Whether an event goes out after each block, or after each beat (EVOSEL).
    pub fn block_event(&self) -> bool {
        self.control >> 1 & 3 == 1
    }

    pub fn beat_event(&self) -> bool {
        self.control >> 1 & 3 == 3
    }

    /// Size of a beat; `None` for the reserved value.
    pub fn width(&self) -> Option<Width> {
        match self.control >> 8 & 3 {
            0 => Some(Width::Byte),
            1 => Some(Width::Half),
            2 => Some(Width::Word),
            _ => None,
        }
    }

    /// The next beat. Incrementing addresses are given in the descriptor as the first address after
    /// the block.
    pub fn beat(&self, channel: u8, width: Width) -> Beat {
        let stepped = |increments: bool, takes_step: bool, address: u32| {
            if !increments {
                return address;
            }
            let step = if takes_step { 1 << (self.control >> 13) } else { 1 };
            address.wrapping_sub(self.count as u32 * width.bytes() * step)
        };
        let steps_source = self.control >> 12 & 1 != 0;
        Beat {
            channel,
            source: stepped(self.control >> 10 & 1 != 0, steps_source, self.source),
            destination: stepped(self.control >> 11 & 1 != 0, !steps_source, self.destination),
            width,
        }
    }
}

/// A channel.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Channel {
    pub enabled: bool,
    /// CHCTRLB without its command.
    pub control: u32,
    pub enabled_interrupts: u8,
    pub flags: u8,
    pub suspended: bool,
    pub fetch_error: bool,
    /// A trigger came that was not yet served.
    pub pending: bool,
    /// What a trigger asked for is under way: it goes on without another one.
    pub acting: bool,
    /// A block is under way.
    pub busy: bool,
    /// The descriptor that the channel works on, once it was fetched.
    pub descriptor: Option<Descriptor>,
    /// Address of a descriptor that was not valid, which is fetched again.
    pub again: Option<u32>,
    /// The next block's suspend action is skipped (event action SSKIP).
    pub skips_suspend: bool,
}

impl Channel {
    /// CHCTRLB.TRIGSRC; 0 is software and events only.
    pub fn source(&self) -> u8 {
        (self.control >> 8 & 0x3F) as u8
    }

    /// CHCTRLB.LVL.
    pub fn level(&self) -> u8 {
        (self.control >> 5 & 3) as u8
    }

    pub fn trigger_action(&self) -> TriggerAction {
        match self.control >> 22 & 3 {
            2 => TriggerAction::Beat,
            3 => TriggerAction::Transaction,
            _ => TriggerAction::Block,
        }
    }

    /// The event action, if events are taken at all and the action is modelled.
    pub fn event_action(&self) -> EventAction {
        match self.control & 7 {
            _ if self.control & EVIE == 0 => EventAction::None,
            1 => EventAction::Trigger,
            4 => EventAction::Suspend,
            5 => EventAction::Resume,
            6 => EventAction::SkipSuspend,
            _ => EventAction::None,
        }
    }

    /// Begins what the trigger asked for, unless that was begun before.
    pub fn act(&mut self) {
        if !self.acting {
            (self.acting, self.pending) = (true, false);
        }
        self.busy = true;
    }

    /// Ends whatever it does, and takes no more triggers.
    pub fn disable(&mut self) {
        (self.enabled, self.acting) = (false, false);
        (self.busy, self.pending) = (false, false);
        self.descriptor = None;
    }

    pub fn sends_events(&self) -> bool {
        self.control & EVOE != 0
    }

    pub fn interrupts(&self) -> bool {
        self.flags & self.enabled_interrupts != 0
    }
}
