// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program of `test/force`: its operations, and the places and variables that `force.h` names.

use crate::limits::Limits;
use lichen_board::Board;
use lichen_chip::{Config, Time, UnknownPart};
use lichen_image::{Image, Section, Structure};
use lichen_isa::Architecture;
use lichen_observe::{Kernel, Record, Unreadable, pointer, software_interrupts};
use std::ops::Range;

/// Why a program cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not built with the frame of `test/force/frame`.
    #[error("the image has no {what}; build it with lichen_force() of os/lichen.cmake")]
    Missing {
        /// What is missing.
        what: String,
    },
    /// It has no operations.
    #[error("`force_operations` is empty; list at least one operation")]
    NoOperations,
    /// Nothing says how its chip's sleep modes are numbered.
    #[error("the sleep modes of {part} are not known; add them to `MODES` in limits.rs")]
    Modes {
        /// The chip.
        part: String,
    },
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
    /// Nor does one of a part around it.
    #[error(transparent)]
    Part(#[from] lichen_device::NotItsState),
    /// The program did not reach the place where it can be examined.
    #[error("it does not reach {place}: {failure}")]
    Start {
        /// The place that it should reach.
        place: &'static str,
        /// What happened instead.
        failure: crate::Failure,
    },
    /// Two ways of counting a stretch's instructions differ: an error in the simulator or in this
    /// tool.
    #[error("the stretch has {stepped} instructions step by step, but {traced} in one run")]
    Count {
        /// Instructions executed step by step.
        stepped: u64,
        /// Instructions executed in one run.
        traced: u64,
    },
}

/// A kernel operation that the program offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// Whether threads can perform it.
    pub in_thread: bool,
    /// Whether events can perform it.
    pub in_event: bool,
    /// Whether interrupts can perform it themselves, at every level.
    pub in_interrupt: bool,
}

/// A state in which a run begins, which the program offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name; empty in a program in which all runs begin alike.
    pub name: String,
    /// How long a run lasts at most, from any moment of it.
    pub lasts: Time,
    /// No second interrupt is forced into the first one: that takes too many instructions.
    pub alone: bool,
}

/// Texts of a program that are longer are cut.
pub(crate) const LONGEST_TEXT: u32 = 256;

/// How long runs last at most if the program does not say: the deadlines of operations are shorter.
const RUN: Time = Time::from_ms(50);

/// Addresses of what `force.h` declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    pub(crate) ready: u32,
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) done: u32,
    pub(crate) choice: u32,
    pub(crate) failure: u32,
    pub(crate) panic_recorded: u32,
}

/// A program that can be examined.
#[derive(Debug)]
pub struct Program {
    pub(crate) image: Image,
    pub(crate) kernel: Kernel,
    pub(crate) places: Places,
    pub(crate) part: String,
    pub(crate) config: Config,
    /// The board, if the program drives its radio.
    pub(crate) with_radio: Option<Board>,
    /// Addresses that it writes, without the stacks.
    pub(crate) memory: Vec<Range<u32>>,
    /// Where its stacks are.
    pub(crate) stacks: Vec<Range<u32>>,
    /// The interrupts that can be forced, by level.
    pub(crate) interrupts: Vec<u32>,
    /// Layout of `force_failure`.
    pub(crate) failure: Structure,
    /// Its sleep limits.
    pub(crate) limits: Limits,
    operations: Vec<Operation>,
    states: Vec<State>,
    carries: bool,
}

impl Program {
    /// The program of `image`, on a mote like `board`.
    pub fn new(image: Image, board: &Board) -> Result<Program, Error> {
        let missing = |what: &str| Error::Missing { what: what.to_string() };
        let kernel = Kernel::find(&image)?.ok_or_else(|| missing("Lichen kernel"))?;
        let places = places(&image)?;
        let operations = operations(&image)?;
        if operations.is_empty() {
            return Err(Error::NoOperations);
        }
        let states = states(&image)?;
        let written = image.sections().iter().filter(|it| it.writable && !it.apart);
        let (stacks, memory): (Vec<_>, Vec<_>) =
            written.partition(|section| section.name.ends_with("stack"));
        let ranges = |sections: Vec<&Section>| {
            sections.iter().map(|it| it.address..it.address + it.size).collect()
        };
        let (stacks, memory) = (ranges(stacks), ranges(memory));
        let (part, config) = (board.chip.clone(), board.config());
        let drives_radio = image.symbols().find("radio_facts").is_some();
        let with_radio = drives_radio.then(|| board.clone());
        let carries = image.symbols().find("kernel_level").is_some();
        let failure = layout(&image, "force_failure")?;
        let interrupts = software_interrupts(&image);
        let limits = Limits::of(&image, &part)?;
        Ok(Program {
            image,
            kernel,
            places,
            part,
            config,
            with_radio,
            memory,
            stacks,
            interrupts,
            failure,
            limits,
            operations,
            states,
            carries,
        })
    }

    /// Levels of interrupts that can be forced, from 0 on.
    pub fn levels(&self) -> usize {
        self.interrupts.len()
    }

    /// Its operations, in the program's order.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The states in which its runs begin; at least one.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Whether an event or a thread can carry what an interrupt may not do: in the smallest
    /// programs, with cooperative threads only, nothing can.
    pub fn carries(&self) -> bool {
        self.carries
    }

    /// The image.
    pub fn image(&self) -> &Image {
        &self.image
    }
}

pub(crate) fn symbol(image: &Image, name: &str) -> Result<u32, Error> {
    let found = image.symbols().find(name);
    found
        .map(|symbol| symbol.address)
        .ok_or_else(|| Error::Missing { what: format!("symbol `{name}`") })
}

fn places(image: &Image) -> Result<Places, Error> {
    Ok(Places {
        ready: symbol(image, "force_ready")?,
        begin: symbol(image, "force_begin")?,
        end: symbol(image, "force_end")?,
        done: symbol(image, "force_done")?,
        choice: symbol(image, "force_choice")?,
        failure: symbol(image, "force_failure")?,
        panic_recorded: symbol(image, "panic_recorded")?,
    })
}

/// Reads the table of operations from flash.
fn operations(image: &Image) -> Result<Vec<Operation>, Error> {
    let missing = |what: &str| Error::Missing { what: what.to_string() };
    let found = table(image, "force_operation", operation)?;
    found.ok_or_else(|| missing("symbol `force_operations`"))
}

/// Reads the table of states, if there is one.
fn states(image: &Image) -> Result<Vec<State>, Error> {
    let alike = || vec![State { name: String::new(), lasts: RUN, alone: false }];
    Ok(table(image, "force_state", state)?.unwrap_or_else(alike))
}

/// Reads a table of pointers to structures from flash; its name is that of the structure plus an s.
fn table<T>(
    image: &Image,
    structure: &str,
    entry: impl Fn(&Record<'_, Image>) -> Option<T>,
) -> Result<Option<Vec<T>>, Error> {
    let Some(table) = image.symbols().find(&format!("{structure}s")) else { return Ok(None) };
    let layout = layout(image, structure)?;
    let step = architecture(image).map_or(4, |architecture| architecture.pointers.data_bytes);
    let missing = || Error::Missing { what: format!("readable table `{structure}s`") };
    let entries = (0..table.size / step).map(|index| {
        pointer(image, table.address + step * index)
            .and_then(|address| entry(&Record { bytes: image, layout: &layout, address }))
            .ok_or_else(missing)
    });
    entries.collect::<Result<_, _>>().map(Some)
}

fn architecture(image: &Image) -> Option<&'static Architecture> {
    lichen_isa::architecture(image.machine().number())
}

fn layout(image: &Image, structure: &str) -> Result<Structure, Error> {
    let missing = || Error::Missing { what: format!("debug information for `{structure}`") };
    image.structure(structure).ok_or_else(missing)
}

fn state(state: &Record<'_, Image>) -> Option<State> {
    let lasts = match state.get("lasts_ms")? {
        0 => RUN,
        lasts => Time::from_ms(lasts.into()),
    };
    let alone = state.get("alone")? != 0;
    Some(State { name: state.text("name", LONGEST_TEXT)?, lasts, alone })
}

fn operation(operation: &Record<'_, Image>) -> Option<Operation> {
    let pointer_bytes = architecture(operation.bytes)?.pointers.code_bytes;
    let levels = operation.layout.member("in_interrupt")?.size / pointer_bytes;
    let mut in_interrupt = true;
    for level in 0..levels {
        in_interrupt &= operation.element("in_interrupt", level, levels)? != 0;
    }
    Some(Operation {
        name: operation.text("name", LONGEST_TEXT)?,
        in_thread: operation.get("in_thread")? != 0,
        in_event: operation.get("in_event")? != 0,
        in_interrupt,
    })
}
