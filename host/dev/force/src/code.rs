// SPDX-License-Identifier: MIT OR Apache-2.0
//! The instructions of an image, with their basic blocks, and which of them come from the code that is mutated.

use crate::thumb::Thumb;
use lichen_analysis::{Graph, Text};
use lichen_image::Image;
use lichen_isa::Flow;
use std::collections::BTreeSet;

/// Code that is mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// The kernel, with what it consists of on each architecture.
    Kernel,
    /// Drivers and the network.
    Drivers,
}

impl Area {
    /// Both.
    pub const ALL: [Area; 2] = [Area::Kernel, Area::Drivers];

    /// Whether `file`, from the top of the source tree, is part of it.
    pub fn has(self, file: &str) -> bool {
        let folders: &[&str] = match self {
            Area::Kernel => &["os/kernel/", "os/arch/", "os/include/lichen/"],
            Area::Drivers => &["os/driver/", "os/net/"],
        };
        folders.iter().any(|folder| file.starts_with(folder))
    }
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// File, from the top of the source tree.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// Function that the line belongs to.
    pub function: String,
}

/// An instruction as mutations need it, whatever the architecture.
pub(crate) trait Code: Copy {
    /// The instruction at `address`; `second` is what follows `first`, if anything does.
    fn at(address: u32, first: u16, second: Option<u16>) -> Self;

    /// What it reads, writes, and where it leads.
    fn facts(&self) -> &lichen_isa::Instruction;

    /// Its encoding.
    fn codes(&self) -> Vec<u16>;

    /// An instruction of 16 bits that does nothing.
    const NOP: u16;

    /// Whether the linker shortens calls and jumps, after which tables of lines are an instruction off
    /// here and there.
    const IS_RELAXED: bool;

    /// Whether it is a store. Those that belong to calls are none.
    fn is_store(&self) -> bool;

    /// Whether its effect depends on its own address.
    fn is_relative(&self) -> bool;

    /// Whether it may branch, or lets others run: branches, calls, masks, hints, special registers.
    fn ends_block(&self) -> bool {
        self.facts().flow != Flow::Next || self.facts().system.is_some()
    }

    /// The target of a direct branch.
    fn target(&self) -> Option<u32> {
        match self.facts().flow {
            Flow::Branch(to) | Flow::BranchIf(to) => Some(to),
            _ => None,
        }
    }

    /// The target of a direct call.
    fn callee(&self) -> Option<u32> {
        match self.facts().flow {
            Flow::Call(to) => Some(to),
            _ => None,
        }
    }

    /// Where it continues for certain, if whoever looks for a panic shall look there.
    fn continues_at(&self) -> Option<u32> {
        None
    }

    /// What does nothing instead of it.
    fn nothing(&self) -> Vec<u16> {
        vec![Self::NOP; self.facts().bytes as usize / 2]
    }
}

/// An instruction of the image.
#[derive(Clone, Debug)]
pub(crate) struct Instruction<C = Thumb> {
    pub(crate) address: u32,
    pub(crate) code: C,
    /// Whether it begins a basic block.
    pub(crate) leads: bool,
    /// Its place in the source, if that is mutated.
    pub(crate) origin: Option<Origin>,
}

/// All instructions of `text`, by address; those of `area` have an origin.
pub(crate) fn instructions<C: Code>(text: &Text<'_>, area: Area) -> Vec<Instruction<C>> {
    let leaders = leaders(text);
    let mut instructions: Vec<Instruction<C>> = Vec::new();
    for range in text.image().code() {
        let mut address = range.start;
        // Whether the instruction before leads here alone.
        let mut follows = false;
        while address < range.end {
            let Some(half) = text.halfword(address) else { break };
            let code = C::at(address, half, text.halfword(address + 2));
            let origin = origin(text.image(), address, area);
            let leads = !follows || leaders.contains(&address);
            instructions.push(Instruction { address, code, leads, origin });
            follows = !code.ends_block();
            address += code.facts().bytes;
        }
    }
    instructions
}

/// Where blocks begin: those of functions, functions themselves, and what the code has the address of, as the kernel has
/// those where it lets a sequence begin again.
fn leaders(text: &Text<'_>) -> BTreeSet<u32> {
    let blocks = |start| Graph::known_of(text, start).blocks;
    let starts = text.beginnings().flat_map(blocks).map(|block| block.range.start);
    let code = text.image().code().iter().cloned();
    let instructions = code.flat_map(|range| text.instructions(range));
    let literals = instructions.filter_map(|(_, instruction)| text.literal(&instruction));
    let labels = literals.map(|word| text.architecture().code_address(word));
    text.beginnings().chain(starts).chain(labels).collect()
}

/// Whether the function of the image that begins at `address` is one of `area`.
pub(crate) fn is_of(image: &Image, address: u32, area: Area) -> bool {
    // Code inlined at its beginning does not count: the outermost place does.
    let file = image.locations(address).into_iter().next_back().and_then(|location| location.file);
    file.is_some_and(|file| area.has(&file))
}

/// The place of the instruction at `address` in the source, if that is in `area`.
fn origin(image: &Image, address: u32, area: Area) -> Option<Origin> {
    let location = image.locations(address).into_iter().next()?;
    let file = location.file?;
    // Assembly has no functions in its debug information.
    let symbol = || image.symbols().place(address).map(|place| place.name.to_string());
    area.has(&file).then_some(())?;
    Some(Origin { file, line: location.line?, function: location.function.or_else(symbol)? })
}
