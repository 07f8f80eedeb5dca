// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Lichen kernel in an image: its threads and their stacks, found through the symbol
//! `lichen_abi` and the debug information.

use crate::arch::{self, Places, Port};
use crate::created::{CreatedThread, CreatedThreads};
use crate::programs::{Code, Loader, Programs};
use crate::record::{self, Bytes, Record};
use crate::waits::Waits;
use lichen_chip::Chip;
use lichen_image::{Image, Structure};
use std::borrow::Cow;
use std::sync::Arc;

/// Version of the structures that this reader understands (`LICHEN_ABI_VERSION`).
const VERSION: u32 = 1;

/// The idle thread is not declared, so it has no name in the table.
pub(crate) const IDLE: &str = "idle";
/// Defined in programs that have threads.
const SWITCHES: &str = "threads_start";

/// Defined in programs that have cooperative threads, and a byte that is not 0 as soon as they run.
const COOP: &str = "coop_run";
const COOP_RUNS: &str = "coop_states_end";
/// Second names of their bodies, and what precedes the thread's name in them.
pub(crate) const COOP_BODY: &str = "coop_body_";
/// The stack of the idle thread, and of the cooperative ones.
pub(crate) const IDLE_STACK: &str = "idle_stack";
/// That of the idle thread in programs without cooperative ones.
pub(crate) const IDLE_STACK_USUAL: &str = "idle_stack_usual";
/// What that of the cooperative threads is called in the list of stacks.
pub(crate) const COOP_STACK: &str = "coop";

/// What starts threads that are declared stopped; defined in programs that call it.
const STARTS: &str = "thread_start_service";
/// What the function that runs a thread's body is called behind the thread's name.
const RUNS: &str = "_thread";

/// A thread that was made at run time and whose name is not known.
const CREATED: &str = "a thread made at run time";

/// The structure of that record.
const CRASH: &str = "program_crash";

pub(crate) const LONGEST_NAME: u32 = 64;
pub(crate) const MOST_THREADS: u32 = 256;

/// The image has a kernel that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Another version of the kernel's structures.
    #[error(
        "the image's kernel has ABI version {0}, this tool reads version {VERSION}: threads and \
             panics are not shown; build the image with the matching sources"
    )]
    Version(u32),
    /// No description of the kernel's structures.
    #[error(
        "the image has a Lichen kernel but no debug information for it: threads and panics are \
             not shown; build it with -g and do not strip it"
    )]
    NoDebugInformation,
}

/// A declared thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its name in the source.
    pub name: String,
    /// Address of its control block.
    pub block: u32,
    /// Address of its function.
    pub entry: u32,
    /// First address of its stack.
    pub stack: u32,
    /// Bytes of its stack.
    pub stack_bytes: u32,
    /// As declared.
    pub priority: u32,
    /// Whether only `thread_start` starts it.
    pub is_stopped: bool,
}

/// The use of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackMark {
    /// The thread, or `kernel`.
    pub name: String,
    /// Bytes of the stack.
    pub bytes: u32,
    /// Most bytes that were in use at the same time since start-up.
    pub used: u32,
}

/// The kernel of an image.
#[derive(Debug)]
pub struct Kernel {
    /// The kernel's port to the image's architecture, if there is one, and where its code is.
    pub(crate) port: Option<&'static Port>,
    pub(crate) places: Places,
    threads: Vec<Thread>,
    /// Control block of the idle thread, if the image says where it is.
    idle_block: Option<u32>,
    has_threads: bool,
    created: Option<CreatedThreads>,
    /// What loads programs, if the image does.
    loader: Option<Loader>,
    /// The record of the last program that failed: where it is, and its layout.
    pub(crate) crash: Option<(u32, Structure)>,
    /// Layout of a control block, if the debug information has it.
    pub(crate) thread_layout: Option<Structure>,
    /// What tells what threads wait for, if the debug information has it.
    pub(crate) waits: Option<Waits>,
    pub(crate) state: u32,
    pub(crate) state_layout: Structure,
    pub(crate) panic: u32,
    pub(crate) panic_layout: Structure,
    pub(crate) kernel_stack: (u32, u32),
    paint: u32,
    coop_runs: Option<u32>,
    /// The stack that cooperative threads have beside other threads: its first byte, and how many.
    coop_stack: Option<(u32, u32)>,
}

/// The stack of cooperative threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoopStack {
    /// Its size.
    pub bytes: u32,
    /// The function that runs on it.
    pub entry: u32,
    /// The functions of the threads, which that one calls.
    pub bodies: Vec<u32>,
}

impl Kernel {
    /// The Lichen kernel of `image`, if it has one.
    pub fn find(image: &Image) -> Result<Option<Kernel>, Unreadable> {
        let Some(symbol) = image.symbols().find("lichen_abi") else { return Ok(None) };
        let version = record::word(image, symbol.address).unwrap_or(0);
        if version != VERSION {
            return Err(Unreadable::Version(version));
        }
        Kernel::read(image, symbol.address).map(Some).ok_or(Unreadable::NoDebugInformation)
    }

    fn read(image: &Image, address: u32) -> Option<Kernel> {
        let layout = image.structure("lichen_abi")?;
        let abi = Record { bytes: image, layout: &layout, address };
        let port = arch::port(image.architecture()?);
        Some(Kernel {
            port,
            places: Places::find(image, port),
            threads: threads(image, &abi)?,
            idle_block: image.symbols().find(IDLE).map(|idle| idle.address),
            has_threads: image.symbols().find(SWITCHES).is_some(),
            created: CreatedThreads::find(image),
            loader: Loader::find(image),
            crash: crash(image),
            thread_layout: image.structure("thread"),
            waits: Waits::find(image),
            state: abi.address("kernel")?,
            state_layout: image.structure("kernel")?,
            panic: abi.address("panic")?,
            panic_layout: image.structure("panic_record")?,
            kernel_stack: (abi.address("kernel_stack_begin")?, abi.address("kernel_stack_end")?),
            paint: abi.get("stack_paint")?,
            coop_runs: image
                .symbols()
                .find(COOP)
                .and_then(|_| Some(image.symbols().find(COOP_RUNS)?.address)),
            coop_stack: image
                .symbols()
                .find(COOP)
                .and_then(|_| image.symbols().find(IDLE_STACK))
                .map(|stack| (stack.address, stack.size)),
        })
    }

    /// The declared threads, in the order of the linker's table.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// The first instruction of a declared thread.
    pub fn first_instruction(image: &Image, thread: &Thread) -> Option<u32> {
        Some(image.symbols().find(&format!("{}{RUNS}", thread.name))?.address)
    }

    /// Whether the program calls `thread_start` at all.
    pub fn starts_threads(image: &Image) -> bool {
        image.symbols().find(STARTS).is_some()
    }

    /// Whether threads run in the program, if only the idle one. Without them everything but handlers
    /// runs in one loop, and `struct kernel` may have no memory of its own.
    pub fn has_threads(&self) -> bool {
        self.has_threads
    }

    /// Whether there are cooperative threads.
    pub fn has_coop(&self) -> bool {
        self.coop_runs.is_some()
    }

    /// What the cooperative threads of a program with other threads have in common, if it has both.
    pub fn coop_stack(image: &Image) -> Option<CoopStack> {
        let symbols = image.symbols();
        let (stack, entry) = (symbols.find(IDLE_STACK)?, symbols.find(COOP)?);
        let bodies = symbols.functions().iter().filter(|it| it.name.starts_with(COOP_BODY));
        Some(CoopStack {
            bytes: stack.size,
            entry: entry.address,
            bodies: bodies.map(|body| body.address).collect(),
        })
    }

    /// Whether cooperative threads run where nothing else does: in programs without threads, which have
    /// an idle thread otherwise.
    pub(crate) fn coop_runs_alone(&self, chip: &dyn Chip) -> bool {
        let mut state = [0];
        let runs = self.coop_runs.filter(|_| !self.has_threads);
        runs.is_some_and(|at| chip.peek(at, &mut state).is_ok() && state[0] != 0)
    }

    /// Name of the thread that runs or is interrupted; `None` before threads run.
    pub fn running(&self, chip: &dyn Chip) -> Option<Cow<'_, str>> {
        let block = self.current(chip)?;
        if let Some(name) = self.declared_name(block) {
            return Some(name.into());
        }
        if self.idle_block == Some(block) {
            return Some(IDLE.into());
        }
        if let Some(name) = self.loaded_name(chip, block) {
            return Some(name.into());
        }
        let is_created = self.created(chip).iter().any(|thread| thread.block == block);
        Some(if is_created { CREATED } else { IDLE }.into())
    }

    /// Whether a thread has this control block: before start-up code has cleared memory, that holds anything.
    pub(crate) fn is_thread(&self, chip: &dyn Chip, block: u32) -> bool {
        self.declared_name(block).is_some()
            || self.idle_block.is_none_or(|idle| idle == block)
            || self.created(chip).iter().any(|thread| thread.block == block)
            || self.loaded_name(chip, block).is_some()
    }

    /// Name of the thread of a loaded program with this control block, with that of its program: `sense/sampler`.
    fn loaded_name(&self, chip: &dyn Chip, block: u32) -> Option<String> {
        self.loader.as_ref()?.thread_name(chip, block)
    }

    /// The threads of loaded programs: control blocks and names.
    pub(crate) fn loaded(&self, chip: &dyn Chip) -> Vec<(u32, String)> {
        self.loader.as_ref().map(|loader| loader.threads(chip)).unwrap_or_default()
    }

    /// The programs that are installed on a mote with `chip`.
    pub fn programs(&self, chip: &dyn Chip) -> Arc<Programs> {
        self.loader.as_ref().map(|loader| loader.programs(chip)).unwrap_or_default()
    }

    /// The code of a mote with `image`, and with the programs that are installed now.
    pub fn code<'a>(&self, image: &'a Image, chip: &dyn Chip) -> Code<'a> {
        Code::new(image, self.programs(chip))
    }

    /// Name of the declared thread with this control block.
    fn declared_name(&self, block: u32) -> Option<&str> {
        let thread = self.threads.iter().find(|thread| thread.block == block);
        thread.map(|thread| thread.name.as_str())
    }

    /// Name of the thread with this control block.
    pub(crate) fn thread_name(&self, chip: &dyn Chip, block: u32) -> String {
        let created = || self.created(chip).into_iter().find(|thread| thread.block == block);
        match self.declared_name(block) {
            Some(name) => name.to_string(),
            None => match self.loaded_name(chip, block) {
                Some(name) => name,
                None => created().map_or(IDLE.to_string(), |thread| thread.name),
            },
        }
    }

    /// The threads that were made at run time and have not ended.
    pub(crate) fn created(&self, chip: &dyn Chip) -> Vec<CreatedThread> {
        self.created.as_ref().map(|list| list.all(chip)).unwrap_or_default()
    }

    /// The use of each stack: the kernel's, then those of declared threads, of cooperative ones, and of those that were
    /// made at run time and have not ended.
    pub fn stacks(&self, chip: &dyn Chip) -> Vec<StackMark> {
        let (begin, end) = self.kernel_stack;
        let kernel = ("kernel", begin, end.saturating_sub(begin));
        let threads = self.threads.iter().map(|t| (t.name.as_str(), t.stack, t.stack_bytes));
        let coop = self.coop_stack.map(|(begin, bytes)| (COOP_STACK, begin, bytes));
        let created = self.created(chip);
        let created = created.iter().map(|t| (t.name.as_str(), t.stack, t.stack_bytes));
        std::iter::once(kernel)
            .chain(threads)
            .chain(coop)
            .chain(created)
            .filter_map(|(name, begin, bytes)| {
                let used = bytes - self.untouched(chip, begin, bytes)?;
                Some(StackMark { name: name.to_string(), bytes, used })
            })
            .collect()
    }

    /// Bytes at the low end of a stack that still hold the paint.
    fn untouched(&self, chip: &dyn Chip, begin: u32, bytes: u32) -> Option<u32> {
        let mut memory = vec![0; bytes as usize];
        chip.peek(begin, &mut memory).ok()?;
        let unit = self.port.map_or(4, |port| port.stack_unit);
        let paint = self.paint.to_le_bytes().into_iter().cycle();
        let untouched = memory.iter().zip(paint).take_while(|(byte, paint)| *byte == paint).count();
        Some(untouched as u32 / unit * unit)
    }
}

/// The record of the last program that failed.
fn crash(image: &Image) -> Option<(u32, Structure)> {
    let record = image.variables(CRASH).into_iter().next()?;
    Some((record.address?, image.structure(CRASH)?))
}

/// The linker's table of threads. Its symbols say in which address space it is; pointers to it do not.
fn threads(image: &Image, abi: &Record<'_, Image>) -> Option<Vec<Thread>> {
    let bound = |name: &str| match image.symbols().find(name) {
        Some(symbol) => Some(symbol.address),
        None => abi.address(name),
    };
    threads_between(image, bound("threads_begin")?, bound("threads_end")?)
}

/// The threads that a program declares which is to be loaded; its link names its table (`os/load/tables.ld`).
pub fn loaded_threads(image: &Image) -> Option<Vec<Thread>> {
    let edge = |name: &str| image.symbols().find(name).map(|symbol| symbol.address);
    threads_between(image, edge("tables_threads_begin")?, edge("tables_threads_end")?)
}

fn threads_between(image: &Image, begin: u32, end: u32) -> Option<Vec<Thread>> {
    // A program without threads does not use the structure, so its layout may be missing.
    if begin == end {
        return Some(Vec::new());
    }
    let layout = image.structure("thread_info")?;
    let count = end.checked_sub(begin)?.checked_div(layout.size)?;
    (0..count.min(MOST_THREADS))
        .map(|index| {
            let info =
                Record { bytes: image, layout: &layout, address: begin + index * layout.size };
            Some(Thread {
                name: info.text("name", LONGEST_NAME)?,
                block: info.address("thread")?,
                entry: info.address("entry")?,
                stack: info.address("stack")?,
                stack_bytes: info.get("stack_bytes")?,
                priority: info.get("priority")?,
                is_stopped: info.get("stopped")? != 0,
            })
        })
        .collect()
}
