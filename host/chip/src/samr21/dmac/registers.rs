// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controller's registers; those of channels are selected by CHID.

use super::channel::{Channel, SUSP, TCMPL, TERR};
use super::{CHANNELS, CRCENABLE, DMAENABLE, Dmac, LEVELS, SWRST};
use crate::samr21::peripheral::Context;
use crate::samr21::register::{At, Bank, Register, choice, ones, ro, rw, up_to};
use crate::{Time, WarningKind};
use lichen_isa::Width;

/// The block's names for its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    Ctrl,
    CrcCtrl,
    CrcDataIn,
    CrcChksum,
    CrcStatus,
    DbgCtrl,
    QosCtrl,
    SwTrigCtrl,
    PriCtrl,
    IntPend,
    IntStatus,
    BusyCh,
    PendCh,
    Active,
    BaseAddr,
    WrbAddr,
    Channel,
    ChCtrlA,
    ChCtrlB,
    ChIntEnClr,
    ChIntEnSet,
    ChIntFlag,
    ChStatus,
}

/// The values of CHCTRLB.EVACT, as bits, by which an event is only a condition of a transfer.
const CONDITIONAL: u32 = 1 << 2 | 1 << 3;

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Ctrl, 0x00, Width::Half, 0x0F07),
    rw(Id::CrcCtrl, 0x02, Width::Half, 0x3F0F)
        .choosing(&[choice(0, 2, up_to(2)), choice(2, 2, up_to(1))]),
    rw(Id::CrcDataIn, 0x04, Width::Word, u32::MAX),
    rw(Id::CrcChksum, 0x08, Width::Word, u32::MAX),
    ones(Id::CrcStatus, 0x0C, Width::Byte),
    rw(Id::DbgCtrl, 0x0D, Width::Byte, 0x01),
    rw(Id::QosCtrl, 0x0E, Width::Byte, 0x3F),
    rw(Id::SwTrigCtrl, 0x10, Width::Word, 0x0FFF),
    rw(Id::PriCtrl, 0x14, Width::Word, 0x8F8F_8F8F),
    ones(Id::IntPend, 0x20, Width::Half),
    ro(Id::IntStatus, 0x24, Width::Word),
    ro(Id::BusyCh, 0x28, Width::Word),
    ro(Id::PendCh, 0x2C, Width::Word),
    ro(Id::Active, 0x30, Width::Word),
    rw(Id::BaseAddr, 0x34, Width::Word, u32::MAX),
    rw(Id::WrbAddr, 0x38, Width::Word, u32::MAX),
    rw(Id::Channel, 0x3F, Width::Byte, 0x0F),
    rw(Id::ChCtrlA, 0x40, Width::Byte, 0x03),
    rw(Id::ChCtrlB, 0x44, Width::Word, 0x03C0_3F7F).choosing(&[
        choice(0, 3, up_to(6)).lacking(CONDITIONAL),
        choice(22, 2, 0b1101),
        choice(24, 2, up_to(2)),
    ]),
    ones(Id::ChIntEnClr, 0x4C, Width::Byte),
    ones(Id::ChIntEnSet, 0x4D, Width::Byte),
    ones(Id::ChIntFlag, 0x4E, Width::Byte),
    ro(Id::ChStatus, 0x4F, Width::Byte),
];

/// CHCTRLB: the level and the command, which may be written while the channel is enabled.
const LVL: u32 = 3 << 5;
const CMD: u32 = 3 << 24;
const SUSPEND: u32 = 1 << 24;
const RESUME: u32 = 2 << 24;
/// The first value of CHCTRLB.TRIGSRC that no block has.
const TRIGSRC_END: u32 = 45;
/// CRCSTATUS.
const CRCBUSY: u8 = 1 << 0;
const CRCZERO: u8 = 1 << 1;

impl Bank for Dmac {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        let channel = &self.channels[self.selected];
        match at.id {
            Id::Ctrl => self.ctrl as u32,
            Id::CrcCtrl => self.crc.control() as u32,
            Id::CrcDataIn => 0,
            Id::CrcChksum => self.crc.checksum(),
            Id::CrcStatus => self.crc_status() as u32,
            Id::DbgCtrl => self.dbgctrl as u32,
            Id::QosCtrl => self.qosctrl as u32,
            Id::SwTrigCtrl | Id::PendCh => self.mask(|channel| channel.pending),
            Id::PriCtrl => self.prictrl,
            Id::IntPend => self.interrupt_pending(),
            Id::IntStatus => self.mask(Channel::interrupts),
            Id::BusyCh => self.mask(|channel| channel.busy),
            Id::Active => self.active_channel(),
            Id::BaseAddr => self.base,
            Id::WrbAddr => self.write_back,
            Id::Channel => self.selected as u32,
            Id::ChCtrlA => (channel.enabled as u32) << 1,
            Id::ChCtrlB => channel.control,
            Id::ChIntEnClr | Id::ChIntEnSet => channel.enabled_interrupts as u32,
            Id::ChIntFlag => channel.flags as u32,
            Id::ChStatus => channel_status(channel),
        }
    }

    /// Registers do not change when they are read, nor between two moments at which the controller
    /// is due.
    fn holds_until(&self, _now: Time, _at: At<Id>) -> Time {
        Time::NEVER
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::Ctrl => self.write_ctrl(cx, at.merge(self.ctrl as u32, value) as u16),
            Id::CrcCtrl => self.write_crc_control(cx, at, value),
            Id::CrcDataIn => {
                if self.ctrl & CRCENABLE != 0 && self.crc.takes_writes() {
                    self.crc.write(value);
                }
            }
            Id::CrcChksum if !self.is_crc_locked(cx) => self.crc.set(value),
            Id::CrcStatus => {
                if value as u8 & CRCBUSY != 0 && self.crc.takes_more() {
                    self.crc.complete();
                }
            }
            Id::DbgCtrl => self.dbgctrl = value as u8,
            Id::QosCtrl => self.qosctrl = value as u8,
            Id::SwTrigCtrl => self.software_trigger(cx, value),
            Id::PriCtrl => self.prictrl = at.merge(self.prictrl, value),
            Id::IntPend => self.acknowledge(value),
            Id::BaseAddr if !self.is_locked(cx) => self.base = at.merge(self.base, value),
            Id::WrbAddr if !self.is_locked(cx) => {
                self.write_back = at.merge(self.write_back, value);
            }
            Id::Channel if (value as usize) < CHANNELS => self.selected = value as usize,
            Id::Channel => cx.out.warn(WarningKind::Reserved),
            _ => self.store_channel(cx, at, value),
        }
    }
}

impl Dmac {
    fn store_channel(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let channel = &mut self.channels[self.selected];
        match at.id {
            Id::ChCtrlA => self.write_channel_enable(cx, value),
            Id::ChCtrlB => self.write_channel_control(cx, at, value),
            Id::ChIntEnClr => channel.enabled_interrupts &= !(value as u8),
            Id::ChIntEnSet => channel.enabled_interrupts |= value as u8 & (TERR | TCMPL | SUSP),
            Id::ChIntFlag => self.clear_flags(self.selected, value as u8),
            _ => {}
        }
    }

    fn mask(&self, is: impl Fn(&Channel) -> bool) -> u32 {
        self.channels.iter().enumerate().map(|(n, channel)| (is(channel) as u32) << n).sum()
    }

    /// BASEADDR and WRBADDR may not change while the controller is enabled.
    fn is_locked(&self, cx: &mut Context<'_>) -> bool {
        self.is_locked_by(cx, DMAENABLE)
    }

    /// CRCCTRL and CRCCHKSUM may not change while the checksum engine is enabled.
    fn is_crc_locked(&self, cx: &mut Context<'_>) -> bool {
        self.is_locked_by(cx, CRCENABLE)
    }

    fn is_locked_by(&self, cx: &mut Context<'_>, enable: u16) -> bool {
        let locked = self.ctrl & enable != 0;
        if locked {
            cx.out.warn(WarningKind::Protected);
        }
        locked
    }

    fn write_ctrl(&mut self, cx: &mut Context<'_>, value: u16) {
        if value & SWRST != 0 {
            if self.ctrl & (DMAENABLE | CRCENABLE) != 0 {
                cx.out.warn(WarningKind::Protected);
                return;
            }
            // The triggers are levels of other blocks.
            *self = Dmac { triggers: self.triggers, ..Dmac::new() };
            return;
        }
        self.ctrl = value;
        self.wake(cx);
    }

    fn write_crc_control(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if self.is_crc_locked(cx) {
            return;
        }
        let control = at.merge(self.crc.control() as u32, value) as u16;
        if !self.crc.choose(control) {
            cx.out.warn(WarningKind::Reserved);
        }
    }

    /// CRCSTATUS: the engine is busy while its channel is enabled, or until software says that its
    /// data are complete.
    fn crc_status(&self) -> u8 {
        let enabled = |n: usize| self.channels[n].enabled && self.crc.takes_channel(n);
        let busy = self.crc.takes_more() || (0..CHANNELS).any(enabled);
        let zero = if self.crc.is_zero() { CRCZERO } else { 0 };
        zero | if busy { CRCBUSY } else { 0 }
    }

    fn software_trigger(&mut self, cx: &mut Context<'_>, value: u32) {
        for (n, channel) in self.channels.iter_mut().enumerate() {
            channel.pending |= channel.enabled && value >> n & 1 != 0;
        }
        self.wake(cx);
    }

    /// INTPEND as it reads: the lowest channel with an interrupt, and that channel's flags.
    fn interrupt_pending(&self) -> u32 {
        let Some(n) = self.first_interrupt() else { return 0 };
        let channel = &self.channels[n];
        let state = (channel.fetch_error as u32) << 13
            | (channel.busy as u32) << 14
            | (channel.pending as u32) << 15;
        n as u32 | (channel.flags as u32) << 8 | state
    }

    /// INTPEND is written: clears flags of the channel it names.
    fn acknowledge(&mut self, value: u32) {
        let n = value as usize & 0xF;
        if n < CHANNELS {
            self.clear_flags(n, (value >> 8) as u8 & (TERR | TCMPL | SUSP));
        }
    }

    fn active_channel(&self) -> u32 {
        const ABUSY: u32 = 1 << 15;
        let Some(n) = self.active else { return 0 };
        let channel = &self.channels[n];
        let count = channel.descriptor.map_or(0, |descriptor| descriptor.count) as u32;
        let busy = if channel.busy { ABUSY } else { 0 };
        1 << (channel.level() as usize % LEVELS) | (n as u32) << 8 | busy | count << 16
    }

    fn write_channel_enable(&mut self, cx: &mut Context<'_>, value: u32) {
        const CHANNEL_SWRST: u32 = 1 << 0;
        const CHANNEL_ENABLE: u32 = 1 << 1;
        let n = self.selected;
        let enable = value & CHANNEL_ENABLE != 0;
        if value & CHANNEL_SWRST != 0 {
            if self.channels[n].enabled {
                cx.out.warn(WarningKind::Protected);
            } else {
                self.channels[n] = Channel::default();
            }
            return;
        }
        let channel = &mut self.channels[n];
        if !enable {
            self.disable(n);
        } else if !channel.enabled {
            *channel = Channel {
                enabled: true,
                control: channel.control,
                enabled_interrupts: channel.enabled_interrupts,
                flags: channel.flags,
                ..Channel::default()
            };
            self.wake(cx);
        }
    }

    fn write_channel_control(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let n = self.selected;
        let channel = &mut self.channels[n];
        let control = at.merge(channel.control, value) & !CMD;
        if control >> 8 & 0x3F >= TRIGSRC_END {
            cx.out.warn(WarningKind::Reserved);
        }
        let changed = control ^ channel.control;
        if channel.enabled && changed & !LVL != 0 {
            cx.out.warn(WarningKind::Protected);
            channel.control ^= changed & LVL;
        } else {
            channel.control = control;
        }
        match value & CMD {
            SUSPEND => self.suspend(n),
            RESUME => self.resume(cx, n),
            _ => {}
        }
    }
}

fn channel_status(channel: &Channel) -> u32 {
    channel.pending as u32 | (channel.busy as u32) << 1 | (channel.fetch_error as u32) << 2
}
