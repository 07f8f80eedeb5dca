// SPDX-License-Identifier: MIT OR Apache-2.0
//! The real-time counter as the bus and the clocks see it.

use super::table::{self, Id};
use super::{BRIDGE, CHANNEL, Rtc, SYNCBUSY, SYNCRDY};
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::samr21::register::{self, At, Bank, Register};
use crate::{OFF, Time};

impl Bank for Rtc {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        table::registers(self.mode())
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => self.control,
            Id::ReadReq => self.read_request,
            Id::EvCtrl => self.event_control,
            Id::IntenClr | Id::IntenSet => self.inten,
            Id::Intflag => self.intflag,
            Id::Status => u32::from(self.crossing.is_busy(cx.now)) * SYNCBUSY,
            Id::DbgCtrl => self.debug,
            Id::FreqCorr => self.correction,
            Id::Count => self.read_count(cx),
            Id::Period => self.written.period,
            Id::Compare => self.written.compare[at.index],
            Id::Mask => self.written.mask,
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Status => self.crossing.holds_until(now),
            Id::Ctrl | Id::Intflag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::ReadReq => {
                let value = at.merge(self.read_request, value);
                self.write_read_request(cx, value);
            }
            Id::EvCtrl => {
                self.event_control = at.merge(self.event_control, value);
                self.schedule_periodic(cx.now);
            }
            Id::IntenClr => self.inten &= !value,
            Id::IntenSet => self.inten |= value & self.interrupts(),
            Id::Intflag => self.intflag &= !value,
            Id::DbgCtrl => self.debug = value,
            Id::Status => {}
            _ => self.write_synchronized(cx, at, value),
        }
    }
}

impl Peripheral for Rtc {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        self.crossing.due().min(self.counter.due()).min(self.periodic)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        // At this edge the counter acts before the crossing arrives.
        let flags = self.counter.fire(cx.now);
        self.raise(cx, flags);
        self.fire_periodic(cx);
        if let Some(command) = self.crossing.arrive(cx.now) {
            self.apply(cx, command);
        }
        if self.crossing.finish(cx.now).is_some() {
            self.intflag |= SYNCRDY;
        }
    }

    fn activity(&self) -> &'static str {
        if self.running { "counting" } else { OFF }
    }

    fn irq(&self) -> bool {
        self.intflag & self.inten != 0
    }

    fn interrupts(&self) -> bool {
        self.inten != 0
    }

    fn write_protected(&self, offset: u32) -> bool {
        !matches!(offset, 0x02 | 0x03 | 0x08 | 0x0A | 0x0B)
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let generic = cx.clocks.generic(CHANNEL);
        self.crossing.clocks_changed(cx.now, generic, cx.clocks.bus(BRIDGE));
        if generic != self.generic {
            self.generic = generic;
            self.prescaler_start = generic.map_or(cx.now, |clock| clock.nth_after(cx.now, 1));
            self.counter.set_clock(cx.now, self.counted());
            self.schedule_periodic(cx.now);
        }
    }

    fn wants_clock(&self, _channel: u8) -> bool {
        self.running || self.crossing.is_pending()
    }

    fn reset(&mut self, cx: &mut Context<'_>, kind: ResetKind) {
        if kind == ResetKind::Power {
            self.restore();
            self.generic = cx.clocks.generic(CHANNEL);
        }
    }
}
