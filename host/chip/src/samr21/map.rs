// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where every block is: address, bus clock, interrupt, generic clocks (SAM R21 data sheet, "Product
//! Mapping", "Nested Vector Interrupt Controller", "Generic Clock Controller", "Peripheral Access
//! Controller").

/// The blocks, in the order in which they are served when several are due at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Block {
    Pac0,
    Pm,
    Sysctrl,
    Gclk,
    Wdt,
    Rtc,
    Eic,
    Pac1,
    Dsu,
    Nvmctrl,
    Port,
    Dmac,
    Usb,
    Mtb,
    Matrix,
    Pac2,
    Evsys,
    Sercom0,
    Sercom1,
    Sercom2,
    Sercom3,
    Sercom4,
    Sercom5,
    Tcc0,
    Tcc1,
    Tcc2,
    Tc3,
    Tc4,
    Tc5,
    Tc6,
    Tc7,
    Adc,
    Ac,
    Dac,
    Ptc,
    Rfctrl,
}

/// Number of blocks.
pub(crate) const BLOCKS: usize = 36;

/// How a block is connected in the chip.
pub(crate) struct Entry {
    pub block: Block,
    /// As in the data sheet.
    pub name: &'static str,
    /// Base address.
    pub base: u32,
    /// Bytes that it decodes.
    pub size: u32,
    /// Bit of the bridge's APBxMASK and PAC registers.
    pub bit: u8,
    /// Interrupt number, if it has one.
    pub irq: Option<u8>,
    /// Generic clock channels that the block uses.
    pub channels: &'static [u8],
}

impl Entry {
    /// Bridge that it is on: 0 is A.
    pub const fn bridge(&self) -> u8 {
        (self.base >> 24) as u8 & 3
    }
}

const SLOT: u32 = 0x400;

const fn entry(
    block: Block,
    name: &'static str,
    base: u32,
    bit: u8,
    irq: Option<u8>,
    channels: &'static [u8],
) -> Entry {
    Entry { block, name, base, size: SLOT, bit, irq, channels }
}

const fn large(entry: Entry, size: u32) -> Entry {
    Entry { size, ..entry }
}

/// Every block, at its index.
pub(crate) static ENTRIES: [Entry; BLOCKS] = [
    entry(Block::Pac0, "PAC0", 0x4000_0000, 0, None, &[]),
    entry(Block::Pm, "PM", 0x4000_0400, 1, Some(0), &[]),
    entry(Block::Sysctrl, "SYSCTRL", 0x4000_0800, 2, Some(1), &[0, 1, 2]),
    entry(Block::Gclk, "GCLK", 0x4000_0C00, 3, None, &[]),
    entry(Block::Wdt, "WDT", 0x4000_1000, 4, Some(2), &[3]),
    entry(Block::Rtc, "RTC", 0x4000_1400, 5, Some(3), &[4]),
    entry(Block::Eic, "EIC", 0x4000_1800, 6, Some(4), &[5]),
    entry(Block::Pac1, "PAC1", 0x4100_0000, 0, None, &[]),
    large(entry(Block::Dsu, "DSU", 0x4100_2000, 1, None, &[]), 0x2000),
    entry(Block::Nvmctrl, "NVMCTRL", 0x4100_4000, 2, Some(5), &[]),
    entry(Block::Port, "PORT", 0x4100_4400, 3, None, &[]),
    entry(Block::Dmac, "DMAC", 0x4100_4800, 4, Some(6), &[]),
    entry(Block::Usb, "USB", 0x4100_5000, 5, Some(7), &[6]),
    large(entry(Block::Mtb, "MTB", 0x4100_6000, 6, None, &[]), 0x1000),
    entry(Block::Matrix, "SBMATRIX", 0x4100_7000, 6, None, &[]),
    entry(Block::Pac2, "PAC2", 0x4200_0000, 0, None, &[]),
    entry(
        Block::Evsys,
        "EVSYS",
        0x4200_0400,
        1,
        Some(8),
        &[7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
    ),
    entry(Block::Sercom0, "SERCOM0", 0x4200_0800, 2, Some(9), &[20, 19]),
    entry(Block::Sercom1, "SERCOM1", 0x4200_0C00, 3, Some(10), &[21, 19]),
    entry(Block::Sercom2, "SERCOM2", 0x4200_1000, 4, Some(11), &[22, 19]),
    entry(Block::Sercom3, "SERCOM3", 0x4200_1400, 5, Some(12), &[23, 19]),
    entry(Block::Sercom4, "SERCOM4", 0x4200_1800, 6, Some(13), &[24, 19]),
    entry(Block::Sercom5, "SERCOM5", 0x4200_1C00, 7, Some(14), &[25, 19]),
    entry(Block::Tcc0, "TCC0", 0x4200_2000, 8, Some(15), &[26]),
    entry(Block::Tcc1, "TCC1", 0x4200_2400, 9, Some(16), &[26]),
    entry(Block::Tcc2, "TCC2", 0x4200_2800, 10, Some(17), &[27]),
    entry(Block::Tc3, "TC3", 0x4200_2C00, 11, Some(18), &[27]),
    entry(Block::Tc4, "TC4", 0x4200_3000, 12, Some(19), &[28]),
    entry(Block::Tc5, "TC5", 0x4200_3400, 13, Some(20), &[28]),
    entry(Block::Tc6, "TC6", 0x4200_3800, 14, Some(21), &[29]),
    entry(Block::Tc7, "TC7", 0x4200_3C00, 15, Some(22), &[29]),
    entry(Block::Adc, "ADC", 0x4200_4000, 16, Some(23), &[30]),
    entry(Block::Ac, "AC", 0x4200_4400, 17, Some(24), &[31, 32]),
    entry(Block::Dac, "DAC", 0x4200_4800, 18, Some(25), &[33]),
    entry(Block::Ptc, "PTC", 0x4200_4C00, 19, Some(26), &[34]),
    entry(Block::Rfctrl, "RFCTRL", 0x4200_5400, 21, None, &[]),
];

/// Slots of 1 KiB that a bridge decodes.
const SLOTS: usize = 32;
const NO_BLOCK: u8 = u8::MAX;

/// Block index by bridge and slot.
static ROUTES: [[u8; SLOTS]; 3] = routes();

const fn routes() -> [[u8; SLOTS]; 3] {
    let mut routes = [[NO_BLOCK; SLOTS]; 3];
    let mut index = 0;
    while index < BLOCKS {
        let entry = &ENTRIES[index];
        let first = (entry.base & 0x00FF_FFFF) / SLOT;
        let mut slot = first;
        while slot < first + entry.size / SLOT {
            routes[entry.bridge() as usize][slot as usize] = index as u8;
            slot += 1;
        }
        index += 1;
    }
    routes
}

/// First address of the bridges.
pub(crate) const BRIDGES: u32 = 0x4000_0000;
/// Base of the port's single-cycle alias.
pub(crate) const IOBUS: u32 = 0x6000_0000;
/// Bytes that the alias decodes: three ports.
pub(crate) const IOBUS_SIZE: u32 = 0x180;

/// Index and offset of what answers at `address` behind a bridge.
pub(crate) fn locate(address: u32) -> Option<(usize, u32)> {
    let within = address.wrapping_sub(BRIDGES);
    let slots = ROUTES.get((within >> 24) as usize)?;
    let index = *slots.get(((within & 0x00FF_FFFF) / SLOT) as usize)?;
    let entry = ENTRIES.get(index as usize)?;
    Some((index as usize, address - entry.base))
}

/// Index of the block that an event user belongs to (EVSYS USER.USER).
pub(crate) fn event_user(user: u8) -> Option<Block> {
    match user {
        0..=3 => Some(Block::Dmac),
        4..=9 => Some(Block::Tcc0),
        10..=13 => Some(Block::Tcc1),
        14..=17 => Some(Block::Tcc2),
        18 => Some(Block::Tc3),
        19 => Some(Block::Tc4),
        20 => Some(Block::Tc5),
        21 => Some(Block::Tc6),
        22 => Some(Block::Tc7),
        23 | 24 => Some(Block::Adc),
        25 | 26 => Some(Block::Ac),
        27 => Some(Block::Dac),
        _ => None,
    }
}

/// Name of an exception.
pub(crate) fn exception_name(number: u32) -> &'static str {
    const SYSTEM: [&str; 16] = [
        "Thread",
        "Reset",
        "NMI",
        "HardFault",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "SVCall",
        "",
        "",
        "PendSV",
        "SysTick",
    ];
    match SYSTEM.get(number as usize) {
        Some(name) => name,
        None => ENTRIES
            .iter()
            .find(|entry| entry.irq.is_some_and(|irq| u32::from(irq) + 16 == number))
            .map_or("", |entry| entry.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_found_at_its_base_and_nothing_in_the_gaps() {
        for (index, entry) in ENTRIES.iter().enumerate() {
            assert_eq!(entry.block as usize, index);
            assert_eq!(locate(entry.base + 4), Some((index, 4)));
        }
        assert_eq!(locate(0x4000_1C00), None);
        assert_eq!(locate(0x4200_5000), None);
        assert_eq!(locate(0x4300_0000), None);
        assert_eq!(locate(0x4001_0000), None);
    }

    #[test]
    fn exceptions_have_the_data_sheets_names() {
        assert_eq!(exception_name(15), "SysTick");
        assert_eq!(exception_name(16 + 9), "SERCOM0");
        assert_eq!(exception_name(47), "");
    }
}
