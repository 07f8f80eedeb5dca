// SPDX-License-Identifier: MIT OR Apache-2.0
//! The private peripheral bus: system control space, and the identification of debug units.
//!
//! Registers are words; the manual leaves open how byte and halfword accesses act on them. Here a
//! narrow read takes its part of the word, and a narrow write arrives on every lane, as a bus
//! repeats it.

use super::core::Core;
use super::exceptions::{INTERRUPT_0, NMI, PEND_SV, SV_CALL, SYS_TICK};
use super::fault::{Abort, FaultKind};
use crate::{Cycle, Width};

/// SCR.SLEEPONEXIT.
pub(super) const SLEEPONEXIT: u32 = 1 << 1;
const SLEEPDEEP: u32 = 1 << 2;
const SEVONPEND: u32 = 1 << 4;

const NMIPENDSET: u32 = 1 << 31;
const PENDSVSET: u32 = 1 << 28;
const PENDSVCLR: u32 = 1 << 27;
const PENDSTSET: u32 = 1 << 26;
const PENDSTCLR: u32 = 1 << 25;
const ISRPENDING: u32 = 1 << 22;
const VECTPENDING_SHIFT: u32 = 12;

/// AIRCR: the key that must be written to the upper half, and what is read there.
const VECTKEY: u32 = 0x05FA;
const VECTKEYSTAT: u32 = 0xFA05 << 16;
const SYSRESETREQ: u32 = 1 << 2;
const VECTCLRACTIVE: u32 = 1 << 1;

/// Cortex-M0+ r0p1.
const CPUID: u32 = 0x410C_C601;
/// CCR: STKALIGN and UNALIGN_TRP, both fixed.
const CCR: u32 = 1 << 9 | 1 << 3;
/// VTOR: a table begins at a multiple of 256.
const VTOR_MASK: u32 = 0xFFFF_FF00;
const SVCALLPENDED: u32 = 1 << 15;

/// Pages of 4 KB of the private peripheral bus.
const DWT: u32 = 0xE000_1000;
const BPU: u32 = 0xE000_2000;
const SCS: u32 = 0xE000_E000;
/// SYST_CSR, and the first address after SYST_CALIB.
const SYSTICK: u32 = SCS + 0x010;
const SYSTICK_END: u32 = SCS + 0x020;
const ROM_TABLE: u32 = 0xE00F_F000;

impl Core {
    /// Reads the private peripheral bus.
    pub(super) fn private_read(
        &mut self,
        cycle: Cycle,
        address: u32,
        width: Width,
    ) -> Result<u32, Abort> {
        let offset = address & 0xFFC;
        let word = match address & !0xFFF {
            SCS => self.read_system(cycle, offset),
            DWT => identified(offset, 0x0A, &[(0x000, 2 << 28)]),
            BPU => identified(offset, 0x0B, &[(0x000, 4 << 4)]),
            ROM_TABLE => rom_table(offset),
            _ => return Err(Abort::at(FaultKind::Bus, address)),
        };
        let part = word >> (8 * (address & 3));
        Ok(match width {
            Width::Byte => part & 0xFF,
            Width::Half => part & 0xFFFF,
            Width::Word => part,
        })
    }

    /// Writes the private peripheral bus.
    pub(super) fn private_write(
        &mut self,
        cycle: Cycle,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), Abort> {
        let word = match width {
            Width::Byte => (value & 0xFF) * 0x0101_0101,
            Width::Half => (value & 0xFFFF) * 0x0001_0001,
            Width::Word => value,
        };
        match address & !0xFFF {
            SCS => self.write_system(cycle, address & 0xFFC, word),
            DWT | BPU | ROM_TABLE => {}
            _ => return Err(Abort::at(FaultKind::Bus, address)),
        }
        self.attend();
        Ok(())
    }

    /// Until when a register of the private peripheral bus returns the same value as at `cycle`,
    /// and reading it changes nothing. Only SysTick is worth polling.
    pub(super) fn private_holds_until(&mut self, cycle: Cycle, address: u32) -> Cycle {
        match address {
            SYSTICK..SYSTICK_END => {
                self.settle_systick_at(cycle);
                self.systick.holds_until(address & 0xC)
            }
            _ => Cycle(0),
        }
    }

    fn read_system(&mut self, cycle: Cycle, offset: u32) -> u32 {
        match offset {
            0x010..=0x01C => {
                self.settle_systick_at(cycle);
                self.systick.read(offset - 0x010)
            }
            0x100 | 0x180 => self.nvic.enabled_interrupts(),
            0x200 | 0x280 => self.nvic.pending_interrupts(),
            0x400..=0x41C => self.read_priorities(INTERRUPT_0 + (offset - 0x400)),
            0xD00 => CPUID,
            0xD04 => self.read_icsr(),
            0xD08 => self.vector_table,
            0xD0C => VECTKEYSTAT,
            0xD10 => self.system_control,
            0xD14 => CCR,
            0xD1C => self.read_priorities(SV_CALL - 3),
            0xD20 => self.read_priorities(PEND_SV - 2),
            0xD24 => bit(self.nvic.is_pending(SV_CALL), SVCALLPENDED),
            0xFD0.. => identification(offset, 0x08, 0xB0, 0xE0),
            _ => 0,
        }
    }

    fn write_system(&mut self, cycle: Cycle, offset: u32, value: u32) {
        match offset {
            0x010..=0x01C => {
                self.settle_systick_at(cycle);
                self.systick.write(offset - 0x010, value);
            }
            0x100 => self.nvic.enable_interrupts(value),
            0x180 => self.nvic.disable_interrupts(value),
            0x200 => self.pend(u64::from(value) << INTERRUPT_0),
            0x280 => self.nvic.unpend(u64::from(value) << INTERRUPT_0),
            0x400..=0x41C => self.write_priorities(INTERRUPT_0 + (offset - 0x400), value),
            0xD04 => self.write_icsr(value),
            0xD08 => self.vector_table = value & VTOR_MASK,
            0xD0C => self.write_aircr(value),
            0xD10 => self.system_control = value & (SLEEPONEXIT | SLEEPDEEP | SEVONPEND),
            0xD1C => self.nvic.set_priority(SV_CALL, (value >> 30) as u8),
            0xD20 => {
                self.nvic.set_priority(PEND_SV, (value >> 22) as u8);
                self.nvic.set_priority(SYS_TICK, (value >> 30) as u8);
            }
            _ => {}
        }
    }

    /// Priorities of four exceptions, in the top two bits of each byte.
    fn read_priorities(&self, first: u32) -> u32 {
        (0..4).fold(0, |word, i| word | u32::from(self.nvic.priority(first + i)) << (8 * i + 6))
    }

    fn write_priorities(&mut self, first: u32, value: u32) {
        for i in 0..4 {
            self.nvic.set_priority(first + i, (value >> (8 * i + 6)) as u8);
        }
    }

    fn read_icsr(&self) -> u32 {
        let next = self.nvic.next().map_or(0, |next| next.number);
        let interrupts = self.nvic.pending_interrupts() & self.nvic.enabled_interrupts();
        bit(self.nvic.is_pending(NMI), NMIPENDSET)
            | bit(self.nvic.is_pending(PEND_SV), PENDSVSET)
            | bit(self.nvic.is_pending(SYS_TICK), PENDSTSET)
            | bit(interrupts != 0, ISRPENDING)
            | next << VECTPENDING_SHIFT
            | self.exception
    }

    fn write_icsr(&mut self, value: u32) {
        let set = |mask, exception| if value & mask != 0 { 1u64 << exception } else { 0 };
        self.nvic.unpend(set(PENDSVCLR, PEND_SV) | set(PENDSTCLR, SYS_TICK));
        self.pend(set(NMIPENDSET, NMI) | set(PENDSVSET, PEND_SV) | set(PENDSTSET, SYS_TICK));
    }

    fn write_aircr(&mut self, value: u32) {
        if value >> 16 != VECTKEY {
            return;
        }
        if value & VECTCLRACTIVE != 0 {
            self.nvic.clear_active();
        }
        if value & SYSRESETREQ != 0 {
            self.request_reset();
        }
    }

    /// SCR.SLEEPDEEP.
    pub(super) fn sleeps_deeply(&self) -> bool {
        self.system_control & SLEEPDEEP != 0
    }

    /// An exception became pending: an event, if SCR.SEVONPEND says so.
    pub(super) fn note_pend(&mut self) {
        self.event |= self.system_control & SEVONPEND != 0;
    }
}

fn bit(set: bool, mask: u32) -> u32 {
    if set { mask } else { 0 }
}

/// A debug unit that the processor can only identify: `registers` by offset, the rest zero.
fn identified(offset: u32, part: u32, registers: &[(u32, u32)]) -> u32 {
    if offset >= 0xFD0 {
        return identification(offset, part, 0xB0, 0xE0);
    }
    registers.iter().find(|(at, _)| *at == offset).map_or(0, |(_, value)| *value)
}

/// The table through which debuggers find the other units.
fn rom_table(offset: u32) -> u32 {
    match offset {
        0x000 => SCS.wrapping_sub(ROM_TABLE) | 3,
        0x004 => DWT.wrapping_sub(ROM_TABLE) | 3,
        0x008 => BPU.wrapping_sub(ROM_TABLE) | 3,
        // MEMTYPE: system memory can be reached from here.
        0xFCC => 1,
        0xFD0.. => identification(offset, 0xC0, 0xB4, 0x10),
        _ => 0,
    }
}

/// CoreSight peripheral and component identification: designer ARM, part number in `part` and the
/// low bits of `designer`, class of the component in `class`.
fn identification(offset: u32, part: u32, designer: u32, class: u32) -> u32 {
    match offset {
        0xFD0 => 0x04,
        0xFE0 => part,
        0xFE4 => designer,
        0xFE8 => 0x0B,
        0xFF0 => 0x0D,
        0xFF4 => class,
        0xFF8 => 0x05,
        0xFFC => 0xB1,
        _ => 0,
    }
}
