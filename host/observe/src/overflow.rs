// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stacks of an image, for the simulator to guard, and what an overflow of one of them means for the program.

use crate::callers::{self, Frame};
use crate::kernel::{COOP_STACK, IDLE_STACK, IDLE_STACK_USUAL};
use crate::{Kernel, Place, place};
use lichen_analysis::{Owner, Text};
use lichen_chip::Chip;
use lichen_image::{Image, source_name};
use lichen_isa::{Flow, Instruction, RegisterRole, StackOverflow, Stacks};
use std::fmt;
use std::ops::Range;

/// Where the linker puts the stacks of threads, those made at run time included.
const THREAD_STACKS: [&str; 2] = ["thread_stacks_begin", "thread_stacks_end"];
/// Calls that are followed back from the one that needs too much.
const MOST_CALLS: usize = 2048;

/// A stack and who uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stack {
    /// In words.
    owner: String,
    /// Its name in the list of stacks, if it is there.
    name: Option<String>,
    bytes: Range<u32>,
}

/// A stack that does not suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// Whose stack it is, in words.
    pub owner: String,
    /// Its name in [`Kernel::stacks`], if it is there.
    pub name: Option<String>,
    /// Its size in bytes.
    pub bytes: u32,
    /// What is in use, in bytes.
    pub used: u32,
    /// The functions that use it, from the outermost one on, as far as that is known.
    pub calls: Vec<Call>,
    /// An interrupt of them needed too much.
    pub is_interrupt: bool,
    /// The line of the program that needs too much.
    pub place: Place,
}

/// A function in a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name.
    pub function: String,
    /// What it uses of the stack, in bytes.
    pub bytes: u32,
    /// How often it is there in a row, having called itself.
    pub times: u32,
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overflow { owner, bytes, used, .. } = self;
        write!(
            f,
            "stack overflow: the stack of {owner} has {bytes} bytes, and {used} are in use here"
        )?;
        for (index, Call { function, bytes, times }) in self.calls.iter().enumerate() {
            write!(f, "{} {function} {bytes}", if index == 0 { ":" } else { "," })?;
            if *times > 1 {
                write!(f, ", {times} times")?;
            }
        }
        let known: u32 = self.calls.iter().map(|call| call.bytes * call.times).sum();
        match used.saturating_sub(known) {
            0 => Ok(()),
            _ if known == 0 && self.is_interrupt => write!(f, ", with those of an interrupt"),
            _ if known == 0 => Ok(()),
            rest if self.is_interrupt => write!(f, ", and {rest} to be interrupted"),
            rest => write!(f, ", and {rest} more"),
        }
    }
}

impl Kernel {
    /// The stacks of the program in `image`, and the instructions of the kernel that go from one to another. No stack
    /// pointer leads out of `ram`.
    pub fn guarded(&self, image: &Image, ram: Range<u32>) -> Stacks {
        let stacks = self.all_stacks(image).into_iter().map(|stack| stack.bytes);
        Stacks::new(stacks.collect(), switches(image), ram)
    }

    /// What an overflow means; the processor is behind the instruction that lowered the stack pointer.
    pub fn overflow(&self, image: &Image, chip: &dyn Chip, overflow: &StackOverflow) -> Overflow {
        let stacks = self.all_stacks(image);
        let stack = stacks.into_iter().find(|stack| stack.bytes.start == overflow.begin);
        let Stack { owner, name, bytes } = stack.unwrap_or_else(|| Stack {
            owner: "the program".to_string(),
            name: None,
            bytes: overflow.begin..overflow.begin,
        });
        let (owner, name) = match self.made_thread(chip) {
            Some(thread) if name.is_none() => (format!("thread `{thread}'"), Some(thread)),
            _ => (owner, name),
        };
        let (frames, is_interrupt) = self.frames(image, chip, overflow);
        let own = std::iter::once(overflow.pc).chain(frames.iter().map(|frame| frame.pc));
        let declared = self.threads().iter().find(|thread| thread.stack == overflow.begin);
        let place = own
            .chain(declared.map(|thread| thread.entry))
            .filter_map(|pc| callers::of_program(image, pc & !1))
            .next();
        let pointer = self.port.map_or(u32::MAX, |port| port.calls.bits);
        Overflow {
            owner,
            name,
            // A pointer that wraps is above its stack.
            used: bytes.end.wrapping_sub(overflow.lowest) & pointer,
            bytes: bytes.end - bytes.start,
            calls: calls(image, &frames, bytes.end, pointer),
            is_interrupt,
            place: place.unwrap_or_else(|| self::place(image, overflow.pc)),
        }
    }

    /// The functions that are in a call, from the innermost one on, each with the lowest byte that it uses; and whether
    /// it was an interrupt of them that needed too much.
    fn frames(
        &self,
        image: &Image,
        chip: &dyn Chip,
        overflow: &StackOverflow,
    ) -> (Vec<Frame>, bool) {
        let Some(port) = self.port else { return (Vec::new(), false) };
        let how = &port.calls;
        let interrupted =
            (how.interrupted)(chip, &self.places).filter(|frame| frame.pc == overflow.pc);
        let first = interrupted.unwrap_or((how.here)(chip));
        let code = self.code(image, chip);
        let mut frames = callers::frames(how, &code, chip, first, MOST_CALLS);
        frames.iter_mut().for_each(|frame| frame.sp = frame.sp.wrapping_add(how.free));
        if let (None, Some(first)) = (interrupted, frames.first_mut()) {
            first.sp = overflow.lowest;
        }
        let is_interrupt = interrupted.is_some() || is_in_port(image, first.pc);
        (frames, is_interrupt)
    }

    /// The thread that runs, if it was made at run time.
    fn made_thread(&self, chip: &dyn Chip) -> Option<String> {
        let current = self.current(chip)?;
        let made = self.created(chip).into_iter().find(|thread| thread.block == current);
        made.map(|thread| thread.name)
    }

    /// The kernel's stack, and those of threads, declared and made at run time.
    fn all_stacks(&self, image: &Image) -> Vec<Stack> {
        let (begin, end) = self.kernel_stack;
        let named = |owner: &str, name: &str, bytes| Stack {
            owner: owner.to_string(),
            name: Some(name.to_string()),
            bytes,
        };
        let kernel = named("the kernel", "kernel", begin..end);
        let bounds = THREAD_STACKS.map(|name| image.symbols().find(name).map(|it| it.address));
        let [Some(first), Some(end)] = bounds else { return vec![kernel] };
        let objects = image.symbols().objects().iter().filter(|object| object.size > 0);
        let stacks = objects.filter(|object| (first..end).contains(&object.address));
        let stacks = stacks.map(|object| {
            let thread = self.threads().iter().find(|thread| thread.stack == object.address);
            let bytes = object.address..object.address + object.size;
            match thread {
                Some(thread) => named(&format!("thread `{}'", thread.name), &thread.name, bytes),
                None if object.name == IDLE_STACK && self.has_coop() => {
                    named("cooperative threads", COOP_STACK, bytes)
                }
                None if [IDLE_STACK, IDLE_STACK_USUAL].contains(&object.name.as_str()) => {
                    named("the idle thread", "idle", bytes)
                }
                None => {
                    let owner = format!("the thread on `{}'", object.name);
                    Stack { owner, name: None, bytes }
                }
            }
        });
        std::iter::once(kernel).chain(stacks).collect()
    }
}

/// The instructions of the kernel's port that write the stack pointer.
fn switches(image: &Image) -> Vec<u32> {
    let text = Text::of(image);
    let Some(pointer) = text.architecture().register(RegisterRole::StackPointer) else {
        return Vec::new();
    };
    let code = image.code().iter().cloned().flat_map(|range| text.instructions(range));
    let written = code.filter(|(_, instruction)| sets(instruction, pointer as u8));
    written.map(|(at, _)| at).filter(|at| text.is_of_port(*at)).collect()
}

/// Whether an instruction gives the stack pointer a value of its own: calls, pushes and pops do not.
fn sets(instruction: &Instruction, pointer: u8) -> bool {
    let uses_stack = instruction.access.is_some_and(
        |access| matches!(access.place, lichen_isa::Place::Base { base, .. } if base == pointer),
    );
    instruction.flow == Flow::Next && instruction.writes.contains(pointer) && !uses_stack
}

fn is_in_port(image: &Image, address: u32) -> bool {
    image.locations(address).iter().any(|it| Owner::at(it) == Some(Owner::Port))
}

/// What the functions of these frames use of a stack that ends at `end`, from the outermost one on, without the
/// kernel's own. A stack pointer has the bits of `pointer`.
fn calls(image: &Image, frames: &[Frame], end: u32, pointer: u32) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let ends = frames.iter().skip(1).map(|caller| caller.sp).chain([end]);
    for (frame, end) in frames.iter().zip(ends).collect::<Vec<_>>().into_iter().rev() {
        let Some(place) = image.symbols().place(frame.pc) else { continue };
        let bytes = end.wrapping_sub(frame.sp) & pointer;
        if bytes == 0 || is_in_port(image, frame.pc) {
            continue;
        }
        let function = source_name(place.name);
        match calls.last_mut() {
            Some(last) if last.function == function && last.bytes == bytes => last.times += 1,
            _ => calls.push(Call { function: function.to_string(), bytes, times: 1 }),
        }
    }
    calls
}
