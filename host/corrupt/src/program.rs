// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program of `test/corrupt`, and the words of its memory that are overwritten.

use lichen_chip::{Config, UnknownPart};
use lichen_device::Board;
use lichen_image::Image;
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
    words: Vec<u32>,
}

impl Program {
    /// The program of `image`, on a mote like `board`.
    pub fn new(image: Image, board: &Board) -> Result<Program, Error> {
        let kernel = Kernel::find(&image)?.ok_or(Error::Missing("Lichen kernel"))?;
        let round = image.symbols().find("corrupt_round");
        let round = round.ok_or(Error::Missing("symbol `corrupt_round`"))?.address;
        let own = image.symbols().find("own").ok_or(Error::Missing("symbol `own`"))?;
        let own = own.address..own.address + own.size;
        let config = Config {
            xosc32k_hz: board.crystal.xosc32k_hz,
            xosc_hz: board.crystal.xosc_hz,
            ..Config::default()
        };
        let part = board.chip.clone();
        let range = |address: u32, size: u32| (address..address + size).step_by(4);
        let only = image.symbols().find("only").map(|symbol| range(symbol.address, symbol.size));
        let words = only.map_or_else(|| written(&image, &own), Iterator::collect);
        Ok(Program { image, kernel, part, config, round, words })
    }

    /// Addresses of the words that are overwritten: those of `only`, or all that the image writes,
    /// except stacks and the program's own state.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// What the word at `address` is overwritten with: zeros, ones, an address where nothing is, a
    /// misaligned one, and the word's own, which makes lists circular.
    pub fn values(address: u32) -> [u32; 5] {
        [0, u32::MAX, WILD, address + 1, address]
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

fn written(image: &Image, own: &Range<u32>) -> Vec<u32> {
    let sections = image.sections().iter().filter(|section| section.writable);
    sections
        .filter(|section| !section.name.ends_with("stack"))
        .flat_map(|section| (section.address..section.address + section.size).step_by(4))
        .filter(|address| !own.contains(address))
        .collect()
}
