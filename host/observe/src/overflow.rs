// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stacks of an image, for the simulator to guard, and what an overflow of one of them means for the program.

use crate::callers::{self, Frame};
use crate::code::instruction;
use crate::record::Bytes;
use crate::{Kernel, Place, from_the_tree, place};
use lichen_chip::Chip;
use lichen_image::Image;
use lichen_isa::{Flow, Instruction, RegisterRole, StackOverflow, Stacks};
use std::fmt;
use std::ops::Range;

/// Where the linker puts the stacks of threads, those made at run time included.
const THREAD_STACKS: [&str; 2] = ["thread_stacks_begin", "thread_stacks_end"];
/// The source of what goes from one stack to another.
const PORTS: &str = "os/arch/";
/// Calls that are followed back from the one that needs too much.
const MOST_CALLS: usize = 2048;

/// A stack and who uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stack {
    /// In words.
    owner: String,
    bytes: Range<u32>,
}

/// A stack that does not suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// Whose stack it is, in words.
    pub owner: String,
    /// Its size in bytes.
    pub bytes: u32,
    /// What is in use, in bytes.
    pub used: u32,
    /// The functions that use it, from the outermost one on, as far as that is known.
    pub calls: Vec<Call>,
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
        write!(f, "stack overflow: {owner} has {bytes} bytes of stack, and uses {used} here")?;
        for (index, Call { function, bytes, times }) in self.calls.iter().enumerate() {
            write!(f, "{} {function} {bytes}", if index == 0 { ":" } else { "," })?;
            if *times > 1 {
                write!(f, ", {times} times")?;
            }
        }
        Ok(())
    }
}

impl Kernel {
    /// The stacks of the program in `image`, and the instructions of the kernel that go from one to another.
    pub fn guarded(&self, image: &Image) -> Stacks {
        let stacks = self.all_stacks(image).into_iter().map(|stack| stack.bytes);
        Stacks::new(stacks.collect(), switches(image))
    }

    /// What an overflow means; the processor is behind the instruction that lowered the stack pointer.
    pub fn overflow(&self, image: &Image, chip: &dyn Chip, overflow: &StackOverflow) -> Overflow {
        let stacks = self.all_stacks(image);
        let stack = stacks.into_iter().find(|stack| stack.bytes.start == overflow.begin);
        let Stack { owner, bytes } = stack.unwrap_or_else(|| Stack {
            owner: "the program".to_string(),
            bytes: overflow.begin..overflow.begin,
        });
        let frames = self.frames(image, chip, overflow.pc);
        let own = std::iter::once(overflow.pc).chain(frames.iter().map(|frame| frame.pc));
        let place = own.filter_map(|pc| callers::of_program(image, pc)).next();
        Overflow {
            owner,
            used: bytes.end.saturating_sub(overflow.lowest),
            bytes: bytes.end - bytes.start,
            calls: calls(image, &frames, &bytes),
            place: place.unwrap_or_else(|| self::place(image, overflow.pc)),
        }
    }

    /// The functions that are in a call, from the innermost one on; it needed too much at the instruction at `pc`.
    fn frames(&self, image: &Image, chip: &dyn Chip, pc: u32) -> Vec<Frame> {
        let Some(how) = self.port.map(|port| &port.calls) else { return Vec::new() };
        let interrupted = interrupted(chip).or_else(|| (how.interrupted)(chip, &self.places));
        let first = interrupted.filter(|frame| frame.pc == pc).unwrap_or((how.here)(chip));
        callers::frames(how, image, chip, first, MOST_CALLS)
    }

    /// The kernel's stack, and those of threads, declared and made at run time.
    fn all_stacks(&self, image: &Image) -> Vec<Stack> {
        let (begin, end) = self.kernel_stack;
        let kernel = Stack { owner: "the kernel".to_string(), bytes: begin..end };
        let bounds = THREAD_STACKS.map(|name| image.symbols().find(name).map(|it| it.address));
        let [Some(first), Some(end)] = bounds else { return vec![kernel] };
        let objects = image.symbols().objects().iter().filter(|object| object.size > 0);
        let stacks = objects.filter(|object| (first..end).contains(&object.address));
        let stacks = stacks.map(|object| {
            let thread = self.threads().iter().find(|thread| thread.stack == object.address);
            let owner = match thread {
                Some(thread) => format!("thread `{}'", thread.name),
                None => format!("the thread on `{}'", object.name),
            };
            Stack { owner, bytes: object.address..object.address + object.size }
        });
        std::iter::once(kernel).chain(stacks).collect()
    }
}

/// What an interrupt has interrupted that has just begun, where the processor says where its stack was.
fn interrupted(chip: &dyn Chip) -> Option<Frame> {
    let architecture = chip.core().architecture();
    let saved = chip.core().saved_by_exception()?;
    let value = |role| {
        let number = architecture.register(role)?;
        saved.iter().find(|(saved, _)| *saved == number).map(|(_, value)| *value)
    };
    Some(Frame {
        pc: value(RegisterRole::ProgramCounter)?,
        sp: architecture.data_address(value(RegisterRole::StackPointer)?),
        link: value(RegisterRole::ReturnAddress),
    })
}

/// The instructions of the kernel's port that write the stack pointer.
fn switches(image: &Image) -> Vec<u32> {
    let Some(architecture) = image.architecture() else { return Vec::new() };
    let Some(pointer) = architecture.register(RegisterRole::StackPointer) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for code in image.code() {
        let mut at = code.start;
        while let Some(instruction) = instruction(image, at).filter(|_| at < code.end) {
            if sets(&instruction, pointer as u8) && is_in_port(image, at) {
                found.push(at);
            }
            at += instruction.bytes;
        }
    }
    found
}

/// Whether an instruction gives the stack pointer a value of its own: calls, pushes and pops do not.
fn sets(instruction: &Instruction, pointer: u8) -> bool {
    let uses_stack = instruction.access.is_some_and(
        |access| matches!(access.place, lichen_isa::Place::Base { base, .. } if base == pointer),
    );
    instruction.flow == Flow::Next && instruction.writes.contains(pointer) && !uses_stack
}

fn is_in_port(image: &Image, address: u32) -> bool {
    let files = image.locations(address).into_iter().filter_map(|at| at.file);
    files.into_iter().any(|file| from_the_tree(&file).starts_with(PORTS))
}

/// What the functions of these frames use of a stack, from the outermost one on.
fn calls(image: &Image, frames: &[Frame], stack: &Range<u32>) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let ends = frames.iter().skip(1).map(|caller| caller.sp).chain([stack.end]);
    for (frame, end) in frames.iter().zip(ends).collect::<Vec<_>>().into_iter().rev() {
        let Some(place) = image.symbols().place(frame.pc) else { continue };
        let bytes = end.saturating_sub(frame.sp);
        if bytes == 0 {
            continue;
        }
        match calls.last_mut() {
            Some(last) if last.function == place.name && last.bytes == bytes => last.times += 1,
            _ => calls.push(Call { function: place.name.to_string(), bytes, times: 1 }),
        }
    }
    calls
}
