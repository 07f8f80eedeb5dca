// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oscillators' registers as the bus sees them, and due events.

use super::registers::*;
use super::{BOD33_SYNC, Sysctrl};
use crate::samr21::factory;
use crate::samr21::peripheral::{Context, Effect, Peripheral, ResetKind};
use crate::samr21::register::{self, At, Bank, Register};
use crate::{Time, WarningKind};

impl Sysctrl {
    fn write_oscillator(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let (register, locked) = match at.id {
            Id::Xosc => (&mut self.xosc, false),
            Id::Xosc32k => {
                let locked = self.xosc32k & WRTLOCK_16 != 0;
                (&mut self.xosc32k, locked)
            }
            Id::Osc32k => {
                let locked = self.osc32k & WRTLOCK_16 != 0;
                (&mut self.osc32k, locked)
            }
            Id::Osculp32k => {
                let locked = self.osculp32k & 1 << 7 != 0;
                (&mut self.osculp32k, locked)
            }
            _ => (&mut self.osc8m, false),
        };
        if locked {
            cx.out.warn(WarningKind::Protected);
        } else {
            *register = at.merge(*register, value);
            cx.out.push(Effect::Clocks);
        }
    }

    fn write_dfll(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::DfllCtrl => {
                let control = at.merge(self.dfll.control, value);
                self.dfll.set_control(cx.now, control);
            }
            Id::DfllVal => {
                let value = at.merge(self.dfll.value(), value);
                self.dfll.set_value(cx.now, value);
            }
            Id::DfllMul => {
                let multiplier = at.merge(self.dfll.multiplier, value);
                self.dfll.set_multiplier(cx.now, multiplier);
            }
            _ => self.dfll.written(cx.now),
        }
        self.update_status(cx.now);
        cx.out.push(Effect::Clocks);
    }

    fn write_dpll(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let register = match at.id {
            Id::DpllCtrlA => &mut self.dpll.control_a,
            Id::DpllRatio => &mut self.dpll.ratio,
            _ => &mut self.dpll.control_b,
        };
        *register = at.merge(*register, value);
        cx.out.push(Effect::Clocks);
    }
}

impl Bank for Sysctrl {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::IntenClr | Id::IntenSet => self.inten,
            Id::Intflag => self.intflag,
            Id::Pclksr => self.pclksr,
            Id::Xosc => self.xosc,
            Id::Xosc32k => self.xosc32k,
            Id::Osc32k => self.osc32k,
            Id::Osculp32k => self.osculp32k,
            Id::Osc8m => self.osc8m,
            Id::DfllCtrl => self.dfll.control,
            Id::DfllVal => self.dfll.value(),
            Id::DfllMul => self.dfll.multiplier,
            Id::DfllSync => 0,
            Id::Bod33 => self.bod33,
            Id::Vreg => self.vreg,
            Id::Vref => self.vref,
            Id::DpllCtrlA => self.dpll.control_a,
            Id::DpllRatio => self.dpll.ratio,
            Id::DpllCtrlB => self.dpll.control_b,
            Id::DpllStatus => self.dpll.status(),
        }
    }

    fn holds_until(&self, _now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Pclksr | Id::Intflag | Id::DpllStatus => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::IntenClr => self.inten &= !value,
            Id::IntenSet => self.inten |= value & INTERRUPTS,
            Id::Intflag => self.intflag &= !value,
            Id::Xosc | Id::Xosc32k | Id::Osc32k | Id::Osculp32k | Id::Osc8m => {
                self.write_oscillator(cx, at, value);
            }
            Id::DfllCtrl | Id::DfllVal | Id::DfllMul | Id::DfllSync => {
                self.write_dfll(cx, at, value);
            }
            Id::DpllCtrlA | Id::DpllRatio | Id::DpllCtrlB => self.write_dpll(cx, at, value),
            Id::Bod33 => {
                self.bod33 = at.merge(self.bod33, value);
                self.bod33_ready = cx.now + BOD33_SYNC;
                self.bod33_synchronizing = true;
                self.update_status(cx.now);
                self.watch_supply(cx);
            }
            Id::Vreg => self.vreg = at.merge(self.vreg, value),
            Id::Vref => self.vref = at.merge(self.vref, value),
            Id::Pclksr | Id::DpllStatus => {}
        }
    }
}

impl Peripheral for Sysctrl {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        let bod33 = if self.bod33_synchronizing { self.bod33_ready } else { Time::NEVER };
        [&self.main_crystal, &self.watch_crystal, &self.watch_rc, &self.fast_rc]
            .iter()
            .map(|oscillator| oscillator.due())
            .fold(bod33, Time::min)
            .min(self.dfll.due())
            .min(self.dpll.due())
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.bod33_synchronizing &= cx.now < self.bod33_ready;
        for oscillator in
            [&mut self.main_crystal, &mut self.watch_crystal, &mut self.watch_rc, &mut self.fast_rc]
        {
            oscillator.fire(cx.now);
        }
        self.dfll.fire(cx.now);
        self.dpll.fire(cx.now);
        self.update_status(cx.now);
        cx.out.push(Effect::Clocks);
    }

    fn irq(&self) -> bool {
        self.intflag & self.inten != 0
    }

    fn interrupts(&self) -> bool {
        self.inten != 0
    }

    fn write_protected(&self, offset: u32) -> bool {
        offset & !3 != INTFLAG
    }

    fn reset(&mut self, cx: &mut Context<'_>, kind: ResetKind) {
        if kind == ResetKind::Power {
            self.xosc32k = 0x80;
            self.osc32k = 0x003F_0080;
            self.osculp32k = factory::OSCULP32K_CALIB;
            self.bod33 = self.bod33_fuses;
            self.bod33_ready = cx.now;
            self.watch_crystal.stop();
            self.watch_rc.stop();
            self.always_on.stop();
        }
        self.begin_to_watch();
        self.inten = 0;
        self.intflag = 0;
        self.pclksr = 0;
        self.xosc = 0x80;
        self.osc8m = 0x8000_0382 | factory::OSC8M_CALIB << 16;
        self.vreg = 0;
        self.vref = 0;
        self.main_crystal.stop();
        self.fast_rc.stop();
        self.dfll.reset();
        self.dpll.reset();
        cx.out.push(Effect::Clocks);
    }
}
