// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants of the kernel: each of its stores deleted, each adjacent pair of them swapped.
//!
//! They are made of the built image, so the source needs no change and nothing is built again. The kernel's code
//! is what the line tables say comes from its files, wherever it was inlined.

use crate::Program;
use crate::thumb::{NOP, Registers, Thumb};
use lichen_image::Image;
use std::collections::BTreeSet;

/// Where the kernel's code comes from.
const SOURCES: [&str; 3] = ["os/kernel/", "os/arch/", "os/include/lichen/"];

/// What was done to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It is gone.
    Deleted,
    /// It and the next one of its basic block have changed places.
    Swapped,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// File, from the top of the source tree.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// Function that the line belongs to.
    pub function: String,
}

/// A change of the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What was done.
    pub kind: Kind,
    /// Address of the store, the first one of two.
    pub address: u32,
    /// Where the store comes from.
    pub origin: Origin,
    /// Where the other one comes from, if two were swapped.
    pub other: Option<Origin>,
    /// Function of the image around it, and offset.
    pub place: String,
    /// The instructions as they are now, from `address` on.
    pub(crate) patch: Vec<u8>,
}

/// All mutants of a program.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// Those that can be made.
    pub all: Vec<Mutant>,
    /// Adjacent stores that cannot be swapped, because registers or addresses in between depend on them.
    pub dependent: usize,
}

/// An instruction of the kernel.
#[derive(Clone, Debug)]
struct Instruction {
    address: u32,
    code: Thumb,
    origin: Option<Origin>,
}

impl Mutant {
    /// The changed instructions, and the one behind them.
    pub(crate) fn range(&self) -> (u32, u32) {
        (self.address, self.address + self.patch.len() as u32)
    }

    /// Function of the image around it.
    pub fn within(&self) -> &str {
        self.place.split('+').next().unwrap_or_default()
    }
}

impl Mutants {
    /// The mutants of `program`, by address.
    pub fn of(program: &Program) -> Mutants {
        let image = program.image();
        let instructions = disassemble(image);
        let targets: BTreeSet<u32> = instructions
            .iter()
            .filter_map(|instruction| instruction.code.target(instruction.address))
            .chain(image.symbols().functions().iter().map(|function| function.address))
            .collect();
        let mut mutants = Mutants::default();
        for (index, store) in instructions.iter().enumerate() {
            let Some(origin) = store.origin.clone().filter(|_| store.code.is_store()) else {
                continue;
            };
            let mutant = |kind, other, codes: &[Thumb]| Mutant {
                kind,
                address: store.address,
                origin: origin.clone(),
                other,
                place: image
                    .symbols()
                    .place(store.address)
                    .map_or(String::new(), |p| p.to_string()),
                patch: codes.iter().flat_map(|code| code.0.to_le_bytes()).collect(),
            };
            mutants.all.push(mutant(Kind::Deleted, None, &[Thumb(NOP)]));
            let block = block(&instructions[index..], &targets);
            let Some(other) = block.last().filter(|_| block.len() > 1) else { continue };
            let codes: Vec<Thumb> = block.iter().map(|instruction| instruction.code).collect();
            match swap(&codes) {
                Some(swapped) => {
                    mutants.all.push(mutant(Kind::Swapped, other.origin.clone(), &swapped));
                }
                None => mutants.dependent += 1,
            }
        }
        mutants
    }
}

/// The instructions from a store to the next one in its basic block, or it alone.
fn block<'a>(from: &'a [Instruction], targets: &BTreeSet<u32>) -> &'a [Instruction] {
    for (index, next) in from.iter().enumerate().skip(1) {
        let previous = &from[index - 1];
        let apart = next.address != previous.address + 2 || targets.contains(&next.address);
        if apart || next.code.ends_block() {
            break;
        }
        if next.code.is_store() && next.origin.is_some() {
            return &from[..=index];
        }
    }
    &from[..1]
}

/// The same instructions with the first and the last, both stores, in the other order; nothing if a
/// register that one of them needs is changed in between.
fn swap(block: &[Thumb]) -> Option<Vec<Thumb>> {
    let (first, rest) = block.split_first()?;
    let (last, between) = rest.split_last()?;
    let changed = |registers: Registers, by: &[Thumb]| {
        by.iter().any(|instruction| instruction.writes() & registers != 0)
    };
    // A store that counts its address on, STM, changes a register itself.
    let depend = last.reads() & first.writes() != 0 || first.reads() & last.writes() != 0;
    let first_moves = !changed(first.reads(), between) && first.writes() == 0;
    let last_moves = !changed(last.reads(), between) && last.writes() == 0;
    let shifts = !between.iter().any(|instruction| instruction.is_relative());
    let order: Vec<&[Thumb]> = match (first_moves, last_moves) {
        _ if depend => return None,
        (true, true) => vec![&block[block.len() - 1..], between, &block[..1]],
        (true, false) if shifts => vec![between, &block[block.len() - 1..], &block[..1]],
        (false, true) if shifts => vec![&block[block.len() - 1..], &block[..1], between],
        _ => return None,
    };
    Some(order.concat())
}

/// All instructions of the image; those of the kernel know where they come from. One of 32 bits counts
/// by its first half.
fn disassemble(image: &Image) -> Vec<Instruction> {
    let mut instructions = Vec::new();
    for range in image.code() {
        let mut address = range.start;
        while address < range.end {
            let Some(half) = crate::program::half(image, address) else { break };
            let code = Thumb(half);
            let origin = if code.is_store() { origin(image, address) } else { None };
            instructions.push(Instruction { address, code, origin });
            address += if code.is_long() { 4 } else { 2 };
        }
    }
    instructions
}

/// Where the instruction at `address` comes from, if that is the kernel.
fn origin(image: &Image, address: u32) -> Option<Origin> {
    let location = image.locations(address).into_iter().next()?;
    let file = location.file?;
    // Assembly has no functions in its debug information.
    let symbol = || image.symbols().place(address).map(|place| place.name.to_string());
    SOURCES.iter().any(|folder| file.starts_with(folder)).then_some(())?;
    Some(Origin { file, line: location.line?, function: location.function.or_else(symbol)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swapped(block: &[u16]) -> Option<Vec<u16>> {
        let block: Vec<Thumb> = block.iter().map(|code| Thumb(*code)).collect();
        swap(&block).map(|codes| codes.iter().map(|code| code.0).collect())
    }

    const STR_R1_R0: u16 = 0x6001;
    const STR_R1_R2: u16 = 0x6011;

    #[test]
    fn neighbours_change_places() {
        assert_eq!(swapped(&[STR_R1_R0, STR_R1_R2]), Some(vec![STR_R1_R2, STR_R1_R0]));
        let nothing = 0x2700; // movs r7, #0
        assert_eq!(
            swapped(&[STR_R1_R0, nothing, STR_R1_R2]),
            Some(vec![STR_R1_R2, nothing, STR_R1_R0])
        );
    }

    #[test]
    fn a_register_that_changes_in_between_lets_only_the_other_store_move() {
        let change_r2 = 0x2200; // movs r2, #0: the last one must stay behind it
        assert_eq!(
            swapped(&[STR_R1_R0, change_r2, STR_R1_R2]),
            Some(vec![change_r2, STR_R1_R2, STR_R1_R0])
        );
        let change_r0 = 0x2000; // movs r0, #0: the first one must stay before it
        assert_eq!(
            swapped(&[STR_R1_R0, change_r0, STR_R1_R2]),
            Some(vec![STR_R1_R2, STR_R1_R0, change_r0])
        );
        let change_r1 = 0x2100; // movs r1, #0: both need it
        assert_eq!(swapped(&[STR_R1_R0, change_r1, STR_R1_R2]), None);
        let load_r2 = 0x4A00; // ldr r2, [pc]: would load something else elsewhere
        assert_eq!(swapped(&[STR_R1_R0, load_r2, STR_R1_R2]), None);
    }

    #[test]
    fn a_store_that_counts_on_does_not_move() {
        assert_eq!(swapped(&[0xC2F0, STR_R1_R2]), None, "stmia r2!, then str r1, [r2]");
        assert_eq!(swapped(&[0xC2F0, STR_R1_R0]), Some(vec![STR_R1_R0, 0xC2F0]));
    }
}
