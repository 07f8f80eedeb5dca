// SPDX-License-Identifier: MIT OR Apache-2.0
//! PM: clock masks and dividers, sleep modes, reset causes (data sheet, "PM - Power Manager").

use super::map::{Block, ENTRIES};
use super::register::{self, At, Bank, Register, choice, ones, ro, rw, up_to};
use crate::Time;
use crate::samr21::peripheral::{Context, Effect, Peripheral, ResetCause, ResetKind};
use lichen_isa::Width;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    Sleep,
    CpuSel,
    ApbSel,
    AhbMask,
    ApbaMask,
    ApbbMask,
    ApbcMask,
    IntenClr,
    IntenSet,
    Intflag,
    Rcause,
}

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Ctrl, 0x00, Width::Byte, 0x00),
    rw(Id::Sleep, 0x01, Width::Byte, 0x03).choosing(&[choice(0, 2, up_to(2))]),
    rw(Id::CpuSel, 0x08, Width::Byte, 0x07),
    register::array(Id::ApbSel, 0x09, Width::Byte, 3, 0x07),
    rw(Id::AhbMask, 0x14, Width::Word, 0x7F),
    rw(Id::ApbaMask, 0x18, Width::Word, 0x7F),
    rw(Id::ApbbMask, 0x1C, Width::Word, 0x7F),
    rw(Id::ApbcMask, 0x20, Width::Word, 0x002F_FFFF),
    ones(Id::IntenClr, 0x34, Width::Byte),
    ones(Id::IntenSet, 0x35, Width::Byte),
    ones(Id::Intflag, 0x36, Width::Byte),
    ro(Id::Rcause, 0x38, Width::Byte),
];

const INTFLAG: u32 = 0x36;
const CKRDY: u32 = 1;

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Pm {
    sleep: u32,
    cpu_select: u32,
    apb_select: [u32; 3],
    ahb_mask: u32,
    apb_mask: [u32; 3],
    inten: u32,
    intflag: u32,
    rcause: u32,
    /// Blocks with a bus clock, a bit each.
    clocked: u64,
}

impl Pm {
    pub fn new() -> Pm {
        let mut pm = Pm {
            sleep: 0,
            cpu_select: 0,
            apb_select: [0; 3],
            ahb_mask: 0,
            apb_mask: [0; 3],
            inten: 0,
            intflag: 0,
            rcause: 0,
            clocked: 0,
        };
        pm.restore();
        pm
    }

    fn restore(&mut self) {
        self.sleep = 0;
        self.cpu_select = 0;
        self.apb_select = [0; 3];
        self.ahb_mask = 0x7F;
        self.apb_mask = [0x7F, 0x7F, 0x0001_0000];
        self.inten = 0;
        self.intflag = 0;
        self.update_clocked();
    }

    /// SLEEP.IDLE: 0 stops the processor's clock, 1 also AHB, 2 also APB.
    pub fn idle_mode(&self) -> u32 {
        self.sleep
    }

    /// The divider from the main clock to the processor's clock.
    pub fn cpu_division(&self) -> u64 {
        1 << self.cpu_select
    }

    /// The divider from the main clock to the clock of a bridge; never less than the processor's.
    pub fn bus_division(&self, bridge: usize) -> u64 {
        1 << self.apb_select[bridge].max(self.cpu_select)
    }

    /// Whether a block has its bus clock.
    pub fn is_clocked(&self, index: usize) -> bool {
        self.clocked >> index & 1 != 0
    }

    /// Records why the chip was reset.
    pub fn set_cause(&mut self, cause: ResetCause) {
        self.rcause = match cause {
            ResetCause::PowerOn => 1 << 0,
            ResetCause::BrownOut => 1 << 2,
            ResetCause::External => 1 << 4,
            ResetCause::Watchdog => 1 << 5,
            ResetCause::System => 1 << 6,
        };
    }

    fn update_clocked(&mut self) {
        self.clocked = 0;
        for (index, entry) in ENTRIES.iter().enumerate() {
            let bridge = usize::from(entry.bridge());
            let clocked = self.ahb_mask >> bridge & 1 & self.apb_mask[bridge] >> entry.bit;
            self.clocked |= u64::from(clocked & 1) << index;
        }
        // The flash controller answers whatever its mask bit says: firmware that clears the bit at
        // start-up programs flash later.
        self.clocked |= 1 << Block::Nvmctrl as usize;
    }

    fn write_mask(&mut self, bridge: usize, at: At<Id>, value: u32) {
        self.apb_mask[bridge] = at.merge(self.apb_mask[bridge], value);
        self.update_clocked();
    }
}

impl Bank for Pm {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => 0,
            Id::Sleep => self.sleep,
            Id::CpuSel => self.cpu_select,
            Id::ApbSel => self.apb_select[at.index],
            Id::AhbMask => self.ahb_mask,
            Id::ApbaMask => self.apb_mask[0],
            Id::ApbbMask => self.apb_mask[1],
            Id::ApbcMask => self.apb_mask[2],
            Id::IntenClr | Id::IntenSet => self.inten,
            Id::Intflag => self.intflag,
            Id::Rcause => self.rcause,
        }
    }

    fn holds_until(&self, _now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Intflag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::Sleep => self.sleep = value,
            Id::CpuSel | Id::ApbSel => {
                if matches!(at.id, Id::CpuSel) {
                    self.cpu_select = value;
                } else {
                    self.apb_select[at.index] = value;
                }
                self.intflag |= CKRDY;
                cx.out.push(Effect::Clocks);
            }
            Id::AhbMask => {
                self.ahb_mask = at.merge(self.ahb_mask, value);
                self.update_clocked();
            }
            Id::ApbaMask => self.write_mask(0, at, value),
            Id::ApbbMask => self.write_mask(1, at, value),
            Id::ApbcMask => self.write_mask(2, at, value),
            Id::IntenClr => self.inten &= !value,
            Id::IntenSet => self.inten |= value & CKRDY,
            Id::Intflag => self.intflag &= !value,
            Id::Ctrl | Id::Rcause => {}
        }
    }
}

impl Peripheral for Pm {
    register::answer_by_registers!();

    fn irq(&self) -> bool {
        self.intflag & self.inten != 0
    }

    fn interrupts(&self) -> bool {
        self.inten != 0
    }

    fn write_protected(&self, offset: u32) -> bool {
        offset != INTFLAG
    }

    fn reset(&mut self, cx: &mut Context<'_>, _kind: ResetKind) {
        self.restore();
        cx.out.push(Effect::Clocks);
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::Bench;
    use super::*;

    #[test]
    fn masks_cut_the_bus_clock_of_single_blocks_and_of_whole_bridges() {
        let mut bench = Bench::new(Pm::new());
        assert!(bench.block.is_clocked(Block::Rtc as usize));
        assert!(!bench.block.is_clocked(Block::Sercom0 as usize));
        bench.write32(0x20, 1 << 2);
        assert!(bench.block.is_clocked(Block::Sercom0 as usize));
        assert!(!bench.block.is_clocked(Block::Adc as usize));
        bench.write32(0x14, 0x7F & !4);
        assert!(!bench.block.is_clocked(Block::Sercom0 as usize));
    }

    #[test]
    fn the_flash_controller_answers_without_its_mask_bit() {
        let mut bench = Bench::new(Pm::new());
        bench.write32(0x1C, 0);
        assert!(bench.block.is_clocked(Block::Nvmctrl as usize));
        assert!(!bench.block.is_clocked(Block::Port as usize));
    }

    #[test]
    fn a_bus_is_never_faster_than_the_processor() {
        let mut bench = Bench::new(Pm::new());
        bench.write8(0x08, 3);
        bench.write8(0x0A, 1);
        bench.write8(0x0B, 5);
        assert_eq!(bench.block.cpu_division(), 8);
        assert_eq!([0, 1, 2].map(|bridge| bench.block.bus_division(bridge)), [8, 8, 32]);
        assert_eq!(bench.read8(INTFLAG), CKRDY);
        assert_eq!(bench.take(), [Effect::Clocks; 3]);
    }

    #[test]
    fn processor_and_buses_are_divided_by_powers_of_two() {
        for field in 0..8 {
            let mut bench = Bench::new(Pm::new());
            bench.write8(0x08, field);
            assert_eq!(bench.block.cpu_division(), 1 << field);
            for bridge in 0..3 {
                let mut bench = Bench::new(Pm::new());
                bench.write8(0x09 + bridge, field);
                let divisions = [0, 1, 2].map(|bridge| bench.block.bus_division(bridge));
                let mut expected = [1; 3];
                expected[bridge as usize] = 1 << field;
                assert_eq!(divisions, expected);
            }
        }
    }

    #[test]
    fn a_new_division_is_ready_at_once_and_interrupts() {
        let mut bench = Bench::new(Pm::new());
        bench.write8(0x35, CKRDY);
        assert_eq!((bench.read8(0x34), bench.read8(0x35), bench.block.irq()), (1, 1, false));
        bench.write8(0x08, 1);
        assert_eq!((bench.read8(INTFLAG), bench.block.irq()), (CKRDY, true));
        bench.write8(0x34, CKRDY);
        assert!(!bench.block.irq());
        bench.write8(0x35, CKRDY);
        bench.write8(INTFLAG, CKRDY);
        assert!(!bench.block.irq());
    }

    /// The blocks in the order of their bits in a mask (data sheet, APBAMASK, APBBMASK, APBCMASK).
    const MASKS: [(u32, &[&str]); 3] = [
        (0x18, &["PAC0", "PM", "SYSCTRL", "GCLK", "WDT", "RTC", "EIC"]),
        (0x1C, &["PAC1", "DSU", "", "PORT", "DMAC", "USB", "SBMATRIX"]),
        (
            0x20,
            &[
                "PAC2", "EVSYS", "SERCOM0", "SERCOM1", "SERCOM2", "SERCOM3", "SERCOM4", "SERCOM5",
                "TCC0", "TCC1", "TCC2", "TC3", "TC4", "TC5", "TC6", "TC7", "ADC", "AC", "DAC",
                "PTC", "", "RFCTRL",
            ],
        ),
    ];

    #[test]
    fn each_mask_bit_is_of_one_block() {
        for (bridge, (mask, blocks)) in MASKS.into_iter().enumerate() {
            for (bit, name) in blocks.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                let mut bench = Bench::new(Pm::new());
                bench.write32(mask, 1 << bit);
                let here = |entry: &&super::super::map::Entry| {
                    usize::from(entry.bridge()) == bridge && entry.name != "NVMCTRL"
                };
                let clocked: Vec<&str> = ENTRIES
                    .iter()
                    .filter(here)
                    .filter(|entry| bench.block.is_clocked(entry.block as usize))
                    .map(|entry| entry.name)
                    .collect();
                // The matrix has no bit of its own: it has the trace buffer's.
                assert_eq!(clocked.last(), Some(name), "{mask:#x} {bit}");
                assert!(clocked.len() == 1 || clocked == ["MTB", "SBMATRIX"], "{clocked:?}");
            }
        }
    }
}
