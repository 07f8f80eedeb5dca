// SPDX-License-Identifier: MIT OR Apache-2.0
//! The addresses of a program, on one line: its flash, its objects and stacks, its data, with a place behind each.

use crate::{Header, Machine};

/// A block of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// Constants, code and initial values.
    Flash,
    /// Kernel objects, then stacks.
    Objects,
    /// The program's data.
    Data,
}

impl Block {
    /// All of them, in the line's order.
    pub const ALL: [Block; 3] = [Block::Flash, Block::Objects, Block::Data];

    /// Its number as the base of an address outside.
    pub(crate) fn base(self) -> u8 {
        self as u8 + 1
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Block::Flash => "flash",
            Block::Objects => "objects",
            Block::Data => "data",
        }
    }
}

/// Where the blocks of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The first byte behind the header, a multiple of 4.
    pub code: u32,
    /// The objects; the stacks lie behind them. On AVR an address in RAM, without the compiler's 0x800000.
    pub objects: u32,
    /// The data.
    pub data: u32,
}

impl Places {
    /// Where a block begins.
    pub fn of(&self, block: Block) -> u32 {
        match block {
            Block::Flash => self.code,
            Block::Objects => self.objects,
            Block::Data => self.data,
        }
    }
}

/// The line of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    machine: Machine,
    lengths: [u32; 3],
}

impl Line {
    /// The line of the program with this header.
    pub fn of(header: &Header) -> Line {
        let ram = u32::from(header.object_bytes) + u32::from(header.stack_bytes);
        let lengths = [header.flash_bytes(), ram, u32::from(header.data_bytes)];
        Line { machine: header.machine, lengths }
    }

    /// The last place: behind the data.
    pub fn end(&self) -> u32 {
        self.lengths.iter().sum::<u32>() + 2
    }

    /// The address on the line of the byte at `offset` of a block, or of the place behind its last one.
    pub fn address(&self, block: Block, offset: u32) -> Option<u32> {
        let index = block as usize;
        let begin: u32 = self.lengths.iter().take(index).map(|length| length + 1).sum();
        (offset <= self.lengths[index]).then_some(begin + offset)
    }

    /// The block and the offset of an address on the line.
    pub fn place(&self, address: u32) -> Option<(Block, u32)> {
        let mut offset = address;
        for (block, length) in Block::ALL.into_iter().zip(self.lengths) {
            if offset <= length {
                return Some((block, offset));
            }
            offset -= length + 1;
        }
        None
    }

    /// The machine that it is for.
    pub fn machine(&self) -> Machine {
        self.machine
    }
}
