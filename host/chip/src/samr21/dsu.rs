// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSU: the chip's identification, and checksums of its memories (data sheet, chapter "DSU - Device
//! Service Unit").

use super::register::{self, Access, At, Bank, Register, ones, ro, rw};
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::{Time, WarningKind};
use lichen_isa::Width;

/// Bridge of the peripheral bus that the DSU is on (B).
const BRIDGE: u8 = 1;
/// Offsets exempt from write protection: the debug communication channels.
const EXEMPT: [std::ops::Range<u32>; 2] = [0x10..0x18, 0x110..0x118];

/// CTRL.
const SWRST: u32 = 1 << 0;
const CRC: u32 = 1 << 2;
const MBIST: u32 = 1 << 3;
const CHIP_ERASE: u32 = 1 << 4;

/// STATUSA.
const DONE: u8 = 1 << 0;
const BUS_ERROR: u8 = 1 << 2;
const PROTECTION_ERROR: u8 = 1 << 4;

/// STATUSB: DCCD0 and the sign of a debugger that may be plugged in while running.
const DCC_DIRTY: u8 = 1 << 2;
const HOT_PLUG_ENABLED: u8 = 1 << 4;

/// Reversed polynomial of IEEE 802.3.
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// Bus cycles that the checksum of one word takes.
const CYCLES_PER_WORD: u64 = 1;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    StatusA,
    StatusB,
    Addr,
    Length,
    Data,
    Dcc,
    Did,
    Fixed(u32),
}

const fn fixed(offset: u32, value: u32) -> Register<Id> {
    ro(Id::Fixed(value), offset, Width::Word)
}

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Ctrl, 0x0000, Width::Byte, 0x1D),
    ones(Id::StatusA, 0x0001, Width::Byte),
    ro(Id::StatusB, 0x0002, Width::Byte),
    rw(Id::Addr, 0x0004, Width::Word, 0xFFFF_FFFC),
    rw(Id::Length, 0x0008, Width::Word, 0xFFFF_FFFC),
    rw(Id::Data, 0x000C, Width::Word, u32::MAX),
    Register {
        id: Id::Dcc,
        offset: 0x0010,
        width: Width::Word,
        count: 2,
        mask: u32::MAX,
        access: Access::ReadWrite,
        choices: &[],
    },
    ro(Id::Did, 0x0018, Width::Word),
    // The CoreSight ROM table of a part with one debug component and no memory after it.
    fixed(0x1000, 0x0000_0002),
    fixed(0x1004, 0x0000_0002),
    fixed(0x1008, 0),
    fixed(0x1FCC, 0),
    fixed(0x1FD0, 0),
    fixed(0x1FE0, 0xD0),
    fixed(0x1FE4, 0xFC),
    fixed(0x1FE8, 0x09),
    fixed(0x1FEC, 0),
    fixed(0x1FF0, 0x0D),
    fixed(0x1FF4, 0x10),
    fixed(0x1FF8, 0x05),
    fixed(0x1FFC, 0xB1),
];

/// The device service unit.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Dsu {
    did: u32,
    statusa: u8,
    addr: u32,
    length: u32,
    data: u32,
    dcc: [u32; 2],
    dirty: [bool; 2],
    /// When the checksum under way is complete.
    done: Time,
}

impl Dsu {
    /// The unit of the part whose identification (DID) is `did`, after reset.
    pub fn new(did: u32) -> Dsu {
        Dsu {
            did,
            statusa: 0,
            addr: 0,
            length: 0,
            data: 0,
            dcc: [0; 2],
            dirty: [false; 2],
            done: Time::NEVER,
        }
    }

    fn write_ctrl(&mut self, cx: &mut Context<'_>, value: u32) {
        if value & SWRST != 0 {
            *self = Dsu::new(self.did);
        } else if value & CRC != 0 {
            let cycles = (self.length as u64 >> 2).max(1) * CYCLES_PER_WORD;
            self.done = cx.clocks.bus(BRIDGE).nth_after(cx.now, cycles);
        } else if value & MBIST != 0 {
            cx.out.warn(WarningKind::NotModelled);
        } else if value & CHIP_ERASE != 0 {
            // Only a debugger may erase the chip.
            self.statusa |= PROTECTION_ERROR;
        }
    }

    /// The checksum of memory, which continues from DATA and is not complemented.
    fn checksum(&mut self, cx: &Context<'_>) {
        let words = self.length >> 2;
        for word in 0..words {
            let address = self.addr.wrapping_add(word * 4);
            let Some(value) = cx.memory.read(address, Width::Word) else {
                self.statusa |= BUS_ERROR;
                return;
            };
            self.data = (0..32).fold(self.data ^ value, |crc, _| {
                (crc >> 1) ^ if crc & 1 != 0 { POLYNOMIAL } else { 0 }
            });
        }
    }
}

impl Bank for Dsu {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => 0,
            Id::StatusA => self.statusa as u32,
            Id::StatusB => {
                let dirty = |n: usize| if self.dirty[n] { DCC_DIRTY << n } else { 0 };
                (HOT_PLUG_ENABLED | dirty(0) | dirty(1)) as u32
            }
            Id::Addr => self.addr,
            Id::Length => self.length,
            Id::Data => self.data,
            Id::Dcc => {
                self.dirty[at.index] = false;
                self.dcc[at.index]
            }
            Id::Did => self.did,
            Id::Fixed(value) => value,
        }
    }

    fn holds_until(&self, _now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::StatusA => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::Ctrl => self.write_ctrl(cx, value),
            Id::StatusA => self.statusa &= !(value as u8),
            Id::Addr => self.addr = at.merge(self.addr, value),
            Id::Length => self.length = at.merge(self.length, value),
            Id::Data => self.data = at.merge(self.data, value),
            Id::Dcc => {
                self.dcc[at.index] = at.merge(self.dcc[at.index], value);
                self.dirty[at.index] = true;
            }
            Id::StatusB | Id::Did | Id::Fixed(_) => {}
        }
    }
}

impl Peripheral for Dsu {
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
        register::read(self, cx, internal(offset), width)
    }

    fn holds_until(&self, now: Time, offset: u32, width: Width) -> Time {
        register::holds_until(self, now, internal(offset), width)
    }

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        register::write(self, cx, internal(offset), width, value);
    }

    fn due(&self) -> Time {
        self.done
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.done = Time::NEVER;
        self.checksum(cx);
        self.statusa |= DONE;
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.iter().any(|exempt| exempt.contains(&offset))
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Dsu::new(self.did);
    }
}

/// The registers appear twice, the second time for debuggers.
fn internal(offset: u32) -> u32 {
    const EXTERNAL: std::ops::Range<u32> = 0x100..0x200;
    if EXTERNAL.contains(&offset) { offset - EXTERNAL.start } else { offset }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samr21::bench::Bench;

    const DID: u32 = 0x1001_0319;

    #[test]
    fn it_knows_the_part() {
        let mut bench = Bench::new(Dsu::new(DID));
        assert_eq!((bench.read32(0x18), bench.read32(0x118)), (DID, DID));
        assert_eq!(bench.read32(0x1FF4), 0x10);
    }

    #[test]
    fn the_checksum_of_memory_is_the_usual_one_before_its_complement() {
        let mut bench = Bench::new(Dsu::new(DID));
        for (n, bytes) in [*b"1234", *b"5678"].into_iter().enumerate() {
            let word = u32::from_le_bytes(bytes);
            bench.memory.store(0x2000_0000 + 4 * n as u32, Width::Word, word).expect("memory");
        }
        bench.write32(0x04, 0x2000_0000);
        bench.write32(0x08, 8);
        bench.write32(0x0C, u32::MAX);
        bench.write8(0x00, 0x04);
        assert_eq!(bench.read8(0x01), 0);
        bench.run_for(Time::from_us(1));
        assert_eq!((bench.read8(0x01), !bench.read32(0x0C)), (1, 0x9AE0_DAAF));
        bench.write8(0x01, 1);
        assert_eq!(bench.read8(0x01), 0);
    }

    #[test]
    fn beyond_memory_it_reports_a_bus_error() {
        let mut bench = Bench::new(Dsu::new(DID));
        bench.write32(0x04, 0x3000_0000);
        bench.write32(0x08, 4);
        bench.write8(0x00, 0x04);
        bench.run_for(Time::from_us(1));
        assert_eq!(bench.read8(0x01), 0x05);
    }

    #[test]
    fn communication_channels_show_what_is_unread() {
        let mut bench = Bench::new(Dsu::new(DID));
        bench.write32(0x14, 7);
        assert_eq!(bench.read8(0x02), 0x18);
        assert_eq!((bench.read32(0x14), bench.read8(0x02)), (7, 0x10));
    }
}
