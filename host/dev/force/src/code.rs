// SPDX-License-Identifier: MIT OR Apache-2.0
//! The instructions of an image, with their basic blocks, and which of them come from the code that is mutated.

use crate::thumb::Thumb;
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

    /// Address of the constant in flash that it loads, if its encoding says so.
    fn literal(&self) -> Option<u32> {
        None
    }

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

/// All instructions of `image`, by address; those of `area` have an origin.
pub(crate) fn instructions<C: Code>(image: &Image, area: Area) -> Vec<Instruction<C>> {
    let mut instructions = Vec::new();
    for range in image.code() {
        let mut address = range.start;
        while address < range.end {
            let Some(half) = crate::program::half(image, address) else { break };
            let code = C::at(address, half, crate::program::half(image, address + 2));
            let origin = origin(image, address, area);
            instructions.push(Instruction { address, code, leads: false, origin });
            address += code.facts().bytes;
        }
    }
    mark_leaders(image, &mut instructions);
    instructions
}

/// Marks where basic blocks begin: after every instruction that may branch, and at every target.
fn mark_leaders<C: Code>(image: &Image, instructions: &mut [Instruction<C>]) {
    let targets = targets(image, instructions);
    let mut behind = None;
    for instruction in instructions {
        let follows = behind == Some(instruction.address);
        instruction.leads = !follows || targets.contains(&instruction.address);
        let end = instruction.address + instruction.code.facts().bytes;
        behind = (!instruction.code.ends_block()).then_some(end);
    }
}

/// Targets of direct branches, beginnings of functions, and code addresses among constants: labels
/// that are reached by their address.
fn targets<C: Code>(image: &Image, instructions: &[Instruction<C>]) -> BTreeSet<u32> {
    let branches = instructions.iter().filter_map(|it| it.code.target());
    let functions = image.symbols().functions().iter().map(|function| function.address);
    let labels = instructions
        .iter()
        .filter_map(|it| it.code.literal())
        .filter_map(|address| crate::program::word(image, address))
        .map(|label| label & !1);
    branches.chain(functions).chain(labels).collect()
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
