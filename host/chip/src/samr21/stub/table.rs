// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the blocks of which only the registers are modelled (data sheet, the "Register
//! Summary" of each).

use super::Role::{Busy, Clears, Control, Fixed, Sets, Stored, Switch};
use super::{Id, Layout, Role};
use crate::samr21::register::{Access, Choice, Register, choice, up_to};
use lichen_isa::Width;

const B: Width = Width::Byte;
const H: Width = Width::Half;
const W: Width = Width::Word;
const ALL: u32 = u32::MAX;

const ENABLE: u32 = 1 << 1;
/// SYNCBUSY as most blocks have it in their status.
const SYNCBUSY: u32 = 1 << 7;

/// A register that resets to zero.
const fn at(slot: usize, role: Role, offset: u32, width: Width, mask: u32) -> Register<Id> {
    with(slot, role, offset, width, mask, 0)
}

const fn with(
    slot: usize,
    role: Role,
    offset: u32,
    width: Width,
    mask: u32,
    reset: u32,
) -> Register<Id> {
    let access = match role {
        Busy(_) | Fixed => Access::ReadOnly,
        Sets | Clears => Access::Ones,
        Stored | Control | Switch => Access::ReadWrite,
    };
    Register { id: Id { role, slot, reset }, offset, width, count: 1, mask, access, choices: &[] }
}

const fn block<const N: usize>(
    registers: &'static [Register<Id>; N],
    bridge: u8,
    channel: Option<u8>,
    starts: u32,
) -> Layout {
    let mut slots = 0;
    let mut n = 0;
    while n < N {
        let end = registers[n].id.slot + registers[n].count as usize;
        slots = if end > slots { end } else { slots };
        n += 1;
    }
    Layout { registers, slots, bridge, channel, starts, exempt: &[] }
}

impl Layout {
    /// The block with these offsets exempt from write protection.
    const fn sparing(self, exempt: &'static [u32]) -> Layout {
        Layout { exempt, ..self }
    }
}

/// SPEED, OUT and FLEN of COMPCTRL.
const COMPARING: &[Choice] =
    &[choice(2, 2, up_to(1)), choice(16, 2, up_to(2)), choice(24, 3, up_to(2))];

pub(super) static AC: Layout = block(
    &[
        at(0, Control, 0x00, B, 0x87),
        at(1, Clears, 0x01, B, 0x03).choosing(&[choice(0, 2, up_to(3)).lacking(0b1110)]),
        at(2, Stored, 0x02, H, 0x0313),
        at(3, Clears, 0x04, B, 0x13),
        at(3, Sets, 0x05, B, 0x13),
        at(4, Clears, 0x06, B, 0x13),
        at(5, Fixed, 0x08, B, ALL),
        at(6, Busy(SYNCBUSY), 0x09, B, ALL),
        at(7, Fixed, 0x0A, B, ALL),
        at(8, Stored, 0x0C, B, 0x07),
        at(9, Stored, 0x10, W, 0x070B_B76F).choosing(COMPARING),
        at(10, Stored, 0x14, W, 0x070B_B76F).choosing(COMPARING),
        at(11, Stored, 0x20, B, 0x3F),
        at(12, Stored, 0x21, B, 0x3F),
    ],
    2,
    Some(31),
    ENABLE,
)
.sparing(&[0x01, 0x06]);

pub(super) static DAC: Layout = block(
    &[
        at(0, Control, 0x00, B, 0x07),
        at(1, Stored, 0x01, B, 0xDF).choosing(&[choice(6, 2, up_to(2))]),
        at(2, Stored, 0x02, B, 0x03),
        at(3, Clears, 0x04, B, 0x07),
        at(3, Sets, 0x05, B, 0x07),
        at(4, Clears, 0x06, B, 0x07),
        at(5, Busy(SYNCBUSY), 0x07, B, ALL),
        at(6, Stored, 0x08, H, 0xFFFF),
        at(7, Stored, 0x0C, H, 0xFFFF),
    ],
    2,
    Some(33),
    ENABLE,
)
.sparing(&[0x06, 0x0C, 0x0D]);

/// Registers of ARM's "CoreSight MTB-M0+ Technical Reference Manual"; the trace RAM is all of RAM.
pub(super) static MTB: Layout = block(
    &[
        at(0, Stored, 0x000, W, 0xFFFF_FFFC),
        at(1, Switch, 0x004, W, 0x8000_03FF),
        at(2, Stored, 0x008, W, 0xFFFF_FFFB),
        with(3, Fixed, 0x00C, W, ALL, 0x2000_0000),
        with(4, Fixed, 0xFBC, W, ALL, 0x4770_0A31),
        with(5, Fixed, 0xFCC, W, ALL, 0x0000_0031),
        with(6, Fixed, 0xFD0, W, ALL, 0x04),
        with(7, Fixed, 0xFE0, W, ALL, 0x32),
        with(8, Fixed, 0xFE4, W, ALL, 0xB9),
        with(9, Fixed, 0xFE8, W, ALL, 0x0B),
        with(10, Fixed, 0xFF0, W, ALL, 0x0D),
        with(11, Fixed, 0xFF4, W, ALL, 0x90),
        with(12, Fixed, 0xFF8, W, ALL, 0x05),
        with(13, Fixed, 0xFFC, W, ALL, 0xB1),
    ],
    1,
    None,
    1 << 31,
);

pub(super) static PTC: Layout = block(&[], 2, Some(34), 0);

pub(super) static RFCTRL: Layout = block(&[at(0, Stored, 0x00, H, 0x0FFF)], 2, None, 0);

/// Registers of one endpoint: configuration, status, flags, interrupt enables.
const fn endpoint(n: usize) -> [Register<Id>; 6] {
    const FIRST_SLOT: usize = 11;
    let (base, slot) = (0x100 + 0x20 * n as u32, FIRST_SLOT + 4 * n);
    [
        at(slot, Stored, base, B, 0xF7),
        at(slot + 1, Clears, base + 4, B, 0xF7),
        at(slot + 1, Sets, base + 5, B, 0xF7),
        at(slot + 2, Clears, base + 7, B, 0x7F),
        at(slot + 3, Clears, base + 8, B, 0x7F),
        at(slot + 3, Sets, base + 9, B, 0x7F),
    ]
}

/// The block's own registers, in device mode, and those of eight endpoints.
static USB_REGISTERS: [Register<Id>; 62] = {
    let mut all = [at(0, Control, 0x00, B, 0x87); 62];
    let own = [
        at(0, Control, 0x00, B, 0x87),
        at(1, Busy(0x03), 0x02, B, ALL),
        with(2, Stored, 0x03, B, 0x0F, 0x05),
        with(3, Stored, 0x08, H, 0x0FFF, 0x0001),
        at(4, Stored, 0x0A, B, 0xFF),
        with(5, Fixed, 0x0C, B, ALL, 0x40),
        with(6, Fixed, 0x0D, B, ALL, 0x01),
        at(7, Fixed, 0x10, H, ALL),
        at(8, Clears, 0x14, H, 0x03FF),
        at(8, Sets, 0x18, H, 0x03FF),
        at(9, Clears, 0x1C, H, 0x03FF),
        at(43, Fixed, 0x20, H, ALL),
        at(10, Stored, 0x24, W, ALL),
        at(44, Stored, 0x28, H, 0x77DF),
    ];
    let mut n = 0;
    while n < all.len() {
        all[n] =
            if n < own.len() { own[n] } else { endpoint((n - own.len()) / 6)[(n - own.len()) % 6] };
        n += 1;
    }
    all
};

pub(super) static USB: Layout = block(&USB_REGISTERS, 1, Some(6), ENABLE);

/// Every layout, in an order that saved states rely on.
pub(super) static LAYOUTS: [&Layout; 6] = [&AC, &DAC, &MTB, &PTC, &RFCTRL, &USB];
