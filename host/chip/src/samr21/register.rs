// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers of a block as data: where they are, how wide, which bits exist.
//!
//! The peripheral bus takes accesses of 8, 16 and 32 bits anywhere in a block. An access is cut
//! into the registers it covers; a block then sees whole registers and the byte lanes touched.

use crate::samr21::peripheral::Context;
use crate::{Time, WarningKind};
use lichen_isa::Width;

/// How a register may be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read and written.
    ReadWrite,
    /// Writes are ignored, with a warning.
    ReadOnly,
    /// Written ones do something, zeros nothing (flags, SET and CLR). Ones at bits that do not
    /// exist are harmless and usual, and do not warn.
    Ones,
}

/// One register, or an array of `count` equal ones that follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Register<R: 'static> {
    /// The block's name for it.
    pub id: R,
    /// Offset of the first from the block's base.
    pub offset: u32,
    /// Size of one.
    pub width: Width,
    /// How many.
    pub count: u32,
    /// Bits that exist.
    pub mask: u32,
    /// How it may be accessed.
    pub access: Access,
    /// Its fields of which not every value may be chosen.
    pub choices: &'static [Choice],
}

impl<R> Register<R> {
    /// The register with fields of which not every value may be chosen.
    pub const fn choosing(self, choices: &'static [Choice]) -> Register<R>
    where
        R: Copy,
    {
        Register { choices, ..self }
    }
}

/// A field of which some values are reserved, or supported by the chip and not modelled here.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    low: u32,
    bits: u32,
    /// The values that exist, and those of them that are not modelled, one bit each.
    values: u32,
    unmodelled: u32,
}

/// A field of `bits` bits from bit `low` on with these values, one bit each.
pub(crate) const fn choice(low: u32, bits: u32, values: u32) -> Choice {
    Choice { low, bits, values, unmodelled: 0 }
}

/// The values up to `last`, one bit each.
pub(crate) const fn up_to(last: u32) -> u32 {
    (2 << last) - 1
}

impl Choice {
    /// The field with these values not modelled, one bit each.
    pub const fn lacking(self, unmodelled: u32) -> Choice {
        Choice { unmodelled, ..self }
    }

    /// What is wrong with the field's value in a write of the lanes `lanes`.
    pub fn objection(&self, lanes: u32, bits: u32) -> Option<WarningKind> {
        let mask = up_to(self.bits - 1) << self.low;
        let value = (bits & mask) >> self.low;
        if lanes & mask != mask {
            None
        } else if self.values >> value & 1 == 0 {
            Some(WarningKind::Reserved)
        } else {
            (self.unmodelled >> value & 1 != 0).then_some(WarningKind::NotModelled)
        }
    }
}

/// A single register that is read and written.
pub(crate) const fn rw<R>(id: R, offset: u32, width: Width, mask: u32) -> Register<R> {
    Register { id, offset, width, count: 1, mask, access: Access::ReadWrite, choices: &[] }
}

/// A single register that is only read.
pub(crate) const fn ro<R>(id: R, offset: u32, width: Width) -> Register<R> {
    Register { id, offset, width, count: 1, mask: u32::MAX, access: Access::ReadOnly, choices: &[] }
}

/// A single register whose written ones act.
pub(crate) const fn ones<R>(id: R, offset: u32, width: Width) -> Register<R> {
    Register { id, offset, width, count: 1, mask: u32::MAX, access: Access::Ones, choices: &[] }
}

/// `count` registers that are read and written.
pub(crate) const fn array<R>(
    id: R,
    offset: u32,
    width: Width,
    count: u32,
    mask: u32,
) -> Register<R> {
    Register { id, offset, width, count, mask, access: Access::ReadWrite, choices: &[] }
}

/// Which register of a block, and which of its byte lanes an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At<R> {
    /// The block's name for it.
    pub id: R,
    /// Which one of an array.
    pub index: usize,
    /// Bits of the byte lanes that are accessed.
    pub lanes: u32,
}

impl<R> At<R> {
    /// `old` with the accessed lanes taken from `value`.
    pub fn merge(&self, old: u32, value: u32) -> u32 {
        (old & !self.lanes) | (value & self.lanes)
    }
}

/// A block described by a table of registers.
pub(crate) trait Bank {
    /// The block's names for its registers.
    type Id: Copy + 'static;

    /// The registers of the block in its present mode.
    fn registers(&self) -> &'static [Register<Self::Id>];

    /// Value of a register; side effects of reading happen here.
    fn load(&mut self, cx: &mut Context<'_>, at: At<Self::Id>) -> u32;

    /// Until when a register reads as it does at `now` ([`Peripheral::holds_until`]).
    ///
    /// [`Peripheral::holds_until`]: crate::samr21::peripheral::Peripheral::holds_until
    fn holds_until(&self, _now: Time, _at: At<Self::Id>) -> Time {
        Time::ZERO
    }

    /// A write; bits outside `at.lanes` and bits that do not exist are 0 in `value`.
    fn store(&mut self, cx: &mut Context<'_>, at: At<Self::Id>, value: u32);
}

/// A register that an access covers, and how far its lowest bit lies above the access's own.
struct Piece<R: 'static> {
    at: At<R>,
    register: &'static Register<R>,
    /// Bits to shift the access's value right to get the register's; negative shifts left.
    shift: i32,
}

impl<R> Piece<R> {
    fn register_bits(&self, value: u32) -> u32 {
        let moved = if self.shift >= 0 { value >> self.shift } else { value << -self.shift };
        moved & self.at.lanes
    }

    fn access_bits(&self, value: u32) -> u32 {
        let value = value & self.at.lanes;
        if self.shift >= 0 { value << self.shift } else { value >> -self.shift }
    }
}

fn byte_lanes(first: u32, count: u32) -> u32 {
    (((1u64 << (count * 8)) - 1) << (first * 8)) as u32
}

fn pieces<R: Copy>(
    registers: &'static [Register<R>],
    offset: u32,
    width: Width,
) -> impl Iterator<Item = Piece<R>> {
    let end = offset + width.bytes();
    registers.iter().flat_map(move |register| {
        let size = register.width.bytes();
        let after = register.offset + register.count * size;
        let (low, high) = (offset.max(register.offset), end.min(after));
        let indices = if low < high {
            (low - register.offset) / size..(high - register.offset).div_ceil(size)
        } else {
            0..0
        };
        indices.map(move |index| {
            let start = register.offset + index * size;
            let (low, high) = (offset.max(start), end.min(start + size));
            let lanes = byte_lanes(low - start, high - low);
            let at = At { id: register.id, index: index as usize, lanes };
            let shift = (start as i32 - offset as i32) * 8;
            Piece { at, register, shift }
        })
    })
}

/// The register of which the access covers all or some bytes, and nothing else, as in most cases; found without cutting the
/// access up.
fn single<R: Copy>(
    registers: &'static [Register<R>],
    offset: u32,
    width: Width,
) -> Option<Piece<R>> {
    let bytes = width.bytes();
    let register = registers.iter().find(|register| {
        let (within, size) = (offset.wrapping_sub(register.offset), register.width.bytes());
        within < register.count * size && within % size + bytes <= size
    })?;
    let (within, size) = (offset - register.offset, register.width.bytes());
    let (index, first) = (within / size, within % size);
    let at = At { id: register.id, index: index as usize, lanes: byte_lanes(first, bytes) };
    Some(Piece { at, register, shift: -8 * first as i32 })
}

/// Reads `width` at `offset` of a block.
pub(crate) fn read<B: Bank>(bank: &mut B, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
    if let Some(piece) = single(bank.registers(), offset, width) {
        return piece.access_bits(bank.load(cx, piece.at));
    }
    let mut value = 0;
    let mut found = false;
    for piece in pieces(bank.registers(), offset, width) {
        found = true;
        value |= piece.access_bits(bank.load(cx, piece.at));
    }
    if !found {
        cx.out.warn(WarningKind::NoRegister);
    }
    value
}

/// Until when a read of `width` at `offset` of a block returns the same as at `now`.
pub(crate) fn holds_until<B: Bank>(bank: &B, now: Time, offset: u32, width: Width) -> Time {
    if let Some(piece) = single(bank.registers(), offset, width) {
        return bank.holds_until(now, piece.at);
    }
    let pieces = pieces(bank.registers(), offset, width);
    pieces.map(|piece| bank.holds_until(now, piece.at)).min().unwrap_or(Time::ZERO)
}

/// Writes `width` at `offset` of a block.
pub(crate) fn write<B: Bank>(
    bank: &mut B,
    cx: &mut Context<'_>,
    offset: u32,
    width: Width,
    value: u32,
) {
    if let Some(piece) = single(bank.registers(), offset, width) {
        let bits = piece.register_bits(value);
        return write_register(bank, cx, piece.register, piece.at, bits);
    }
    let mut found = false;
    for piece in pieces(bank.registers(), offset, width) {
        found = true;
        let bits = piece.register_bits(value);
        write_register(bank, cx, piece.register, piece.at, bits);
    }
    if !found {
        cx.out.warn(WarningKind::NoRegister);
    }
}

/// Writes the touched lanes of one register, as far as its bits exist.
fn write_register<B: Bank>(
    bank: &mut B,
    cx: &mut Context<'_>,
    register: &Register<B::Id>,
    at: At<B::Id>,
    bits: u32,
) {
    let Register { mask, access, .. } = *register;
    let reserved = match access {
        Access::ReadWrite => bits & !mask,
        Access::ReadOnly => bits,
        Access::Ones => 0,
    };
    if reserved != 0 {
        cx.out.warn(WarningKind::Reserved);
    }
    warn_of_choices(cx, register.choices, at.lanes, bits);
    if access != Access::ReadOnly {
        bank.store(cx, at, bits & mask);
    }
}

/// Reports values that are reserved or not modelled in a write of the lanes `lanes`.
pub(crate) fn warn_of_choices(cx: &mut Context<'_>, choices: &[Choice], lanes: u32, bits: u32) {
    for kind in choices.iter().filter_map(|choice| choice.objection(lanes, bits)) {
        cx.out.warn(kind);
    }
}

/// The methods of [`Peripheral`] by which a block that is a [`Bank`] answers the bus, for blocks
/// that need nothing more.
///
/// [`Peripheral`]: crate::samr21::peripheral::Peripheral
macro_rules! answer_by_registers {
    () => {
        fn read(
            &mut self,
            cx: &mut $crate::samr21::peripheral::Context<'_>,
            offset: u32,
            width: lichen_isa::Width,
        ) -> u32 {
            $crate::samr21::register::read(self, cx, offset, width)
        }

        fn holds_until(
            &self,
            now: $crate::Time,
            offset: u32,
            width: lichen_isa::Width,
        ) -> $crate::Time {
            $crate::samr21::register::holds_until(self, now, offset, width)
        }

        fn write(
            &mut self,
            cx: &mut $crate::samr21::peripheral::Context<'_>,
            offset: u32,
            width: lichen_isa::Width,
            value: u32,
        ) {
            $crate::samr21::register::write(self, cx, offset, width, value);
        }
    };
}
pub(crate) use answer_by_registers;
