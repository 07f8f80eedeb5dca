// SPDX-License-Identifier: MIT OR Apache-2.0
//! An image on a kind of board: what all motes that run it have in common.

use crate::Error;
use crate::own_pins;
use crate::probe::Probe;
use crate::tasks::Watched;
use lichen_board::Board;
use lichen_chip::{Chip, Config, PinId, Program, Stacks};
use lichen_image::{Image, Region, SIGNATURE, Symbol, Target};
use lichen_observe::{Bytes, Division, Kernel, Limits, Losses};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Shared by the motes that run an image on a kind of board.
#[derive(Debug)]
pub(crate) struct Firmware {
    pub(crate) board: Arc<Board>,
    pub(crate) image: Arc<Image>,
    pub(crate) kernel: Option<Kernel>,
    /// The limits of its drivers.
    pub(crate) limits: Limits,
    /// Where it counts what it loses.
    pub(crate) losses: Losses,
    /// Where the firmware has completed its record of a panic.
    pub(crate) panic_recorded: Option<u32>,
    /// Where the record of a loaded program that failed is complete.
    pub(crate) crash_recorded: Option<u32>,
    /// Where a panic begins that the firmware calls.
    pub(crate) ends: Vec<u32>,
    /// Where it may divide by zero.
    pub(crate) divisions: Vec<Division>,
    /// Its stacks, which no pointer should leave.
    pub(crate) stacks: Arc<Stacks>,
    /// Its real-time tasks.
    pub(crate) tasks: Watched,
    /// The first instructions of threads that are declared stopped, and their names.
    pub(crate) stopped: BTreeMap<u32, String>,
    /// The pins that nothing on the board is at, by what the program calls them.
    pub(crate) own_pins: BTreeMap<PinId, Arc<str>>,
    /// The board has a radio that is not simulated.
    pub(crate) lacks_radio: bool,
    /// A debug probe for the image, as it is attached to each mote.
    pub(crate) probe: Option<Probe>,
    /// What cannot be shown for the image, and why: one sentence each.
    pub(crate) notes: Vec<String>,
    /// Contents of flash, with breakpoints where it is looked at, and where exceptions are left.
    program: Program,
}

impl Firmware {
    /// Checks that `image` fits the chip of `board`.
    pub(crate) fn new(board: Arc<Board>, image: Arc<Image>) -> Result<Firmware, Error> {
        let mut chip = chip(&board, &board.config())?;
        check_fits(chip.as_ref(), &image)?;
        load(chip.as_mut(), &image)?;
        let mut notes: Vec<String> = lacks(&image).map(str::to_string).into_iter().collect();
        let kernel = Kernel::find(&image).unwrap_or_else(|unreadable| {
            notes.push(unreadable.to_string());
            None
        });
        let architecture = chip.core().architecture();
        let panic_recorded = kernel.as_ref().and_then(|_| Kernel::panic_recorded(&image));
        let panic_recorded =
            panic_recorded.map(|address| architecture.instruction_address(address));
        let crash_recorded = kernel.as_ref().and_then(|kernel| kernel.crash_recorded(&image));
        let crash_recorded =
            crash_recorded.map(|address| architecture.instruction_address(address));
        let called = kernel.iter().flat_map(|_| Kernel::ends(&image));
        let ends: Vec<u32> =
            called.map(|address| architecture.instruction_address(address)).collect();
        let tasks = Watched::find(&image, chip.as_ref());
        let divisions = kernel.as_ref().map(|_| Division::find(&image)).unwrap_or_default();
        let stopped = kernel.as_ref().map(|kernel| stopped(kernel, &image)).unwrap_or_default();
        for address in stopped.keys() {
            chip.core_mut().set_breakpoint(*address, true);
        }
        let watched = panic_recorded.into_iter().chain(ends.iter().copied()).chain(tasks.places());
        let watched = watched.chain(crash_recorded);
        for address in watched.chain(divisions.iter().map(|division| division.address)) {
            chip.core_mut().set_breakpoint(address, true);
        }
        if let Some(address) = kernel.as_ref().and_then(Kernel::switch) {
            chip.core_mut().leave_exceptions_at(address);
        }
        let stacks = kernel
            .as_ref()
            .map(|kernel| kernel.guarded(&image, ram(chip.as_ref())))
            .unwrap_or_default();
        let losses = kernel.as_ref().map(|_| Losses::find(&image)).unwrap_or_default();
        let own_pins = own_pins::names(&board, &image);
        Ok(Firmware {
            lacks_radio: board.lacks_radio(),
            board,
            losses,
            own_pins,
            kernel,
            stacks: Arc::new(stacks),
            limits: Limits::find(&image),
            panic_recorded,
            crash_recorded,
            ends,
            divisions,
            tasks,
            stopped,
            probe: Probe::attach(&image),
            image,
            notes,
            program: chip.flash(),
        })
    }

    /// A chip of the board that holds the image, as `config` makes it differ from others; not powered.
    pub(crate) fn chip(&self, config: &Config) -> Result<Box<dyn Chip>, Error> {
        let mut chip = chip(&self.board, config)?;
        // The part is the same. What flash does not hold is loaded below.
        let _ = chip.share_flash(&self.program);
        load(chip.as_mut(), &self.image)?;
        chip.core_mut().guard_stacks(Arc::clone(&self.stacks));
        Ok(chip)
    }
}

impl Firmware {
    /// What divides from the instruction at `pc` on.
    pub(crate) fn division(&self, pc: u32) -> Option<&Division> {
        self.divisions.iter().find(|division| division.address == pc)
    }

    /// Whether the mote looks at the firmware before the instruction at `pc`.
    pub(crate) fn is_watched(&self, pc: u32) -> bool {
        self.panic_recorded == Some(pc)
            || self.ends.contains(&pc)
            || self.tasks.is_at(pc)
            || self.stopped.contains_key(&pc)
            || self.division(pc).is_some()
    }
}

/// The first instructions of threads that are declared stopped, and their names.
fn stopped(kernel: &Kernel, image: &Image) -> BTreeMap<u32, String> {
    let stopped = kernel.threads().iter().filter(|thread| thread.is_stopped);
    let begins = stopped.filter_map(|thread| {
        let begin = Kernel::first_instruction(image, thread)?;
        Some((image.architecture()?.instruction_address(begin), thread.name.clone()))
    });
    begins.collect()
}

/// The addresses of its RAM.
fn ram(chip: &dyn Chip) -> Range<u32> {
    let ram = chip.memories().iter().find(|memory| memory.name == "RAM");
    ram.map_or(0..u32::MAX, |ram| ram.start..ram.start + ram.size)
}

/// What places in the image cannot be named by.
fn lacks(image: &Image) -> Option<&'static str> {
    if image.symbols().functions().is_empty() {
        return Some(
            "the image has no symbols: places are addresses; do not strip it, and check that it is whole",
        );
    }
    let has_lines = |function: &Symbol| !image.locations(function.address).is_empty();
    let lines = image.symbols().functions().iter().any(has_lines);
    (!lines).then_some(if image.has_stabs() {
        "the image has its lines of source in the format stabs, which is not read: places are functions; \
         build it with -gdwarf-4, since plain -g means stabs for older versions of avr-gcc"
    } else {
        "the image has no lines of source: places are functions; build it with -g"
    })
}

fn chip(board: &Board, config: &Config) -> Result<Box<dyn Chip>, Error> {
    lichen_chip::by_part(&board.chip, config)
        .map_err(|source| Error::Chip { board: board.name.clone(), source })
}

fn check_fits(chip: &dyn Chip, image: &Image) -> Result<(), Error> {
    let memories = chip.memories().iter().map(|memory| Region {
        name: memory.name,
        start: memory.start,
        size: memory.size,
    });
    let memories: Vec<Region> = memories.chain(others(chip, image)).collect();
    let architecture = chip.core().architecture();
    let target = Target {
        part: chip.part(),
        architecture: architecture.name,
        machine: architecture.elf_machine,
        variants: architecture.elf_variants,
        signature: &signature(chip, image),
        memories: &memories,
    };
    Ok(image.check_fits(&target)?)
}

/// Where the image has something for memories of the chip that are neither flash nor RAM: EEPROM, fuses.
fn others(chip: &dyn Chip, image: &Image) -> Vec<Region> {
    let is_plain = |address: u32| {
        chip.memories().iter().any(|m| address >= m.start && address - m.start < m.size)
    };
    let there = image.segments().iter().filter(|segment| {
        let mut bytes = vec![0; segment.bytes.len()];
        !is_plain(segment.address) && chip.peek(segment.address, &mut bytes).is_ok()
    });
    let region = |start, size: usize| Region { name: "other", start, size: size as u32 };
    there.map(|segment| region(segment.address, segment.bytes.len())).collect()
}

/// The signature of the chip, if the image states one: as a programmer reads it before it writes.
fn signature(chip: &dyn Chip, image: &Image) -> Vec<u8> {
    let mut signature = vec![0; image.signature().map_or(0, <[u8]>::len)];
    match chip.peek(SIGNATURE, &mut signature) {
        Ok(()) => signature,
        Err(_) => Vec::new(),
    }
}

/// Writes the image to the chip's memories, as a programmer does.
fn load(chip: &mut dyn Chip, image: &Image) -> Result<(), Error> {
    for segment in image.segments() {
        chip.program(segment.address, &segment.bytes)
            .map_err(|source| Error::Program { image: image.name().to_string(), source })?;
    }
    Ok(())
}
