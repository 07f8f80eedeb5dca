// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program of `test/corrupt`, and the words of its memory that are overwritten.

use lichen_board::Board;
use lichen_chip::{Config, UnknownPart};
use lichen_image::Image;
use lichen_isa::Architecture;
use lichen_observe::{Kernel, Unreadable};
use std::ops::Range;

/// An aligned address where nothing answers.
const WILD: u32 = 0x3000_0000;

/// Why a program cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not built with the frame of `test/corrupt/frame`.
    #[error("the image has no {0}; build it with lichen_corrupt() of os/lichen.cmake")]
    Missing(&'static str),
    /// The board's chip is not simulated.
    #[error(transparent)]
    Chip(#[from] UnknownPart),
    /// The kernel's structures cannot be read.
    #[error(transparent)]
    Kernel(#[from] Unreadable),
    /// The image does not fit the chip.
    #[error("the image does not fit the chip: {0}")]
    Memory(#[from] lichen_chip::OutOfMemory),
    /// A snapshot does not fit the chip.
    #[error(transparent)]
    State(#[from] lichen_chip::StateError),
    /// It does not work before anything is overwritten.
    #[error("it does not do its rounds: it {0}")]
    Start(crate::Outcome),
}

/// A program that can be tried.
#[derive(Debug)]
pub struct Program {
    pub(crate) image: Image,
    pub(crate) kernel: Kernel,
    pub(crate) part: String,
    pub(crate) config: Config,
    /// Where a round is over.
    pub(crate) round: u32,
    /// Where the kernel begins after a reset.
    pub(crate) entry: u32,
    words: Vec<u32>,
    architecture: &'static Architecture,
}

impl Program {
    /// The program of `image`, on a mote like `board`.
    pub fn new(image: Image, board: &Board) -> Result<Program, Error> {
        let kernel = Kernel::find(&image)?.ok_or(Error::Missing("Lichen kernel"))?;
        let round = image.symbols().find("corrupt_round");
        let round = round.ok_or(Error::Missing("symbol `corrupt_round`"))?.address;
        let entry = image.symbols().find("kernel_main");
        let entry = entry.ok_or(Error::Missing("symbol `kernel_main`"))?.address;
        let own = image.symbols().find("own").ok_or(Error::Missing("symbol `own`"))?;
        let own = own.address..own.address + own.size;
        let (part, config) = (board.chip.clone(), board.config());
        let architecture = lichen_isa::architecture(image.machine().number());
        let architecture = architecture.ok_or(Error::Missing("known architecture"))?;
        let step = architecture.pointers.data_bytes as usize;
        let range = |address: u32, size: u32| (address..address + size).step_by(step);
        let only = image.symbols().find("only").map(|symbol| range(symbol.address, symbol.size));
        let words = only.map_or_else(|| written(&image, &own, step), Iterator::collect);
        Ok(Program { image, kernel, part, config, round, entry, words, architecture })
    }

    /// Addresses of the words that are overwritten: those of `only`, or all that the image writes,
    /// except stacks and the program's own state.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// What the word at `address` is overwritten with: zeros, ones, an address where nothing is, a
    /// misaligned one, and the word's own, which makes lists circular.
    pub fn values(&self, address: u32) -> [u32; 5] {
        let bits = 8 * self.word_bytes() as u32;
        let pointer = address.wrapping_sub(self.architecture.pointers.data_base);
        let wild = WILD >> (32 - bits);
        [0, u32::MAX >> (32 - bits), wild, pointer + 1, pointer]
    }

    /// Bytes of a word: those of a pointer.
    pub(crate) fn word_bytes(&self) -> usize {
        self.architecture.pointers.data_bytes as usize
    }

    /// The object around an address, as text.
    pub fn object(&self, address: u32) -> String {
        let objects = self.image.symbols().objects();
        let behind = objects.partition_point(|symbol| symbol.address <= address);
        match objects[..behind].last() {
            Some(symbol) => format!("{}+{}", symbol.name, address - symbol.address),
            None => format!("0x{address:08x}"),
        }
    }
}

fn written(image: &Image, own: &Range<u32>, step: usize) -> Vec<u32> {
    let sections = image.sections().iter().filter(|section| section.writable && !section.apart);
    sections
        .filter(|section| !section.name.ends_with("stack"))
        .flat_map(|section| (section.address..section.address + section.size).step_by(step))
        .filter(|address| address + step as u32 <= own.start || *address >= own.end)
        .collect()
}
